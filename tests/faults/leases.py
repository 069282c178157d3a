"""Leases under faults, with a judge who sees every request.

    leases.py BUILD FAULTS [LACKS] [KINDS]       (LENGTH: of a lease, GAP: between two
                                                  faults, in seconds; SEED; LAG: of a
                                                  standby, from and to, in leases;
                                                  NETNS=1: a network for each process)

Starts a PostgreSQL of its own, eight lots, and two processes for each that want it
(make_lease_worker). Then, FAULTS times: a process is killed, or stopped for up to two and
a half leases; the server's session of a process stands still, as if the network between
them were cut; the server is killed and started again, or a standby that lags some seconds
behind is promoted in its place ("failover"). Processes stop themselves as well, between
the check of their lease and the connection. Lots 1 and 5, 3 and 7 are at the same
addresses, which only one of the two may ask at a time.

LACKS leaves out parts of the protocol (store/lots.h), and then something must go wrong:
1: no kernel timer; 2: no deadline of one's own; 4: whether a lease is over is asked of the
server's clock. So 7, 5 and 4 are the simpler leases that others would begin with.

With NETNS=1 (as root) each process has a network of its own, with a cable to a bridge at
which the server and the judge are; in a partition its cable is pulled. Where the machine
has the freezer of cgroups, "freeze" puts a process into it.

Prints a line of JSON with what the judge saw: requests, takeovers, `overlaps` (two
processes asked one host at once), `short` (the gap between two processes' requests was
shorter than the delay), `stale` (a request under an older lease than one before); the same
of addresses, `address_overlaps` and `address_short`, which counts those within one process
as well, and `address_turns`, how often another one had its turn; and of the stores: `lost` (durable, and not there), `gaps` (numbers that are not dense).
"""
import json, os, random, signal, socket, subprocess, sys, threading, time

netns = os.environ.get('NETNS') == '1'
if netns and os.environ.get('NETNS_INSIDE') != '1':
    os.execvpe('unshare', ['unshare', '-n', sys.executable] + sys.argv,
               dict(os.environ, NETNS_INSIDE='1'))
build, faults = sys.argv[1], int(sys.argv[2])
lacks = sys.argv[3] if len(sys.argv) > 3 else '0'
kinds = (sys.argv[4] if len(sys.argv) > 4 else 'kill,stop,partition,restart').split(',')
LOTS, LENGTH, DELAY = 8, float(os.environ.get('LENGTH', '2')), 0.1
LAG = [float(n) for n in os.environ.get('LAG', '0.3,2.2').split(',')]
GAP = float(os.environ.get('GAP', '0.2'))
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
        line = connection.recv(2000).decode()
        if not line.endswith('\r\n\r\n'):     # it was killed meanwhile
            return
        line = line.split(' ')[1]
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

HERE = '10.9.0.1' if netns else '127.0.0.1'
if netns:
    for words in ('link set lo up', 'link add br0 type bridge', 'addr add 10.9.0.1/24 dev br0',
                  'link set br0 up'):
        subprocess.run(['ip'] + words.split(), check=True)
listener = socket.create_server((HERE, 0), backlog=100)
port = listener.getsockname()[1]

def listen():
    while True:
        connection, _ = listener.accept()
        threading.Thread(target=serve, args=(connection,), daemon=True).start()

def judge_addresses(seen):
    for address in (1, 3):
        last = None
        for visit in sorted(v for lot in visits if lot % 4 == address for v in visits[lot]):
            if last:
                seen['address_overlaps'] += visit[0] < (last[1] or last[0])
                seen['address_short'] += visit[0] < last[0] + DELAY
                seen['address_turns'] += visit[3] != last[3]
            last = visit

def judge():
    seen = dict(requests=0, takeovers=0, overlaps=0, short=0, stale=0, address_overlaps=0,
                address_short=0, address_turns=0)
    judge_addresses(seen)
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
                if lot % 2 == 0:        # others wait for their address as well
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
# Two places for a server, and ports: the standby that is promoted is where none was before.
PORTS = {'data': 5432, 'later': 5433}
primary = 'data'

def control(name, *words):
    return subprocess.run(as_postgres + [bin_dir + '/pg_ctl', '-s', '-D', folder + '/' + name,
                                         *words], cwd='/', stdout=subprocess.DEVNULL,
                          stderr=subprocess.DEVNULL).returncode == 0

def start(name):
    return control(name, '-w', '-t', '30', '-l', folder + '/log', '-o', '-p %d' % PORTS[name], 'start')

with open(folder + '/data/postgresql.conf', 'a') as f:
    f.write('track_commit_timestamp = on\nhot_standby = on\n')
    if netns:
        f.write("listen_addresses = '10.9.0.1'\n")
with open(folder + '/data/pg_hba.conf', 'a') as f:
    f.write('host all all 10.9.0.0/24 trust\n')
control(primary, 'stop', '-m', 'immediate')
start(primary)
both = '&port=5432,5433&target_session_attrs=read-write'
address = 'postgresql://forage@/postgres?host=%s,%s%s' % (folder, folder, both)
place = address + '#leases'
if netns:
    place = 'postgresql://forage@/postgres?host=10.9.0.1,10.9.0.1' + both + '#leases'
processes = {}

cables = {}                      # pid: the name of its cable at the bridge
names = iter(range(1 << 30))

