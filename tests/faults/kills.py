"""A crawl of three workers that are killed all the time, and so is their database.

    kills.py FORAGE KILLS           (SEED, GAP: seconds between two kills)

Starts a PostgreSQL of its own, eight sites that publish without end, and three workers on
six lots. Then, KILLS times: SIGKILL for a worker with all its processes, for the process of
one lot, or for all processes of the server; what was killed is started again at once.
Afterwards the sites fall silent, and the crawl is let go on until all is told or two
minutes have passed.

Prints a line of JSON: `published` since the sites were watched, `told` of these, `twice` (events
that are in the store more than once), `gaps` (lots whose numbers are not dense), `lost`
(lines of output files, which are written when their event is durable, whose event is not in
the store), and `changed` (it is there with another address).
"""
import glob, http.server, json, os, random, re, signal, subprocess, sys, tempfile, threading, time

forage, kills = os.path.abspath(sys.argv[1]), int(sys.argv[2])
rng = random.Random(int(os.environ.get('SEED', '1')))
GAP = float(os.environ.get('GAP', '1'))
SITES, LOTS, OLD, SPEED = 8, 6, 6, 60
support = os.path.join(os.getcwd(), 'tests/support/postgres')
scratch = tempfile.mkdtemp(prefix='forage-kills-')
folder = scratch + '-pg'
os.chdir(scratch)

# --- sites ---

published = {}                   # (site, n): when

class Site(http.server.BaseHTTPRequestHandler):
    protocol_version = 'HTTP/1.1'

    def do_GET(self):
        site = int(self.server.server_address[0].rsplit('.', 1)[1])
        if self.path == '/':
            items = sorted(n for s, n in published if s == site)
            body = ''.join('<p><a href="/news/n%d">article number %d of %d</a></p>' % (n, n, site)
                           for n in reversed(items))
        elif (found := re.fullmatch('/news/n([0-9]+)', self.path)) and (site, int(found[1])) in published:
            body = '<p>%s of %d was written about mushrooms, cakes and tea in the garden.</p>' % (self.path, site)
        else:
            body = None
        text = ('<html lang="en"><head><title>title of %s</title></head><body>%s</body></html>' %
                (self.path, body)).encode() if body else b''
        try:
            self.send_response(200 if body else 404)
            self.send_header('Content-Type', 'text/html')
            self.send_header('Content-Length', str(len(text)))
            self.end_headers()
            self.wfile.write(text)
        except OSError:              # who asked was killed
            pass

    def log_message(self, *args):
        pass

class Server(http.server.ThreadingHTTPServer):
    daemon_threads = True
    def handle_error(self, request, address):
        pass

servers = [Server(('127.0.0.%d' % i, 0), Site) for i in range(1, SITES + 1)]
for site in range(1, SITES + 1):
    for n in range(OLD):
        published[site, n] = 0
for server in servers:
    threading.Thread(target=server.serve_forever, daemon=True).start()
origins = ['http://%s:%d/' % server.server_address[:2] for server in servers]
is_publishing = False

def publish():
    while True:
        time.sleep(0.5)
        if is_publishing:
            site = rng.randint(1, SITES)
            published[site, sum(s == site for s, _ in published)] = time.time()

# --- what is killed ---

environment = {k: v for k, v in os.environ.items() if not k.startswith('FORAGE_')}
environment.update(HOME=scratch, XDG_CONFIG_HOME=scratch + '/xdg', XDG_STATE_HOME=scratch + '/state')
anchor = time.strftime('%Y-%m-%dT%H:%M:%SZ', time.gmtime())
workers = {}

def start_worker(name):
    log = open('%s.log' % name, 'ab')
    workers[name] = subprocess.Popen(
        [forage, 'run', '-w', scratch + '/ws' + name, '--worker', '--worker-name', name, '--store-lots', str(LOTS),
         '--worker-lease', '3s', '--net-allow-private', 'loopback', '--fetch-delay', '3s', '--crawl-tick', '1m',
         '--crawl-budget', '20000', '--clock-speed', str(SPEED), '--clock-anchor', anchor, '--output-file',
         '%s.jsonl' % name, '--no-server', '--log-level', 'info'],
        env=environment, stdout=log, stderr=log, stdin=subprocess.DEVNULL)
    log.close()

def processes(condition):
    for pid in filter(str.isdigit, os.listdir('/proc')):
        try:
            with open('/proc/%s/cmdline' % pid, 'rb') as f:
                words = f.read().split(b'\0')
            where = os.readlink('/proc/%s/cwd' % pid)
        except OSError:
            continue
        if condition(words, where):
            yield int(pid)

