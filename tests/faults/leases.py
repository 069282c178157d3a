"""Leases under faults, with a judge who sees every request.

    leases.py BUILD FAULTS [LACKS] [KINDS]       (LENGTH: of a lease, in seconds; SEED)

Starts a PostgreSQL of its own, eight lots, and two processes for each that want it
(make_lease_worker). Then, FAULTS times: a process is killed, or stopped for up to two and
a half leases; the server's session of a process stands still, as if the network between
them were cut; the server is killed and started again, or goes back some seconds, as when
a standby that lags takes over ("failover"). Processes stop themselves as well, between
the check of their lease and the connection. LACKS leaves out parts of the protocol
(store/lots.h): then something must go wrong.

Prints a line of JSON with what the judge saw: requests, takeovers, `overlaps` (two
processes asked one host at once), `short` (the gap between two processes' requests was
shorter than the delay), `stale` (a request under an older lease than one before); and of
the stores: `lost` (durable, and not there), `gaps` (numbers that are not dense).
"""
import json, os, random, signal, socket, subprocess, sys, threading, time

build, faults = sys.argv[1], int(sys.argv[2])
lacks = sys.argv[3] if len(sys.argv) > 3 else '0'
kinds = (sys.argv[4] if len(sys.argv) > 4 else 'kill,stop,partition,restart').split(',')
LOTS, LENGTH, DELAY = 8, float(os.environ.get('LENGTH', '2')), 0.1
rng = random.Random(int(os.environ.get('SEED', '1')))
root = os.getcwd()
folder = '/tmp/forage-leases-%d' % os.getpid()
as_postgres = ['runuser', '-u', 'postgres', '--'] if os.getuid() == 0 else []
bin_dir = subprocess.run(['pg_config', '--bindir'], capture_output=True, text=True).stdout.strip()
if not os.path.exists(bin_dir + '/pg_basebackup'):
    bin_dir = '/usr/lib/postgresql/15/bin'

def server(verb):
    return subprocess.run([root + '/tests/support/postgres', verb, folder],
                          capture_output=True, text=True)

# --- the judge ---

lock = threading.Lock()
visits, acks = {}, {}            # lot: [(start, end, epoch, pid)]; lot: {id}

def serve(connection):
    connection.settimeout(5)
    try:
        line = connection.recv(2000).decode().split(' ')[1]
        query = dict(pair.split('=') for pair in line.split('?')[1].split('&'))
        lot, now = int(query['lot']), time.monotonic()
        if line.startswith('/ack'):
            with lock:
                acks.setdefault(lot, set()).add(int(query['id']))
        else:
            visit = [now, None, int(query['epoch']), int(query['pid'])]
            with lock:
                visits.setdefault(lot, []).append(visit)
            connection.settimeout(0.03 + rng.random() * 0.05)
            try:
                connection.recv(1)          # it went away, or there is nothing
            except socket.timeout:
                pass
            visit[1] = time.monotonic()
        connection.sendall(b'HTTP/1.0 200 OK\r\n\r\nok')
    except OSError:
        pass
    finally:
        connection.close()

listener = socket.create_server(('127.0.0.1', 0), backlog=100)
port = listener.getsockname()[1]

def listen():
    while True:
        connection, _ = listener.accept()
        threading.Thread(target=serve, args=(connection,), daemon=True).start()

