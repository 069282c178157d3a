#!/usr/bin/env python3
"""outside.py [--list] [CHECK...]: what strangers or the machine do to a crawl, seen from outside.

Run from the root of the sources; FORAGE_BUILD names the folder of the program. Each check runs
the program as a user does, with servers on loopback, and looks only at what servers get, at what
the program says, at its memory and at the tables of its database. So they say the same of any
version of it. What servers do to a connection is tried by hostile.py."""
import argparse, base64, concurrent.futures, contextlib, glob, gzip, http.server, json, os, resource, shutil, socket, socketserver, sqlite3, subprocess, sys, tempfile, threading, time

forage = os.path.join(os.getcwd(), os.environ.get('FORAGE_BUILD', 'build'), 'forage')
preload = os.path.join(os.getcwd(), 'build/release/tests/faults/libfaults.so')
SECRET = 'sesame-open'

class Site(http.server.BaseHTTPRequestHandler):
    """404 for robots.txt; else what the server has for the path, or a page with no links."""
    protocol_version = 'HTTP/1.1'
    def do_GET(self):
        where = self.headers.get('Host', ''), self.path
        self.server.asked.append((time.monotonic(), *where))
        status, headers, body = self.server.answer(*where)
        self.send_response(status)
        for name, value in {'Content-Type': 'text/html', **headers, 'Content-Length': str(len(body))}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)
    def log_message(self, *words):
        pass

class Server(socketserver.ThreadingMixIn, http.server.HTTPServer):
    daemon_threads, request_queue_size, allow_reuse_address = True, 1024, True
    def handle_error(self, request, address):
        pass

@contextlib.contextmanager
def serving(pages=None, answer=None, address='0.0.0.0', port=0):
    def from_pages(host, path):
        found = (pages or {}).get(path)
        if found is None and path == '/robots.txt':
            return 404, {}, b''
        if isinstance(found, tuple):
            return found
        return 200, {}, (found or f'<title>{path}</title><p>Words of page {path}.').encode()
    server = Server((address, port), Site)
    server.asked, server.answer = [], answer or from_pages
    threading.Thread(target=server.serve_forever, kwargs={'poll_interval': 0.05}, daemon=True).start()
    try:
        yield server
    finally:
        server.shutdown()
        server.server_close()

POLITE = ['--quiet', '--net-allow-private', 'loopback', '--operator-contact', 'tests@forage.example']

def known_flags(flags):
    """Settings that came later are left out: the default of before is what is tried."""
    return [word for i in range(0, len(flags), 2) if flags[i][2:] in settings for word in flags[i:i + 2]]

def start(words, limits={}, **more):
    def limit():
        for what, most in limits.items():
            resource.setrlimit(what, (most, most))
    return subprocess.Popen([forage] + words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, stdin=subprocess.DEVNULL,
                            env={**clean, **more}, preexec_fn=limit)

class Ended:
    def __init__(self, words, limits={}, timeout=120, **more):
        process = start(words, limits, **more)
        try:
            self.out, self.err = process.communicate(timeout=timeout)
        except subprocess.TimeoutExpired:
            process.kill()
            self.out, self.err = process.communicate()
            self.err += b'(it did not end)'
        self.code, self.all = process.returncode, (self.out + self.err).decode(errors='replace')

def watch(urls, *flags, **more):
    return Ended(['watch', '-w', 'ws'] + POLITE + list(flags) + urls, **more)

def sql(words):
    with contextlib.closing(sqlite3.connect('ws/forage.db', timeout=20)) as db:
        with db:
            return db.execute(words).fetchall()

def within(seconds, what):
    until = time.monotonic() + seconds
    while not what():
        if time.monotonic() > until:
            return False
        time.sleep(0.05)
    return True

def end(process):
    process.terminate()
    try:
        return process.communicate(timeout=30)
    except subprocess.TimeoutExpired:
        process.kill()
        return process.communicate()

# --- secrets ---

def password_of_a_proxy_in_the_archive():
    with serving() as proxy:
        way = f'http://user:{SECRET}@127.0.0.1:{proxy.server_port}'
        watch(['http://site.example/'], '--once', '--time-limit', '8s', '--fetch-delay', '100ms', '--archive', 'warc', http_proxy=way)
        kept = b''.join(gzip.open(name).read() for name in glob.glob('warc/*.gz'))
        if not any(host.startswith('site.example') for _, host, path in proxy.asked) or b'WARC' not in kept:
            return 'nothing went through the proxy into the archive'
        if b'roxy-Authorization' in kept or base64.b64encode(f'user:{SECRET}'.encode()) in kept:
            return 'the archive has the password of the proxy'

