#!/usr/bin/env python3
"""hostile.py [--short] [--list] [CASE...]: servers that mean harm, and an innocent one beside.

Run from the root of the sources; FORAGE_BUILD names the folder of the program. For each case a
server speaks HTTP/1.1 or HTTP/2 as badly as it can, and the program crawls it for a few seconds
together with an honest site. At the same time another crawl has an honest site to itself. Demanded
is that the honest site beside the hostile one gets at least nine tenths of the requests that the
other gets, with no gap of more than twice the delay; that no server is asked sooner than the delay
allows; and that the crawl ends in time, with exit code 0.

The honest and the hostile are served by one thread: with more, chance would decide whether they
share one.

A machine that has much to do holds up both crawls, so the gap may be half as long again as the
longest of the other; and as chance may hit one of the two, a case that fails is tried again, twice.
--short takes the cases that once did harm."""
import argparse, gzip, os, random, shutil, socket, ssl, struct, subprocess, sys, tempfile, threading, time, zlib

DELAY = 0.3
SECONDS = 5
LINKS = ''.join(f'<a href=/x{i}>{i}</a> ' for i in range(40))

class Gone(Exception):
    pass

class Server:
    """Listens on an address of its own; notes when each request came."""
    def __init__(self, address, speak):
        self.speak, self.at, self.paths, self.connections = speak, [], [], 0
        self.listener = socket.create_server((address, 0), backlog=64)
        self.port = self.listener.getsockname()[1]
        self.over = threading.Event()
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        while not self.over.is_set():
            try:
                connection, _ = self.listener.accept()
            except OSError:
                return
            self.connections += 1
            connection.settimeout(SECONDS + 5)
            connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            threading.Thread(target=self.serve, args=(connection,), daemon=True).start()

    def serve(self, connection):
        try:
            self.speak(self, connection)
        except (OSError, Gone, ValueError):
            pass
        finally:
            try:
                connection.close()
            except OSError:
                pass

    def note(self, path):
        self.at.append(time.monotonic())
        self.paths.append(path)

    def stop(self):
        self.over.set()
        self.listener.close()

    def least_gap(self):
        return min((b - a for a, b in zip(self.at, self.at[1:])), default=SECONDS)

# --- HTTP/1.1 ---

def read_request(connection):
    head = b''
    while b'\r\n\r\n' not in head:
        more = connection.recv(65536)
        if not more:
            raise Gone
        head += more
    return head.split(b' ')[1].decode('latin-1')

def answer(body, headers='', status='200 OK'):
    body = body if isinstance(body, bytes) else body.encode()
    return (f'HTTP/1.1 {status}\r\nContent-Type: text/html\r\nContent-Length: {len(body)}\r\n'
            f'{headers}\r\n').encode() + body

def honest(server, connection):
    while True:
        path = read_request(connection)
        server.note(path)
        if path == '/robots.txt':
            connection.sendall(answer('', status='404 Not Found'))
        else:
            connection.sendall(answer(f'<title>{path}</title><p>Words of page {path}. ' + (LINKS if path == '/' else '')))

def rude(attack, whole_connection=False):
    """robots.txt and the front page are honest; what they lead to is the attack."""
    def speak(server, connection):
        while True:
            path = read_request(connection)
            server.note(path)
            if path == '/robots.txt':
                connection.sendall(answer('', status='404 Not Found'))
            elif path == '/':
                connection.sendall(answer('<title>x</title>' + LINKS))
            elif attack(server, connection, path) is not True:
                return
    return speak

def forever(server, connection, piece, start=b'', pause=0):
    connection.sendall(start)
    while not server.over.is_set():
        connection.sendall(piece)
        if pause:
            time.sleep(pause)

OK = b'HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n'
CHUNKED = OK + b'Transfer-Encoding: chunked\r\n\r\n'

def sends(bytes_, keeps=False):
    def attack(server, connection, path):
        connection.sendall(bytes_)
        return keeps
    return attack

def sends_forever(start, piece, pause=0):
    return lambda server, connection, path: forever(server, connection, piece, start, pause)

def raw_deflate_blocks():
    return b'\x00\x00\x00\xff\xff' * 4000

def bomb(mb):
    return gzip.compress(bytes(mb << 20))

