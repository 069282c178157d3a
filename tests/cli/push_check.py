"""A hub, sites and a crawl that is told by them: push_check.py websub|indexnow, in a folder
of its own. Prints what was measured, and what is not as it should be."""
import datetime, hashlib, hmac, http.client, http.server, json, os, re, signal, socket, socketserver, sqlite3
import statistics, subprocess, sys, threading, time, urllib.parse, urllib.request

SPEED = float(os.environ.get('PUSH_SPEED', 60))
anchor = time.time()
bad = []


def expect(is_so, words):
    if not is_so:
        bad.append(words)
        print('not so: ' + words, flush=True)


def now():
    return anchor + (time.time() - anchor) * SPEED


def stamp(t):
    return datetime.datetime.fromtimestamp(t, datetime.timezone.utc).strftime('%Y-%m-%dT%H:%M:%SZ')


def within(seconds, condition, words):
    end = time.time() + seconds
    while time.time() < end:
        value = condition()
        if value:
            return value
        time.sleep(0.1)
    expect(False, words)
    return None


class Server(socketserver.ThreadingMixIn, http.server.HTTPServer):
    daemon_threads, request_queue_size = True, 128


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = 'HTTP/1.1'

    def log_message(self, *a):
        pass

    def send(self, status, body=b'', kind='text/plain', headers=()):
        self.send_response(status)
        self.send_header('Content-Type', kind)
        self.send_header('Content-Length', str(len(body)))
        for name, value in headers:
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)