def secrets_of_addresses_are_shown():
    said = ''
    for words in (['config', 'show'], ['webhooks', 'list'], ['config', 'show', '--json']):
        said += Ended(words, FORAGE_WEBHOOKS_TO=f'a https://user:{SECRET}@hooks.example/x?token={SECRET}').all
    if 'hooks.example' not in said:
        return 'the webhook is not shown at all'
    if SECRET in said:
        return 'a password is shown'

# --- robots.txt ---

def robots_in_another_coding_is_not_obeyed():
    rules = 'User-agent: *\nDisallow: /private\n'
    for name, words in {'plain': rules.encode(), 'UTF-16': rules.encode('utf-16'), 'with NUL': b'\0' + rules.encode(),
                        'NUL within': rules.replace('\n', '\n\0', 1).encode()}.items():
        with open('robots.txt', 'wb') as file:
            file.write(words)
        heard = Ended(['robots', 'robots.txt', 'http://a.example/private/x', '--json'])
        if heard.code or json.loads(heard.out)['verdicts' if b'"verdicts"' in heard.out else 'urls'][0].get('allowed', True):
            return f'{name}: /private/x may be visited: {heard.all}'

# --- the machine ---

def no_files_left_is_held_against_hosts():
    def slowly(host, path):
        time.sleep(1)
        return (404 if path == '/robots.txt' else 200), {}, b'<p>words'
    with serving(answer=slowly) as server:
        hosts = [f'http://127.1.{i // 250}.{1 + i % 250}:{server.server_port}/' for i in range(200)]
        watch(hosts, '--time-limit', '6s', '--fetch-delay', '10ms', '--crawl-budget', '0', limits={resource.RLIMIT_NOFILE: 60})
        held, = sql('SELECT count(*) FROM sites WHERE backoff_until > 0')[0]
        if held > 20:
            return f'{held} of 200 hosts that answer back off'

def network_gone_for_days_costs_another():
    with serving() as server:
        port = server.server_port
        hosts = [f'http://127.1.0.{i}:{port}/' for i in range(1, 9)]
        crawl = start(['watch', '-w', 'ws'] + POLITE + ['--clock-speed', '20000', '--crawl-tick', '15m', '--crawl-budget', '0'] + hosts)
        met = within(30, lambda: len({host for _, host, path in server.asked if path == '/'}) == 8)
    try:
        if not met:
            return 'the hosts were not asked at first'
        time.sleep(15)  # more than three days
        with serving(address='0.0.0.0', port=port) as server:
            back = time.monotonic()
            within(10, lambda: len({host for _, host, path in server.asked}) == 8)
            came = {}
            for at, host, _ in server.asked:
                came.setdefault(host, at - back)
            late = [f'{s * 20000 / 3600:.0f} h' for s in came.values() if s > 2] + ['none'] * (8 - len(came))
            if late:
                return f'after the network is back hosts are asked after {", ".join(late)}'
    finally:
        end(crawl)

def no_thread_is_told_as_no_memory():
    if not os.path.exists(preload):
        return None
    # One after the other: the first that is missed may end it.
    for at in range(1, 9):
        failed = watch(['http://127.0.0.1:9/'], '--once', '--time-limit', '3s', '--feeds-dir', 'feeds', LD_PRELOAD=preload, FAULTS_KIND='thread', FAULTS_AT=str(at))
        if 'out of memory' in failed.all:
            return f'it says: {failed.all[-200:]}'

# --- the wire ---

def flood_of_nothing_takes_all_there_is():
    sent = 0
    def flood(connection):
        nonlocal sent
        connection.settimeout(5)
        head = connection.recv(65536)
        if head.startswith(b'GET /robots.txt'):
            connection.sendall(b'HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\nConnection: close\r\n\r\n')
            return
        sent += connection.send(b'HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Encoding: gzip\r\n\r\n\x1f\x8b\x08\x08\0\0\0\0\0\x03')
        while sent < 1 << 28:
            sent += connection.send(b'n' * 65536)
    def accept():
        while True:
            connection, _ = listener.accept()
            with connection, contextlib.suppress(OSError):
                flood(connection)
    with contextlib.closing(socket.create_server(('127.0.0.1', 0))) as listener:
        def quietly():
            with contextlib.suppress(OSError):
                accept()
        threading.Thread(target=quietly, daemon=True).start()
        watch([f'http://127.0.0.1:{listener.getsockname()[1]}/'], '--time-limit', '8s')
    if not sent:
        return 'the page was not asked for'
    if sent > 100 << 20:  # a body has 10 MB at most; what the kernel buffers comes on top
        return f'{sent >> 20} MiB are taken for one page of nothing'