def redirects(to):
    def attack(server, connection, path):
        connection.sendall(answer('', f'Location: {to(server, path)}\r\n', '302 Found'))
        return True
    return attack

def resets(server, connection, path):
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack('ii', 1, 0))
    connection.close()

def drops_on_reuse(server, connection, path):
    connection.sendall(answer(f'<p>words of {path}'))
    read_request(connection) and server.note('reused')

def drops_idle(server, connection, path):
    connection.sendall(answer(f'<p>words of {path}', 'Keep-Alive: timeout=1\r\n'))
    time.sleep(DELAY)  # just when the next one comes

def says_nothing(server, connection, path):
    server.over.wait(SECONDS + 5)

HTTP1 = {
    'endless empty deflate blocks': sends_forever(OK + b'Content-Encoding: deflate\r\n\r\n', raw_deflate_blocks()),
    'endless empty gzip blocks': sends_forever(OK + b'Content-Encoding: gzip\r\n\r\n\x1f\x8b\x08\0\0\0\0\0\0\x03', raw_deflate_blocks()),
    'endless chunk extension': sends_forever(CHUNKED + b'5;', b'a' * 16384),
    'endless zeros of a chunk size': sends_forever(CHUNKED, b'0' * 16384),
    'endless trailer': sends_forever(CHUNKED + b'0\r\n', b'X-T: ' + b'a' * 4096 + b'\r\n'),
    'endless gzip name': sends_forever(OK + b'Content-Encoding: gzip\r\n\r\n\x1f\x8b\x08\x08\0\0\0\0\0\x03', b'n' * 16384),
    'endless gzip comment': sends_forever(OK + b'Content-Encoding: gzip\r\n\r\n\x1f\x8b\x08\x10\0\0\0\0\0\x03', b'c' * 16384),
    'endless gzip members': sends_forever(OK + b'Content-Encoding: gzip\r\n\r\n', gzip.compress(b'') * 200),
    'endless body': sends_forever(OK + b'\r\n', b'<p>words words</p>' * 1000),
    'endless chunks of a byte': sends_forever(CHUNKED, b'1\r\na\r\n' * 3000),
    'flood of 100 Continue': sends_forever(b'', b'HTTP/1.1 100 Continue\r\n\r\n' * 500),
    'flood of 103 Early Hints': sends_forever(b'', b'HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n' * 300),
    'flood of headers': sends_forever(OK, b'X-A: b\r\n' * 2000),
    'endless header': sends_forever(OK + b'X-A: ', b'b' * 16384),
    'endless status line': sends_forever(b'HTTP/1.1 200 ', b'O' * 16384),
    'flood of cookies': sends(OK + b''.join(b'Set-Cookie: a%d=%s\r\n' % (i, b'c' * 900) for i in range(200)) + b'Content-Length: 0\r\n\r\n'),
    'NUL in headers': sends(OK + b'X-\0A: b\0c\r\nContent-Length: 2\r\n\r\nhi'),
    'slow bytes': sends_forever(OK + b'\r\n', b'a', 0.5),
    'slow headers': sends_forever(b'HTTP/1.1 200 OK\r\nX: ', b'a', 0.5),
    'silence': says_nothing,
    'closes at once': sends(b''),
    'resets': resets,
    'no HTTP at all': sends(bytes(range(256)) * 64),
    'HTTP/0.9': sends(b'<p>words'),
    'status 999': sends(b'HTTP/1.1 999 What\r\nContent-Length: 2\r\n\r\nhi'),
    'status 101': sends(b'HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\nxyz'),
    'length too long': sends(OK + b'Content-Length: 100000\r\n\r\nshort'),
    'length too short': sends(OK + b'Content-Length: 2\r\n\r\n' + b'too long ' * 5000),
    'negative length': sends(OK + b'Content-Length: -5\r\n\r\nhello'),
    'two lengths': sends(OK + b'Content-Length: 5\r\nContent-Length: 50\r\n\r\nhello'),
    'huge length': sends(OK + b'Content-Length: 99999999999999999999999\r\n\r\nhello'),
    'huge chunk': sends(CHUNKED + b'ffffffffffffffff\r\nhello'),
    'bad chunk': sends(CHUNKED + b'zz\r\nhello'),
    'bomb of a gigabyte': sends(OK + b'Content-Encoding: gzip\r\n\r\n' + gzip.compress(bytes(64 << 20)) * 16),
    'bomb in a bomb': sends(OK + b'Content-Encoding: gzip, gzip\r\n\r\n' + gzip.compress(bomb(64))),
    'ten codings': sends(OK + b'Content-Encoding: ' + b', '.join([b'gzip'] * 10) + b'\r\n\r\n' + bomb(1)),
    'broken gzip': sends(OK + b'Content-Encoding: gzip\r\n\r\n' + bomb(1)[:500] + b'\xff' * 5000),
    'redirect to itself': redirects(lambda server, path: path),
    'redirect maze': redirects(lambda server, path: f'/m{random.randrange(10 ** 9)}'),
    'redirect to new hosts': redirects(lambda server, path: f'http://127.{random.randrange(1, 250)}.{random.randrange(1, 250)}.1:{server.port}/'),
    'redirect to a megabyte': redirects(lambda server, path: '/' + 'a' * (1 << 20)),
    'redirect elsewhere': redirects(lambda server, path: random.choice(['file:///etc/passwd', 'gopher://a/', 'http://[::1', 'javascript:x', '//', 'http://127.0.0.1:1/'])),
    'retry after centuries': lambda s, c, p: c.sendall(answer('', 'Retry-After: 99999999999999\r\n', '429 Too Many Requests')) or True,
    'drops when reused': drops_on_reuse,
    'drops idle connections': drops_idle,
    'base of a megabyte': sends(OK + b'Content-Encoding: gzip\r\n\r\n' + gzip.compress(b'<base href="http://127.0.0.2/' + b'a' * (1 << 20) + b'">' + b''.join(b'<a href=%d>x</a>' % i for i in range(50000)))),
    'a hundred thousand links': sends(OK + b'Content-Encoding: gzip\r\n\r\n' + gzip.compress(b''.join(b'<a href=/l%d>x</a>' % i for i in range(100000)))),
    'deep nesting': sends(OK + b'Content-Encoding: gzip\r\n\r\n' + gzip.compress(b'<div><b><table>' * 300000)),
}