def serve(handler):
    server = Server(('127.0.0.1', 0), handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return server, f'http://127.0.0.1:{server.server_address[1]}'


class Site:
    """A front page, a feed, articles; `how` the feed names its hub: atom, header, html or none."""

    def __init__(self, hub=None, how='atom', files=()):
        self.articles, self.unlisted, self.requests, self.files = [], set(), [], dict(files)
        site = self

        class Answer(Handler):
            def do_GET(self):
                site.requests.append((time.time(), self.path))
                base, headers = site.origin, []
                if hub and how == 'header':
                    headers = [('Link', f'<{hub}/>; rel="hub", <{base}/feed>; rel="self"')]
                if self.path == '/':
                    links = ''.join(f'<li><a href="/a/{n}">Report {n} of the day</a>' for n, _ in site.listed())
                    self.send(200, f'<title>News</title><link rel=alternate type=application/atom+xml href=/feed>'
                              f'<h1>News</h1><ul>{links}</ul>'.encode(), 'text/html')
                elif self.path == '/feed':
                    entries = ''.join(
                        f'<entry><id>{base}/a/{n}</id><title>Report {n} of the day</title><link href="{base}/a/{n}"/>'
                        f'<published>{stamp(t)}</published><updated>{stamp(t)}</updated></entry>'
                        for n, t in site.listed())
                    named = f'<link rel="hub" href="{hub}/"/><link rel="self" href="{base}/feed"/>' if hub and how == 'atom' else ''
                    self.send(200, f'<?xml version="1.0"?><feed xmlns="http://www.w3.org/2005/Atom"><title>News</title>'
                              f'<id>{base}/</id>{named}{entries}</feed>'.encode(), 'application/atom+xml', headers)
                elif self.path.startswith('/a/') and int(self.path[3:]) in dict(site.articles):
                    n = int(self.path[3:])
                    words = ' '.join(hashlib.sha1(f'{n} {i}'.encode()).hexdigest()[:7] for i in range(200))
                    self.send(200, f'<title>Report {n} of the day</title><article><h1>Report {n} of the day</h1>'
                              f'<time datetime="{stamp(dict(site.articles)[n])}"></time><p>{words}</article>'.encode(), 'text/html')
                elif self.path in site.files:
                    self.send(200, site.files[self.path].encode())
                else:
                    self.send(404)

        self.server, self.origin = serve(Answer)
        for n in range(1, 9):
            self.articles.append((n, now() - 86400 * (10 - n)))

    def listed(self):
        return [a for a in reversed(self.articles[-20:]) if a[0] not in self.unlisted]

    def publish(self, is_listed=True):
        n = self.articles[-1][0] + 1
        if not is_listed:
            self.unlisted.add(n)
        self.articles.append((n, now()))
        return n

    def looks(self, path, since=0):
        return [t for t, p in self.requests if p == path and t >= since]


class Hub:
    """Verifies and pushes as the standard says, unless it is told to lie or to die."""

    def __init__(self, lease=None):
        self.subscriptions, self.asked, self.left, self.lease = {}, [], [], lease
        self.is_dead = False
        hub = self

        class Answer(Handler):
            def do_GET(self):
                self.send(404 if self.path == '/robots.txt' else 200)

            def do_POST(self):
                form = dict(urllib.parse.parse_qsl(self.rfile.read(int(self.headers['Content-Length'])).decode()))
                if hub.is_dead:
                    self.close_connection = True
                    return
                hub.asked.append((time.time(), form, self.headers['Content-Type']))
                self.send(202)
                threading.Thread(target=hub.verify, args=(form,), daemon=True).start()

        self.server, self.origin = serve(Answer)

    def verify(self, form):
        lease = self.lease or int(form.get('hub.lease_seconds', 0))
        query = {'hub.mode': form['hub.mode'], 'hub.topic': form['hub.topic'], 'hub.challenge': 'c<b>' + os.urandom(8).hex()}
        if form['hub.mode'] == 'subscribe':
            query['hub.lease_seconds'] = str(lease)
        status, headers, body = get(form['hub.callback'] + '?' + urllib.parse.urlencode(query))
        if status == 200 and body.decode() == query['hub.challenge'] and headers['Content-Type'].startswith('text/plain'):
            if form['hub.mode'] == 'subscribe':
                self.subscriptions[form['hub.topic']] = form
            else:
                self.left.append(self.subscriptions.pop(form['hub.topic'], None))

    def push(self, topic, method='sha256', secret=None, body=b'<feed>new</feed>', header=None):
        form = self.subscriptions[topic]
        key = (secret if secret is not None else form['hub.secret']).encode()
        signed = header or method + '=' + hmac.new(key, body, method).hexdigest()
        return get(form['hub.callback'], body, {'X-Hub-Signature': signed, 'Content-Type': 'application/atom+xml'})[0]


def get(url, body=None, headers=None):
    parts = urllib.parse.urlsplit(url)
    connection = http.client.HTTPConnection(parts.netloc, timeout=20)
    connection.request('POST' if body is not None else 'GET', parts.path + ('?' + parts.query if parts.query else ''), body, headers or {})
    answer = connection.getresponse()
    content = answer.read()
    connection.close()
    return answer.status, answer.headers, content


def announce(url, size):
    """The status for a body of that size, of which nothing is sent."""
    parts = urllib.parse.urlsplit(url)
    with socket.create_connection((parts.hostname, parts.port), timeout=20) as s:
        s.sendall(f'POST {parts.path} HTTP/1.1\r\nHost: {parts.netloc}\r\nContent-Length: {size}\r\n\r\n'.encode())
        return int(s.recv(1000).split()[1])


class Crawl:
    def __init__(self, *words, sites=()):
        with socketserver.TCPServer(('127.0.0.1', 0), None) as free:
            port = free.server_address[1]
        self.address = f'http://127.0.0.1:{port}'
        self.out = open('events', 'a')
        self.process = subprocess.Popen(
            ['env', 'ASAN_OPTIONS=quarantine_size_mb=8', 'forage', *(['watch'] if sites else ['run', '--events']), '-w', 'ws', '--listen', f'127.0.0.1:{port}', '--push-public-url', self.address + '/',
             '--net-allow-private', 'loopback', '--clock-speed', str(SPEED), '--clock-anchor',
             datetime.datetime.fromtimestamp(anchor, datetime.timezone.utc).isoformat(), '--fetch-delay', '1s',
             '--log-level', 'info', *words, *sites], stdout=self.out, stderr=open('crawl.err', 'a'))
        within(30, lambda: 'dashboard: ' + self.address in open('crawl.err').read(), 'the crawl does not start')

    def events(self):
        return [json.loads(line) for line in open('events') if '"discovery"' in line]

    def found(self, url):
        for event in self.events():
            if event['url'] == url:
                return event
        return None

    def api(self, path):
        return json.loads(get(self.address + '/api/v1/' + path)[2])

    def metric(self, name):
        text = get(self.address + '/metrics')[2].decode()
        found = re.search('^' + re.escape(name) + r' (\S+)$', text, re.M)
        return float(found.group(1)) if found else None

    def signal(self, site, kind):
        for one in self.api('site?site=' + urllib.parse.quote(site)).get('signals', []):
            if one['kind'] == kind:
                return one
        return None

    def end(self, kill=False):
        self.process.send_signal(signal.SIGKILL if kill else signal.SIGTERM)
        self.process.wait()


def seconds_of(text):
    return datetime.datetime.fromisoformat(text.replace('Z', '+00:00')).timestamp()


def delays(crawl, site, numbers):
    """From publication to discovery, in seconds of the crawl's clock."""
    found = [(crawl.found(f'{site.origin}/a/{n}'), dict(site.articles)[n]) for n in numbers]
    return [seconds_of(event['found_at']) - t for event, t in found if event]


def websub():
    hub, brief = Hub(), Hub(lease=900)
    told, polled = Site(hub.origin), Site()
    by_header = Site(brief.origin, 'header')
    crawl = Crawl('--push-rest', '10m', sites=[told.origin, polled.origin, by_header.origin])
    topic = told.origin + '/feed'
    within(30, lambda: hub.subscriptions and brief.subscriptions, 'the hubs that feeds name are not asked')
    expect([*hub.subscriptions, *brief.subscriptions] == [topic, by_header.origin + '/feed'], f'topics are {hub.subscriptions}, {brief.subscriptions}')
    form = hub.subscriptions[topic]
    expect(re.fullmatch(re.escape(crawl.address) + r'/websub/\d+\.\d+\.[0-9a-f]{32}', form['hub.callback']), form['hub.callback'])
    expect(len(form['hub.secret']) == 32 and form['hub.lease_seconds'] == '86400', f'{form}')
    expect(hub.asked[0][2] == 'application/x-www-form-urlencoded', 'the form has another type')
    within(10, lambda: (crawl.signal(told.origin, 'websub') or {}).get('state') == 'active', 'the subscription is not active')

    # Lies: none of them is taken.
    step('subscribed')
    answers = [get(form['hub.callback'] + '?' + urllib.parse.urlencode({'hub.mode': mode, 'hub.topic': t, 'hub.challenge': 'x', 'hub.lease_seconds': '9'}))[0]
               for mode, t in [('subscribe', 'http://other.example/'), ('unsubscribe', topic), ('nonsense', topic)]]
    answers.append(get(form['hub.callback'][:-1] + '?' + urllib.parse.urlencode({'hub.mode': 'subscribe', 'hub.topic': topic, 'hub.challenge': 'x'}))[0])
    answers.append(get(crawl.address + '/websub/' + '9' * 40 + '.1.x?hub.mode=subscribe')[0])
    expect(answers == [404] * 5, f'challenges that nobody asked for are answered with {answers}')
    answers = [hub.push(topic, secret='wrong'), hub.push(topic, header='sha256=00'), hub.push(topic, header='md5=' + '0' * 32), hub.push(topic, header=' ')]
    expect(answers == [202] * 4, f'wrong signatures are answered with {answers}')
    elsewhere = form['hub.callback'][:-1] + ('1' if form['hub.callback'].endswith('0') else '0')
    expect(get(elsewhere, b'x')[0] == 410, 'a push to nowhere is not gone')
    expect(announce(form['hub.callback'], 2 << 20) == 413, 'a push of 2 MiB is taken')
    before = crawl.signal(told.origin, 'websub')['pushes']

    # The truth: the pushes prove themselves.
    step('lied to')
    numbers = []
    for i, method in enumerate(['sha256', 'sha1', 'sha384', 'sha512', 'sha256']):
        numbers.append(told.publish())
        by_header.publish()
        polled.publish()
        expect(hub.push(topic, method) == 202, 'a push is refused')
        expect(brief.push(by_header.origin + '/feed') == 202, 'a push is refused')
        within(12, lambda: crawl.found(f'{told.origin}/a/{numbers[-1]}'), 'a page that was pushed is not found')
    expect(before == 0, f'{before} pushes with wrong signatures were taken')
    expect(crawl.found(f'{told.origin}/a/{numbers[-1]}').get('found_by') == 'push', 'it is not said that a push has found it')
    signal = within(8, lambda: (s := crawl.signal(told.origin, 'websub'))['proved'] >= 4 and s, 'the pushes do not prove themselves')
    if signal:
        print('after the pushes:', signal)
        expect(signal['rest_s'] >= 200, f'polling does not fade: {signal}')
    by_push = delays(crawl, told, numbers)
    print(f'pushed pages are found after {statistics.median(by_push) / SPEED:.1f} s (median of {len(by_push)})')
    expect(statistics.median(by_push) / SPEED < 4, f'pushed pages are found after {by_push}')
    expect(crawl.metric('forage_found_pages_last_day{by="push"}') >= 4, 'the metrics do not know of pushes')

    step('told')
    # Nothing new, again and again: it costs little, and polling does not rest on it.
    liar = by_header.origin + '/feed'
    before = len(by_header.looks('/feed'))
    answers = [brief.push(liar) for _ in range(40)]
    expect(429 in answers, 'endless pushes are all taken')

    # The hub is dead: what it does not tell is found, and polling is back.
    hub.is_dead = True
    numbers = [told.publish()]
    within(900 / SPEED + 10, lambda: crawl.found(f'{told.origin}/a/{numbers[0]}'), 'what a dead hub does not tell is not found')
    waited = delays(crawl, told, numbers)
    print(f'after the death of the hub: found after {waited[0] if waited else -1:.0f} s')
    expect(waited and waited[0] <= 600 + 240, f'polling is back after {waited} s, stated are 600 and a tick')
    within(1200 / SPEED + 10, lambda: (s := crawl.signal(told.origin, 'websub')) and s['missed'] >= 1 and s['rest_s'] == 0, 'the miss is not noted')
    spent = len(by_header.looks('/feed')) - before
    print(f'40 pushes with nothing new cost {spent} requests')
    expect(spent <= 20, f'lies cost {spent} requests')
    within(900 / SPEED + 10, lambda: len(brief.asked) >= 2, 'a lease of 15 minutes is not renewed')
    # The hub asks back before it is renewed.
    within(20, lambda: (crawl.signal(by_header.origin, 'websub') or {}).get('state') == 'active', 'a lease has ended')

    step('polling is back')
    # After a kill the subscription is there; when the site goes, it is left.
    hub.is_dead = False
    crawl.end(kill=True)
    again = Crawl('--push-rest', '10m')
    n = len(hub.asked)
    expect((again.signal(told.origin, 'websub') or {}).get('state') in ('active', 'asked', 'wanted'), 'the subscription is lost')
    subprocess.run(['forage', 'remove', '-w', 'ws', told.origin], capture_output=True, check=True)
    within(20, lambda: any(f['hub.mode'] == 'unsubscribe' for _, f, _ in hub.asked[n:]), 'nobody unsubscribes')
    again.end()


def delay():
    """Push against polling, once the first looks are over: takes ten minutes."""
    hub = Hub()
    told, polled = Site(hub.origin), Site()
    crawl = Crawl(sites=[told.origin, polled.origin])
    within(60, lambda: hub.subscriptions, 'the hub is not asked')
    time.sleep(3600 / SPEED)
    numbers, before = [], time.time()
    for _ in range(int(os.environ.get('PUSH_ARTICLES', 24))):
        numbers.append(told.publish())
        polled.publish()
        hub.push(told.origin + '/feed')
        time.sleep(1500 / SPEED)
    time.sleep(3600 / SPEED)
    for name, site in [('push', told), ('polling', polled)]:
        found = sorted(delays(crawl, site, numbers))
        looks = [len(site.looks(path, before)) for path in ('/feed', '/')]
        print(f'{name}: n={len(found)} of {len(numbers)}, delay median {statistics.median(found):.0f} s, '
              f'worst {found[-1]:.0f} s; looks at feed and front page {looks}')
    expect(statistics.median(delays(crawl, told, numbers)) * 2 < statistics.median(delays(crawl, polled, numbers)), 'push is not twice as fast as polling')
    crawl.end()


def waiting():
    db = sqlite3.connect('file:ws/forage.db?mode=ro', uri=True, timeout=10)
    return db.execute('SELECT count(*) FROM commands').fetchone()[0]


def indexnow():
    key, other = 'a1b2c3d4e5', 'x' * 64
    site = Site(files={f'/{key}.txt': key + '\n', '/deep/key.txt': key})
    stranger = Site(files={f'/{other}.txt': 'something else'})
    crawl = Crawl(sites=[site.origin, stranger.origin])
    at, host = crawl.address + '/indexnow', site.origin[7:]

    def ping(url, key=key, **more):
        return get(at + '?' + urllib.parse.urlencode({'url': url, 'key': key, **more}))[0]

    def post(body):
        text = body if isinstance(body, bytes) else json.dumps(body).encode()
        return get(at, text, {'Content-Type': 'application/json; charset=utf-8'})[0]

    within(30, lambda: 'watching since' in open('crawl.err').read(), 'the site is not watched')
    new = f'{site.origin}/a/{site.publish(is_listed=False)}'  # so that nobody else can find it
    expect(ping(new) == 202, 'a key that is to be checked')
    within(20, lambda: site.looks(f'/{key}.txt'), 'the key is not looked for')
    within(20, lambda: ping(new) == 200, 'a key that was found')
    event = within(20, lambda: crawl.found(new), 'what an owner has sent is not found')
    expect(event and event.get('found_by') == 'push', f'it is not said that a push has found it: {event}')
    step('found')

    # What makes no sense, and what is none of his.
    wrong = [
        (400, ping('')), (400, ping(new, '')), (400, ping('mailto:x@a.example')), (400, post(b'{')), (400, post(b'[]')),
        (400, post({'host': host, 'key': key})), (400, post({'host': host, 'key': key, 'urlList': [7]})),
        (400, post({'key': key, 'urlList': [new]})),
        (422, ping(new, 'short')), (422, ping(new, 'with a space')), (422, ping(new, 'x' * 129)),
        (422, post({'host': 'b.example', 'key': key, 'urlList': [new]})),
        (422, post({'host': host, 'key': key, 'urlList': [new, stranger.origin + '/a/1']})),
        (422, post({'host': host, 'key': key, 'urlList': [new] * 10001})),
        (422, ping(new, keyLocation=stranger.origin + '/k.txt')), (422, ping(new, keyLocation=site.origin + '/deep/key.txt')),
        (202, ping('http://nobody.example/a')),  # whether it is watched is nobody's business
        (200, post({'host': host, 'key': key, 'urlList': [new]})),
        (202, ping(stranger.origin + '/a/1', other)),
        (413, announce(at, 2 << 20)),
    ]
    expect(all(a == b for a, b in wrong), f'expected and answered: {wrong}')
    within(20, lambda: ping(stranger.origin + '/a/1', other) == 403, 'a key that is not there')
    looks = len(stranger.looks(f'/{other}.txt'))
    expect(looks == 1, f'a wrong key costs {looks} requests')
    step('refused')

    # Ten thousand pages that are not there, then a flood of keys that are not.
    rss = int(re.search(r'VmRSS:\s+(\d+)', open(f'/proc/{crawl.process.pid}/status').read()).group(1))
    began, posted = now(), post({'host': host, 'key': key, 'urlList': [f'{site.origin}/x/{i}' for i in range(10000)]})
    expect(posted == 200, f'10,000 addresses are answered with {posted}')
    answers = {}

    def flood(n):
        connection = http.client.HTTPConnection(crawl.address[7:], timeout=30)
        for i in range(n):
            connection.request('POST', '/indexnow', json.dumps({'host': host, 'key': os.urandom(16).hex(), 'urlList': [f'{site.origin}/y/{j}' for j in range(100)]}))
            answer = connection.getresponse()
            answer.read()
            answers[answer.status] = answers.get(answer.status, 0) + 1

    step('the flood begins')
    threads = [threading.Thread(target=flood, args=(150,)) for _ in range(4)]
    [t.start() for t in threads]
    [t.join() for t in threads]
    step('the flood is over')
    print('a flood of 600 is answered with', answers, 'and', waiting(), 'commands wait')
    expect(set(answers) <= {202, 403, 429} and answers.get(429, 0) > 300, f'a flood is answered with {answers}')
    expect(waiting() <= 200, f'{waiting()} commands wait')
    within(20, lambda: waiting() == 0, 'the crawl does not take up what waits')
    time.sleep(3)
    asked = [p for _, p in site.requests]
    tried, keys = len([p for p in asked if p.startswith('/x/')]), len([p for p in asked if p.endswith('.txt')])
    hours = (now() - began) / 3600
    print(f'10,000 addresses of nothing cost {tried} requests in {hours * 60:.0f} minutes; {keys} files of the site were asked for')
    expect(tried <= 24, f'lies cost {tried} requests')
    expect(keys <= 8, f'{keys} keys were looked for')
    expect(not [p for p in asked if p.startswith('/y/')], 'addresses without a key were asked for')
    grown = int(re.search(r'VmRSS:\s+(\d+)', open(f'/proc/{crawl.process.pid}/status').read()).group(1)) - rss
    print(f'memory has grown by {grown // 1024} MiB')
    expect(grown < 100 << 10, f'memory has grown by {grown} KiB')
    signal = crawl.signal(site.origin, 'indexnow')
    print('after the lies:', signal)
    expect(signal and signal['honesty'] < 0.5, 'it is believed')
    crawl.end()


def step(words):
    print(f'{time.time() - anchor:6.1f} s: {words}', flush=True)


def main():
    globals()[sys.argv[1]]()
    step('end')
    print('bad:', bad)
    sys.exit(1 if bad else 0)


main()