# --- the store ---

def lock_deleted_two_write():
    with serving() as server:
        urls = [f'http://127.0.0.1:{server.server_port}/']
        crawl = start(['watch', '-w', 'ws'] + POLITE + urls)
        try:
            if not within(20, lambda: os.path.exists('ws/forage.db.lock') and len(server.asked) > 1):
                return 'the first does not begin'
            os.unlink('ws/forage.db.lock')
            time.sleep(6)
            other = watch(urls, '--time-limit', '3s')
            if crawl.poll() is None and 'already' not in other.all and 'another' not in other.all and 'use' not in other.all:
                return f'the second writes beside the first: exit {other.code}, {other.all[-200:]}'
        finally:
            end(crawl)

def database_gone(spoil):
    with serving({'/': ''.join(f'<a href=/p{i}>page {i}</a> ' for i in range(2000))}) as server:
        crawl = start(['watch', '-w', 'ws', '--once', '--log-level', 'warn'] + POLITE[1:] + ['--fetch-delay', '50ms', '--crawl-budget', '0', f'http://127.0.0.1:{server.server_port}/'])
        met = within(30, lambda: len(server.asked) > 10)
        spoil()
        within(10, lambda: crawl.poll() is not None)
        ended = crawl.poll()
        said = end(crawl)[1].decode(errors='replace')
        if not met:
            return 'the crawl does not begin'
        if ended is None and not any(word in said for word in ('gone', 'deleted', 'replaced', 'not the file', 'is not there', 'malformed', 'damaged', 'waiting')):
            return f'nothing is said of it: {said[-300:]}'

def database_deleted():
    return database_gone(lambda: [os.unlink(name) for name in glob.glob('ws/forage.db*') if not name.endswith('.lock')])

def database_cut():
    def cut():
        with open('ws/forage.db', 'r+b') as file:
            file.truncate(8192)
        open('ws/forage.db-wal', 'w').close()
    return database_gone(cut)

# --- many ---

def hosts_of_redirects_stay_for_ever():
    def answer(host, path):
        if path == '/robots.txt':
            return 404, {}, b''
        if path == '/':
            return 200, {}, ''.join(f'<a href=/r{i}>page {i}</a> ' for i in range(60)).encode()
        if path.startswith('/r'):
            return 302, {'Location': f'http://127.2.0.{int(path[2:]) + 1}:{server.server_port}/x'}, b''
        return 404, {}, b''
    with serving(answer=answer) as server:
        url = f'http://127.0.0.1:{server.server_port}/'
        watch([url], '--time-limit', '25s', '--once', '--fetch-delay', '10ms', '--crawl-budget', '0', '--store-requests', '1d')
        before, = sql('SELECT count(*) FROM sites')[0]
        if before < 8:
            return f'only {before} hosts were met'
        Ended(['run', '-w', 'ws'] + POLITE + ['--clock-speed', '86400', '--crawl-tick', '6h', '--store-requests', '1d', '--time-limit', '12s'])
        after, = sql('SELECT count(*) FROM sites')[0]
        if after > before / 2:
            return f'{before} hosts that only redirects led to are {after} after 12 days'

def sites_late_in_the_list_starve():
    with serving({'/': ''.join(f'<a href=/p{i}>page {i}</a> ' for i in range(40))}) as server:
        hosts = [f'http://127.1.0.{i}:{server.server_port}/' for i in range(1, 61)]
        watch(hosts, '--time-limit', '20s', '--fetch-delay', '500ms', '--crawl-tick', '1s', '--crawl-budget', str(10 * 3600))
        got = [host for _, host, path in server.asked if path != '/robots.txt']
        if len(got) < 100:
            return f'only {len(got)} requests were made'
        if len(set(got)) < 60:
            return f'{60 - len(set(got))} of 60 sites were never asked in {len(got)} requests'