# --- HTTP/2, a frame at a time (RFC 9113) ---

DATA, HEADERS, RST_STREAM, SETTINGS, PUSH_PROMISE, PING, GOAWAY, WINDOW_UPDATE, CONTINUATION = 0, 1, 3, 4, 5, 6, 7, 8, 9
END_STREAM, ACK, END_HEADERS = 1, 1, 4
STATUS_200 = b'\x88'

def frame(kind, flags=0, stream=0, payload=b''):
    return struct.pack('>I', len(payload))[1:] + bytes([kind, flags]) + struct.pack('>I', stream) + payload

def literal(name, value):
    """A field that is not indexed; lengths below 127."""
    return b'\0' + bytes([len(name)]) + name + bytes([len(value)]) + value

HTML = STATUS_200 + literal(b'content-type', b'text/html')

def take(connection, n):
    got = b''
    while len(got) < n:
        more = connection.recv(n - len(got))
        if not more:
            raise Gone
        got += more
    return got

def path_in(block, known):
    """The :path of a request of ours, as far as the test needs it: is it the first, is it robots.txt?"""
    known.append(block)
    return len(known)

def h2(attack):
    def speak(server, plain):
        connection = context.wrap_socket(plain, server_side=True)
        connection.settimeout(SECONDS + 5)
        take(connection, 24)
        connection.sendall(frame(SETTINGS))
        while True:
            head = take(connection, 9)
            payload = take(connection, int.from_bytes(head[:3], 'big'))
            kind, flags, stream = head[3], head[4], int.from_bytes(head[5:], 'big') & 0x7fffffff
            if kind == SETTINGS and not flags & ACK:
                connection.sendall(frame(SETTINGS, ACK))
            if kind != HEADERS:
                continue
            server.note('h2')
            n = len(server.at)
            if n == 1:  # robots.txt comes first
                connection.sendall(frame(HEADERS, END_STREAM | END_HEADERS, stream, b'\x8d'))
            elif n == 2:
                connection.sendall(frame(HEADERS, END_HEADERS, stream, HTML) +
                                   frame(DATA, END_STREAM, stream, b'<title>x</title>' + LINKS.encode()))
            else:
                attack(server, connection, stream)
    return speak