def judge():
    seen = dict(requests=0, takeovers=0, overlaps=0, short=0, stale=0)
    waits = []
    for lot, all_visits in visits.items():
        all_visits.sort(key=lambda v: v[0])
        newest, last_end, last = 0, 0, None
        for visit in all_visits:
            start, end, epoch, pid = visit
            end = end or start
            seen['requests'] += 1
            seen['stale'] += epoch < newest
            if last and pid != last[3]:
                seen['takeovers'] += 1
                waits.append(start - last[0])
                seen['overlaps'] += start < last_end
                seen['short'] += last_end <= start < last[0] + DELAY
            newest, last_end, last = max(newest, epoch), max(last_end, end), visit
    waits.sort()
    seen['takeover_median_s'] = round(waits[len(waits) // 2], 2) if waits else None
    return seen

# --- the processes ---

started = server('start')
if started.returncode:
    print(started.stdout, started.stderr)
    sys.exit(started.returncode)
address = started.stdout.strip()
place = address + '#leases'
processes = {}

def fill():
    for lot in range(LOTS):
        for seat in range(2):
            if (lot, seat) not in processes or processes[lot, seat].poll() is not None:
                processes[lot, seat] = subprocess.Popen(
                    [build + '/tests/store/make_lease_worker', place, str(lot),
                     str(int(LENGTH * 1000)), lacks, str(port),
                     '10' if 'stop' in kinds else '0'],
                    stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

def state_of(pid):
    try:
        with open('/proc/%d/stat' % pid) as f:
            return f.read().rsplit(')', 1)[1].split()[0]
    except OSError:
        return None

stopped = {}                      # pid: when to wake it

def signal_to(pid, number):
    try:
        os.kill(pid, number)
    except OSError:
        pass

def wake():
    for process in processes.values():
        if process.poll() is None and process.pid not in stopped and state_of(process.pid) == 'T':
            stopped[process.pid] = time.monotonic() + rng.uniform(0.2, 2.5) * LENGTH
    for pid, at in list(stopped.items()):
        if time.monotonic() >= at:
            signal_to(pid, signal.SIGCONT)
            del stopped[pid]

def sessions():
    out = subprocess.run(['ps', '-eo', 'pid,args'], capture_output=True, text=True).stdout
    return [int(line.split()[0]) for line in out.splitlines()
            if 'postgres: forage' in line and socket_owner(int(line.split()[0]))]

def socket_owner(pid):
    try:
        return os.readlink('/proc/%d/cwd' % pid).startswith(folder)
    except OSError:
        return False

def copy_data():
    subprocess.run(['rm', '-rf', folder + '/later'])
    return subprocess.run(as_postgres + [bin_dir + '/pg_basebackup', '-h', folder, '-U', 'forage',
        '-N', '-c', 'fast', '-X', 'stream', '-D', folder + '/later'], capture_output=True,
        cwd='/').returncode == 0

def fail_over():
    if not copy_data():
        return
    time.sleep(rng.uniform(0.3, 2.2) * LENGTH)      # what is written now is lost
    server('kill')
    subprocess.run('cd / && mv %s/data %s/old && mv %s/later %s/data && rm -rf %s/old && '
                   'touch %s/data/recovery.signal && chown --reference=%s/data/PG_VERSION %s/data/recovery.signal && '
                   'echo "restore_command = \'false\'" >>%s/data/postgresql.conf' %
                   ((folder,) * 9), shell=True)
    server('again')

def one_fault():
    kind = rng.choice(kinds)
    process = rng.choice(list(processes.values()))
    if kind == 'kill':
        signal_to(process.pid, signal.SIGKILL)
    elif kind == 'stop':
        signal_to(process.pid, signal.SIGSTOP)
        stopped[process.pid] = time.monotonic() + rng.uniform(0.2, 2.5) * LENGTH
    elif kind == 'partition':
        there = sessions()
        if there:
            pid = rng.choice(there)
            signal_to(pid, signal.SIGSTOP)
            stopped[pid] = time.monotonic() + rng.uniform(0.2, 2.5) * LENGTH
    elif kind == 'restart' and rng.random() < 0.2:   # all lots feel it
        for pid in list(stopped):
            if pid not in [p.pid for p in processes.values()]:
                signal_to(pid, signal.SIGCONT)
                del stopped[pid]
        server('kill')
        server('again')
    elif kind == 'failover':
        fail_over()

def stores():
    lost = gaps = 0
    for lot in range(LOTS):
        out = subprocess.run(['psql', '-AtqX', address, '-c',
            'SELECT number, id FROM leases_lot%04d.outbox ORDER BY number' % lot],
            capture_output=True, text=True).stdout.split()
        rows = [tuple(map(int, line.split('|'))) for line in out]
        gaps += [n for n, _ in rows] != list(range(1, len(rows) + 1))
        lost += len(acks.get(lot, set()) - {i for _, i in rows})
    return dict(lost=lost, gaps=gaps)

try:
    made = subprocess.run([build + '/tests/store/make_lots', place, str(LOTS)])
    assert made.returncode == 0
    threading.Thread(target=listen, daemon=True).start()
    fill()
    time.sleep(LENGTH)
    for n in range(faults):
        one_fault()
        until = time.monotonic() + rng.uniform(0.05, 0.35)
        while time.monotonic() < until:
            wake()
            fill()
            time.sleep(0.02)
    for pid in stopped:
        signal_to(pid, signal.SIGCONT)
    until = time.monotonic() + 2.5 * LENGTH
    while time.monotonic() < until:
        wake()
        fill()
        time.sleep(0.05)
    for process in processes.values():
        process.kill()
        process.wait()
    time.sleep(0.5)
    print(json.dumps(dict(faults=faults, lacks=int(lacks), **judge(), **stores())))
finally:
    for process in processes.values():
        process.kill()
    server('stop')