def names_of_one_address_are_no_limit():
    """Where a name leads is known when it has answered once."""
    with serving({'/': ''.join(f'<a href=/p{i}>page {i}</a> ' for i in range(40))}) as server:
        names = [f'http://n{i}.localhost:{server.server_port}/' for i in range(60)]
        watch(names, '--time-limit', '8s', '--fetch-delay', '1s', '--crawl-budget', '0', *known_flags(['--fetch-address-delay', '200ms']))
        hosts = len({host for _, host, _ in server.asked})
        times = sorted(at for at, _, _ in server.asked)
        if len(times) < 20:
            return f'only {len(times)} requests were made'
        if len(times) - hosts > 1.3 * (times[-1] - times[0]) / 0.2 + 5:
            return f'{len(times)} requests at one address in {times[-1] - times[0]:.1f} s'

def sitemap_loses_addresses():
    def answer(host, path):
        here = f'http://127.0.0.1:{server.server_port}'
        if path == '/robots.txt':
            return 200, {'Content-Type': 'text/plain'}, f'Sitemap: {here}/map.xml\n'.encode()
        if path == '/map.xml':
            words = '<urlset>' + ''.join(f'<url><loc>{here}/page/{i}</loc></url>' for i in range(50000)) + '</urlset>'
            return 200, {'Content-Type': 'application/xml'}, words.encode()
        return 200, {}, b'<p>words'
    with serving(answer=answer) as server:
        crawl = start(['watch', '-w', 'ws'] + POLITE + ['--fetch-delay', '100ms', '--crawl-budget', '0', f'http://127.0.0.1:{server.server_port}/'])
        within(30, lambda: any(path == '/map.xml' for _, _, path in server.asked))
        def known():
            try:
                return sql("SELECT count(*) FROM pages WHERE url LIKE '%/page/%'")[0][0]
            except sqlite3.OperationalError:
                return 0
        all_there = within(20, lambda: known() >= 50000)
        end(crawl)
        if not all_there and known() < 50000:
            return f'{known()} of 50,000 addresses are known'

def import_of_watches_is_quadratic():
    took = []
    for n in (4000, 16000):
        with open('watches.json', 'w') as file:
            json.dump({'watching': {f'{i:08x}-0000-4000-8000-000000000000': {'url': f'http://127.0.0.1:{1 + i % 100}/{i}', 'title': f't{i}', 'tag': ''} for i in range(n)}}, file, indent=1)
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        done = Ended(['import', 'changedetection', 'watches.json', '-w', f'ws{n}', '--net-allow-private', 'loopback'])
        if done.code:
            return f'it ends with {done.code}: {done.all[-300:]}'
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        took.append(after.ru_utime - before.ru_utime)
    if took[1] > 8 * took[0] and took[1] > 1:
        return f'4,000 watches take {took[0]:.2f} s, 16,000 {took[1]:.2f} s'

CHECKS = [password_of_a_proxy_in_the_archive, secrets_of_addresses_are_shown, robots_in_another_coding_is_not_obeyed,
          no_files_left_is_held_against_hosts, network_gone_for_days_costs_another, no_thread_is_told_as_no_memory, flood_of_nothing_takes_all_there_is,
          lock_deleted_two_write, database_deleted, database_cut, hosts_of_redirects_stay_for_ever,
          sites_late_in_the_list_starve, names_of_one_address_are_no_limit, sitemap_loses_addresses, import_of_watches_is_quadratic]

def main():
    global settings
    parser = argparse.ArgumentParser()
    parser.add_argument('--list', action='store_true')
    parser.add_argument('check', nargs='*')
    options = parser.parse_args()
    if options.list:
        print('\n'.join(check.__name__ for check in CHECKS))
        return 0
    settings = Ended(['run', '--help', 'all']).out.decode()
    wanted = [check for check in CHECKS if not options.check or check.__name__ in options.check]
    if len(wanted) != 1:
        # They mostly wait: each in a process and a folder of its own, three at a time.
        with concurrent.futures.ThreadPoolExecutor(3) as pool:
            return any(list(pool.map(lambda check: subprocess.call([sys.executable, __file__, check.__name__]), wanted)))
    name = wanted[0].__name__
    os.chdir(tempfile.mkdtemp(dir=scratch))
    problem = wanted[0]()
    print(f'{"FAILED" if problem else "ok"}  {name}' + (f': {problem}' if problem else ''), flush=True)
    return bool(problem)

with tempfile.TemporaryDirectory() as scratch:
    clean = {k: v for k, v in os.environ.items() if not k.startswith('FORAGE_') and not k.lower().endswith('_proxy')}
    clean.update(HOME=scratch, XDG_CONFIG_HOME=scratch, XDG_STATE_HOME=scratch)
    root = os.getcwd()
    bad = main()
    os.chdir(root)
sys.exit(bad)