def h2_sends(*frames):
    return lambda server, connection, stream: connection.sendall(b''.join(f(stream) for f in frames))

def h2_forever(start, piece, pause=0):
    def attack(server, connection, stream):
        forever(server, connection, piece(stream), start(stream), pause)
    return attack

begin = lambda s: frame(HEADERS, END_HEADERS, s, HTML)
nothing = lambda s: b''
HTTP2 = {
    'empty DATA frames': h2_forever(begin, lambda s: frame(DATA, 0, s) * 1000),
    'padded DATA frames': h2_forever(begin, lambda s: frame(DATA, 8, s, b'\xff' + bytes(255)) * 100),
    'REFUSED_STREAM': h2_sends(lambda s: frame(RST_STREAM, 0, s, struct.pack('>I', 7))),
    'INTERNAL_ERROR': h2_sends(begin, lambda s: frame(RST_STREAM, 0, s, struct.pack('>I', 2))),
    'GOAWAY': h2_sends(lambda s: frame(GOAWAY, 0, 0, struct.pack('>II', 0, 0))),
    'GOAWAY, enhance your calm': h2_sends(lambda s: frame(GOAWAY, 0, 0, struct.pack('>II', s, 11))),
    'PING flood': h2_forever(nothing, lambda s: frame(PING, 0, 0, bytes(8)) * 500),
    'SETTINGS flood': h2_forever(nothing, lambda s: frame(SETTINGS) * 500),
    'WINDOW_UPDATE flood': h2_forever(nothing, lambda s: frame(WINDOW_UPDATE, 0, 0, struct.pack('>I', 1)) * 500),
    'CONTINUATION flood': h2_forever(lambda s: frame(HEADERS, 0, s, STATUS_200), lambda s: frame(CONTINUATION, 0, s, literal(b'x-a', b'b' * 100) * 100)),
    'empty CONTINUATION flood': h2_forever(lambda s: frame(HEADERS, 0, s, STATUS_200), lambda s: frame(CONTINUATION, 0, s) * 1000),
    'header bomb': h2_sends(lambda s: frame(HEADERS, 0, s, STATUS_200 + b'\x40\x03x-a\x7f\xa1\x1e' + b'b' * 4000 + b'\xbe' * 12000), lambda s: frame(CONTINUATION, END_HEADERS, s, b'\xbe' * 16000)),
    'flood of 103': h2_forever(nothing, lambda s: frame(HEADERS, END_HEADERS, s, b'\x08\x03103') * 500),
    'pushed pages': h2_sends(lambda s: frame(PUSH_PROMISE, END_HEADERS, s, struct.pack('>I', 2) + STATUS_200)),
    'frames of unknown kinds': h2_forever(nothing, lambda s: frame(0x77, 0, 0, b'x' * 100) * 300),
    'a frame too large': h2_sends(begin, lambda s: frame(DATA, 0, s, bytes(1 << 20))),
    'endless body over HTTP/2': h2_forever(begin, lambda s: frame(DATA, 0, s, b'<p>words' * 1000)),
    'drip over HTTP/2': h2_forever(begin, lambda s: frame(DATA, 0, s, b'a'), 0.5),
    'silence over HTTP/2': lambda server, connection, stream: server.over.wait(SECONDS + 5),
    'trailers without end': h2_forever(begin, lambda s: frame(HEADERS, END_HEADERS, s, literal(b'x', b'y')) * 200),
}
SHORT = ['a hundred thousand links', 'endless chunk extension', 'drops when reused', 'REFUSED_STREAM', 'empty DATA frames']

context = None

def make_certificate(folder):
    global context
    certificate, key = os.path.join(folder, 'cert.pem'), os.path.join(folder, 'key.pem')
    subprocess.run(['openssl', 'req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-keyout', key, '-out', certificate,
                    '-days', '2', '-subj', '/CN=forage test', '-addext', 'subjectAltName=IP:127.0.0.2'],
                   check=True, capture_output=True)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, key)
    context.set_alpn_protocols(['h2'])
    return certificate