def plug_in(process, seat):
    name, at = 'v%d' % next(names), 10 + seat
    ours = [['link', 'add', name, 'type', 'veth', 'peer', 'name', name + 'p'],
            ['link', 'set', name + 'p', 'address', '02:00:00:00:00:%02x' % at],
            ['link', 'set', name, 'master', 'br0', 'up'],
            ['link', 'set', name + 'p', 'netns', str(process.pid)]]
    theirs = ['link set lo up', 'addr add 10.9.0.%d/24 dev %sp' % (at, name),
              'link set %sp up' % name]
    for words in ours:
        subprocess.run(['ip'] + words, stderr=subprocess.DEVNULL)
    for words in theirs:
        subprocess.run(['nsenter', '-t', str(process.pid), '-n', 'ip'] + words.split(),
                       stderr=subprocess.DEVNULL)
    cables[process.pid] = name
    try:
        process.stdin.write(b'\n')
        process.stdin.close()
    except OSError:
        pass

def fill():
    for lot in range(LOTS):
        for seat in range(2):
            if (lot, seat) not in processes or processes[lot, seat].poll() is not None:
                words = [build + '/tests/store/make_lease_worker', place, str(lot),
                         str(int(LENGTH * 1000)), lacks, '%s:%d' % (HERE, port),
                         '10' if 'stop' in kinds else '0']
                if netns:             # it waits until there is a cable
                    words = ['unshare', '-n', 'sh', '-c', 'read x; exec "$@"', 'sh'] + words
                process = processes[lot, seat] = subprocess.Popen(
                    words, stdin=subprocess.PIPE if netns else subprocess.DEVNULL,
                    stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
                if netns:
                    plug_in(process, 2 * lot + seat)

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

def set_cable(name, state):
    subprocess.run(['ip', 'link', 'set', name, state], stderr=subprocess.DEVNULL)

FREEZER = '/sys/fs/cgroup/freezer'

def freeze(pid, state):
    box = '%s/forage-%d' % (FREEZER, pid)
    try:
        os.makedirs(box, exist_ok=True)
        if state == 'FROZEN':
            with open(box + '/cgroup.procs', 'w') as f:
                f.write(str(pid))
        with open(box + '/freezer.state', 'w') as f:
            f.write(state)
    except OSError:
        return False
    return True

def thaw(pid):
    freeze(pid, 'THAWED')
    for _ in range(50):               # a box can be taken away when nobody is in it
        try:
            with open(FREEZER + '/cgroup.procs', 'w') as f:
                f.write(str(pid))
        except OSError:
            pass
        try:
            os.rmdir('%s/forage-%d' % (FREEZER, pid))
            return
        except OSError:
            time.sleep(0.01)

unplugged, frozen = {}, {}        # cable, pid: when to undo it

def mend(now):
    for what, undo in ((unplugged, lambda name: set_cable(name, 'up')), (frozen, thaw)):
        for thing, at in list(what.items()):
            if now >= at:
                undo(thing)
                del what[thing]

def wake():
    mend(time.monotonic())
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

def make_standby(name):
    at = folder + '/' + name
    control(name, 'stop', '-m', 'immediate')
    subprocess.run(['rm', '-rf', at])
    copied = subprocess.run(as_postgres + [bin_dir + '/pg_basebackup', '-h', folder, '-p',
        str(PORTS[primary]), '-U', 'forage', '-N', '-c', 'fast', '-X', 'stream', '-D', at],
        capture_output=True, cwd='/').returncode == 0
    return copied and subprocess.run(as_postgres + ['touch', at + '/standby.signal'],
                                     cwd='/').returncode == 0 and start(name)

failovers = 0

def fail_over():
    global primary, failovers
    standby = 'later' if primary == 'data' else 'data'
    if not make_standby(standby):
        return
    until = time.monotonic() + rng.uniform(*LAG) * LENGTH
    while time.monotonic() < until:                 # what is written now is lost
        wake()
        fill()
        time.sleep(0.02)
    control(primary, 'stop', '-m', 'immediate')
    control(standby, '-w', 'promote')
    primary = standby
    failovers += 1

def one_fault():
    kind = rng.choice(kinds)
    process = rng.choice(list(processes.values()))
    if kind == 'kill':
        signal_to(process.pid, signal.SIGKILL)
    elif kind == 'stop':
        signal_to(process.pid, signal.SIGSTOP)
        stopped[process.pid] = time.monotonic() + rng.uniform(0.2, 2.5) * LENGTH
    elif kind == 'freeze' and process.pid not in frozen:
        if freeze(process.pid, 'FROZEN'):
            frozen[process.pid] = time.monotonic() + rng.uniform(0.2, 2.5) * LENGTH
    elif kind == 'partition' and netns and rng.random() < 0.7:
        name = cables.get(process.pid)
        if name and name not in unplugged:
            set_cable(name, 'down')
            unplugged[name] = time.monotonic() + rng.uniform(0.2, 2.5) * LENGTH
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
        control(primary, 'stop', '-m', 'immediate')
        start(primary)
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
        until = time.monotonic() + GAP * rng.uniform(0.25, 1.75)
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
    print(json.dumps(dict(faults=faults, failovers=failovers, lacks=int(lacks), **judge(),
                          **stores())))
finally:
    mend(float('inf'))
    for process in processes.values():
        process.kill()
    control('later', 'stop', '-m', 'immediate')
    server('stop')