def kill(pids):
    count = 0
    for pid in pids:
        try:
            os.kill(pid, signal.SIGKILL)
            count += 1
        except OSError:
            pass
    return count

def of_worker(name, only_lots=False):
    at = (scratch + '/ws' + name).encode()
    return list(processes(lambda words, where: at in words and (not only_lots or b'--lot' in words)))

def of_server():
    return list(processes(lambda words, where: where.startswith(folder)))

def start_server():
    for _ in range(20):
        if subprocess.run([support, 'again', folder], capture_output=True).returncode == 0:
            return
        time.sleep(0.2)

def kill_one():
    kind, name = rng.choice(['worker', 'lot', 'lot', 'server']), rng.choice(list(workers))
    if kind == 'server':
        killed[kind] += kill(of_server()) > 0
        start_server()
    elif kind == 'lot':
        lots = of_worker(name, only_lots=True)
        killed[kind] += bool(lots) and kill([rng.choice(lots)])
    else:
        killed[kind] += kill(of_worker(name)) > 0
        workers[name].wait()
        start_worker(name)

killed = dict(worker=0, lot=0, server=0)

# --- what is in the store ---

def rows(sql):
    done = subprocess.run(['psql', '-AtqX', '-F', '\t', address, '-c', sql], capture_output=True, text=True)
    return [line.split('\t') for line in done.stdout.splitlines()]

def told():
    found = {}
    for lot in range(LOTS):
        for number, kind, text in rows("SELECT number, kind, convert_from(json, 'UTF8') FROM"
                                       ' news_lot%04d.outbox ORDER BY number' % lot):
            found[lot, int(number)] = (kind, json.loads(text))
    return found

def article_of(event):
    found = re.match(r'http://127\.0\.0\.([0-9]+):[0-9]+/news/n([0-9]+)$', event.get('url', ''))
    return (int(found[1]), int(found[2])) if found else None

def judge():
    events = told()
    news = [a for _, event in events.values() if event.get('type') == 'discovery' and (a := article_of(event))]
    wanted = {a for a, at in published.items() if at}
    ids = {event['event']: event for _, event in events.values()}
    lost = changed = lines = 0
    for file in glob.glob('*.jsonl.lot*'):
        with open(file, 'rb') as f:
            for line in f.read().split(b'\n')[:-1]:
                try:
                    event = json.loads(line)
                except ValueError:       # a kill has torn it; it comes again
                    continue
                lines += 1
                there = ids.get(event['event'])
                lost += there is None
                changed += there is not None and there.get('url') != event.get('url')
    gaps = sum([n for l, n in sorted(events) if l == lot] != list(range(1, 1 + sum(l == lot for l, _ in events)))
               for lot in range(LOTS))
    return dict(published=len(wanted), told=len(wanted & set(news)), stock_told=len(set(news) - wanted),
                twice=len(news) - len(set(news)), lines=lines, lost=lost, changed=changed, gaps=gaps)

started = subprocess.run([support, 'start', folder], capture_output=True, text=True)
if started.returncode:
    print(started.stdout, started.stderr)
    sys.exit(started.returncode)
address = started.stdout.strip()
environment['FORAGE_STORE_PLACE'] = address + '#news'

try:
    for name in ('one', 'two', 'three'):
        start_worker(name)
        if name == 'one':
            until = time.time() + 60
            while time.time() < until and not rows('SELECT 1 FROM news.lots LIMIT 1'):
                time.sleep(0.2)
    while subprocess.run([forage, 'add', '--net-allow-private', 'loopback'] + origins, env=environment,
                         capture_output=True).returncode and time.time() < until:
        time.sleep(0.5)
    until = time.time() + 90
    while time.time() < until and len(rows(r"SELECT 1 FROM news.pages WHERE visits > 1 AND convert_from(url, 'UTF8')"
                                           r" ~ '^http://127\.0\.0\.[0-9]+:[0-9]+/$'")) < SITES:
        time.sleep(0.5)
    is_publishing = True
    threading.Thread(target=publish, daemon=True).start()
    while sum(killed.values()) < kills:
        kill_one()
        time.sleep(GAP * rng.uniform(0.25, 1.75))
    is_publishing = False
    until = time.time() + 120
    while True:
        verdict = judge()
        if verdict['told'] == verdict['published'] or time.time() > until:
            break
        time.sleep(2)
    for process in workers.values():
        process.terminate()
    for process in workers.values():
        process.wait(60)
    print(json.dumps(dict(kills=sum(killed.values()), **killed, **judge())))
finally:
    for name in workers:
        kill(of_worker(name))
    subprocess.run([support, 'stop', folder], capture_output=True)
    os.chdir('/')
    if not os.environ.get('KEEP'):
        subprocess.run(['rm', '-rf', scratch])