class Crawl:
    """Of an honest server and, maybe, a hostile one."""
    def __init__(self, folder, certificate, address, speak=None, scheme=''):
        self.good = Server(address, honest)
        self.bad = speak and Server('127.0.0.2', speak)
        self.workspace = os.path.join(folder, address)
        urls = [f'http://{address}:{self.good.port}/'] + ([f'{scheme}://127.0.0.2:{self.bad.port}/'] if speak else [])
        environment = {k: v for k, v in os.environ.items() if not k.startswith('FORAGE_')}
        environment.update(HOME=folder, XDG_CONFIG_HOME=folder, XDG_STATE_HOME=folder)
        self.process = subprocess.Popen(
            [forage, 'watch', '-w', self.workspace, '--quiet', '--once', '--time-limit', f'{SECONDS}s',
             '--fetch-delay', f'{int(DELAY * 1000)}ms', '--crawl-budget', '0', '--crawl-site-budget', '0',
             '--fetch-threads', '1', '--fetch-timeout', '6s', '--net-allow-private', 'loopback',
             '--fetch-ca-file', certificate] + urls,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment, stdin=subprocess.DEVNULL)

    def wait(self):
        """Its exit code, None: not in time."""
        try:
            _, words = self.process.communicate(timeout=SECONDS + 25)
            self.code = self.process.returncode
        except subprocess.TimeoutExpired:
            self.process.kill()
            _, words = self.process.communicate()
            self.code = None
        self.words = words.decode(errors='replace')
        for server in (self.good, self.bad):
            if server:
                server.stop()
        shutil.rmtree(self.workspace, ignore_errors=True)

def widest_gap(server):
    return max((b - a for a, b in zip(server.at, server.at[1:])), default=SECONDS)

def problems_of(crawl, alone):
    problems = []
    if crawl.code != 0:
        problems.append(f'it ends with {crawl.code}: {crawl.words[-300:]}')
    if len(crawl.good.at) < 0.9 * len(alone.good.at):
        problems.append(f'the honest site gets {len(crawl.good.at)} requests, alone {len(alone.good.at)}')
    widest = widest_gap(crawl.good)
    if widest > max(2 * DELAY, 1.5 * widest_gap(alone.good)):
        problems.append(f'the honest site waits {widest:.2f} s, alone {widest_gap(alone.good):.2f} s')
    for name, server in (('honest', crawl.good), ('hostile', crawl.bad)):
        if server.least_gap() < 0.95 * DELAY:
            problems.append(f'the {name} site is asked after {server.least_gap():.3f} s')
    if len(crawl.bad.at) < 3:
        problems.append(f'the attack was not met: {len(crawl.bad.at)} requests')
    return problems

def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('--short', action='store_true')
    parser.add_argument('--list', action='store_true')
    parser.add_argument('--attempts', type=int, default=3)
    parser.add_argument('case', nargs='*')
    options = parser.parse_args()
    if options.short:
        global SECONDS
        SECONDS = 4
    cases = {**{name: (rude(attack), 'http') for name, attack in HTTP1.items()},
             **{name: (h2(attack), 'https') for name, attack in HTTP2.items()}}
    wanted = options.case or (SHORT if options.short else list(cases))
    if options.list:
        print('\n'.join(cases))
        return 0
    bad = 0
    with tempfile.TemporaryDirectory() as folder:
        certificate = make_certificate(folder)
        for name in wanted:
            for attempt in range(options.attempts):
                alone = Crawl(folder, certificate, '127.0.0.4')
                crawl = Crawl(folder, certificate, '127.0.0.3', *cases[name])
                crawl.wait()
                alone.wait()
                found = problems_of(crawl, alone)
                if not found:
                    break
            print(f'{"ok" if not found else "FAILED"}  {name}: {len(crawl.good.at)} requests beside {len(crawl.bad.at)}, alone {len(alone.good.at)}'
                  + (f' (attempt {attempt + 1})' if attempt else ''), flush=True)
            for problem in found:
                print('    ' + problem, flush=True)
            bad += bool(found)
    print(f'{len(wanted)} cases, {bad} failed')
    return bad > 0

forage = os.path.join(os.getcwd(), os.environ.get('FORAGE_BUILD', 'build'), 'forage')
if __name__ == '__main__':
    sys.exit(main())
