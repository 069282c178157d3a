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
import argparse, base64, ctypes, ctypes.util, gzip, os, random, shutil, socket, ssl, struct, subprocess, sys, tempfile, threading, time

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

def rude(attack):
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
def coded(how):
    return OK + f'Content-Encoding: {how}\r\n\r\n'.encode()

def page(words, kind='text/html'):
    packed = gzip.compress(words if isinstance(words, bytes) else words.encode(), 1)
    return (f'HTTP/1.1 200 OK\r\nContent-Type: {kind}\r\nContent-Encoding: gzip\r\n'
            f'Content-Length: {len(packed)}\r\n\r\n').encode() + packed

# 64 MiB of zeros.
BROTLI_ZEROS = ('y///PwAkAOKxQHLv//j//weABEAcFoDu/R////8AkACIwwLQvf/j//8fABIAcVgAuvd//P//A0ACIA4LQPf+j///fwBIAMRhAeje//H//w8A'
                'CYA4LADd+7/8//8DIAEQhwWge/8H')
# Addresses that are no host's, or the machine's own in another way of writing.
NOWHERE = ['http://[::]:PORT/', 'http://0.0.0.0:PORT/', 'http://0:PORT/', 'http://[::ffff:127.0.0.2]:PORT/', 'http://0177.0.0.2:PORT/',
           'http://2130706434:PORT/', 'http://169.254.169.254:PORT/', 'http://[fe80::1%25lo]:PORT/', 'http://10.0.0.1:PORT/',
           'http://255.255.255.255:PORT/', 'http://224.0.0.1:PORT/', 'http://user:secret@127.0.0.2:PORT/', 'http://127.0.0.2:99999/',
           'http://xn--a:PORT/', 'data:text/html,<p>words', 'ftp://127.0.0.2:PORT/', 'http://127.0.0.2%00.example:PORT/']

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
    'empty brotli blocks': sends_forever(coded('br') + b'\x0c', b'\x06' * 16384),
    'bomb of brotli': sends(coded('br') + base64.b64decode(BROTLI_ZEROS)),
    'bomb of zstd': sends_forever(coded('zstd') + b'\x28\xb5\x2f\xfd\x00\x58', b'\x02\x00\x10\x00' * 4096),
    'empty zstd frames': sends_forever(coded('zstd'), b'\x28\xb5\x2f\xfd\x00\x58\x01\0\0' * 2000),
    'skippable zstd frames': sends_forever(coded('zstd'), (b'\x50\x2a\x4d\x18' + struct.pack('<I', 1000) + bytes(1000)) * 16),
    'chunk size beyond 64 bits': sends(CHUNKED + b'1' + b'0' * 16 + b'\r\nhello'),
    'minus a chunk': sends(CHUNKED + b'-1\r\nhello\r\n0\r\n\r\n'),
    'chunked twice': sends(OK + b'Transfer-Encoding: chunked, chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n'),
    'gzip as transfer coding': sends_forever(OK + b'Transfer-Encoding: gzip, chunked\r\n\r\n', b'a\r\n\x1f\x8b\x08\0\0\0\0\0\0\x03\r\n' + b'5\r\n\0\0\0\xff\xff\r\n' * 3000),
    'length and chunks': sends(OK + b'Content-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n'),
    'not modified, unasked': lambda s, c, p: c.sendall(b'HTTP/1.1 304 Not Modified\r\nETag: "x"\r\n\r\n') or True,
    'a part, unasked': sends(b'HTTP/1.1 206 Partial Content\r\nContent-Range: bytes 5-1/0\r\nContent-Length: 5\r\n\r\nhello', True),
    'body after 204': sends(b'HTTP/1.1 204 No Content\r\n\r\n' + b'HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n' * 1000, True),
    'answers nobody asked for': sends(answer('<p>words') * 3000, True),
    'replaced without end': sends_forever(b'HTTP/1.1 200 OK\r\nContent-Type: multipart/x-mixed-replace; boundary=a\r\n\r\n', b'--a\r\nContent-Type: text/html\r\n\r\n<p>words' * 300),
    'times that cannot be': lambda s, c, p: c.sendall(answer('<p>words', 'Last-Modified: Fri, 31 Dec 999999999 23:59:59 GMT\r\nDate: Thu, 01 Jan -001 00:00:00 GMT\r\nCache-Control: max-age=99999999999999999999\r\nAge: -1\r\nExpires: 0\r\n')) or True,
    'an ETag of 60 KB': lambda s, c, p: c.sendall(answer('<p>words', 'ETag: "' + 'e' * 60000 + '"\r\n')) or True,
    'a charset of 60 KB': lambda s, c, p: c.sendall(OK.replace(b'text/html', b'text/html; charset=' + b'c' * 60000) + b'Content-Length: 8\r\n\r\n<p>words') or True,
    'Refresh to itself': lambda s, c, p: c.sendall(answer('<p>words', f'Refresh: 0; url={p}\r\n')) or True,
    'other services': lambda s, c, p: c.sendall(answer('<p>words', ''.join(f'Alt-Svc: h2="127.0.0.{i % 250 + 5}:{s.port}"; ma=99999999\r\n' for i in range(400)))) or True,
    'links in headers': lambda s, c, p: c.sendall(answer('<p>words', ''.join(f'Link: <{p}>; rel="canonical hub self next"\r\n' for i in range(900)))) or True,
    'redirect to no address': redirects(lambda server, path: random.choice(NOWHERE).replace('PORT', str(server.port))),
    'deep nesting': sends(OK + b'Content-Encoding: gzip\r\n\r\n' + gzip.compress(b'<div><b><table>' * 300000)),
}

# --- what a site says in files and pages ---

def says(files, met=3):
    """A site: a page or a function of the path for each beginning of a path; the longest counts."""
    def speak(server, connection):
        while True:
            path = read_request(connection)
            server.note(path)
            found = max((name for name in files if path.startswith(name)), key=len, default=None)
            if found is None:
                connection.sendall(answer('', status='404 Not Found'))
                continue
            what = files[found]
            what = what(server, connection, path) if callable(what) else what
            if what:
                connection.sendall(what)
    return speak, 'http', met

def trickle(server, connection, path):
    forever(server, connection, b'#', b'HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n\r\n', 1)

def index_of_itself(server, connection, path):
    here = f'http://127.0.0.2:{server.port}'
    return page('<sitemapindex>' + f'<sitemap><loc>{here}{path}</loc></sitemap>' * 1000 +
                ''.join(f'<sitemap><loc>{here}/s{random.randrange(10 ** 9)}.xml</loc></sitemap>' for i in range(5000)) +
                '</sitemapindex>', 'application/xml')

def names_sitemaps(server, connection, path):
    return answer(''.join(f'Sitemap: http://127.0.0.2:{server.port}/s{i}.xml\n' for i in range(10000))).replace(b'text/html', b'text/plain')

def entities(root):
    return ('<?xml version="1.0"?><!DOCTYPE x [<!ENTITY a "' + 'words ' * 100 + '">' +
            ''.join(f'<!ENTITY {chr(98 + i)} "{("&" + chr(97 + i) + ";") * 10}">' for i in range(9)) +
            f'<!ENTITY f SYSTEM "file:///etc/passwd"><!ENTITY % p SYSTEM "http://127.0.0.2:1/x"> %p;]>'
            f'<{root}><title>&j;</title><item><title>&f;</title><link>http://127.0.0.2/&j;</link></item></{root}>')

MILLION = 10 ** 6
FRONT = answer('<link rel=alternate type=application/rss+xml href=/feed>' + LINKS)
def front_and(rest, kind='text/html'):
    return says({'/': page(rest, kind), '/robots.txt': answer('', status='404 Not Found')})
def feed_of(words):
    return says({'/': FRONT, '/feed': page(words, 'application/rss+xml'), '/sitemap': page(words, 'application/xml')})

def many(what):
    return ''.join(what % i for i in range(100000))

SITES = {
    'a trickle for robots.txt': says({'/robots.txt': trickle}, 1),
    'robots.txt without end': says({'/robots.txt': lambda s, c, p: forever(s, c, b'Disallow: /a\n' * 1000, b'HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n\r\n')}, 1),
    'robots.txt of stars': says({'/robots.txt': page(b'User-agent: *\n' + (b'Disallow: ' + b'/*a' * 300 + b'$\n') * 500, 'text/plain'),
                                 '/': page('<p>' + many('<a href=/' + 'a' * 200 + 'b%d>x</a>'))}, 1),
    'robots.txt redirects to itself': says({'/robots.txt': answer('', 'Location: /robots.txt\r\n', '302 Found')}, 1),
    'a sitemap of itself': says({'/robots.txt': names_sitemaps, '/s': index_of_itself, '/': FRONT}),
    'entities that grow': feed_of(entities('rss')),
    'elements in elements of XML': feed_of('<rss>' + '<item>' * MILLION),
    'attributes of XML': feed_of('<rss ' + ' '.join(f'a{i}="b"' for i in range(200000)) + '><item/></rss>'),
    'namespaces of XML': feed_of('<rss>' + ''.join(f'<a{i} xmlns:n{i}="u{i}">' for i in range(100000))),
    'a feed of one word': feed_of('<rss><channel><item><title>' + 'word' * 2500000),
    'a feed of itself': feed_of('<feed xmlns="http://www.w3.org/2005/Atom"><link rel="self next prev hub" href="/feed"/>' +
                                '<entry><link href="/feed"/><id>x</id><updated>2020-01-01T00:00:00Z</updated></entry>' * 20000 + '</feed>'),
    'elements in elements': front_and(LINKS + '<div>' * MILLION),
    'formats in formats': front_and(LINKS + '<b><i><a href=/y><p>' * 200000),
    'tables in tables': front_and(LINKS + '<table><tr><td colspan=999999999 rowspan=999999999>' * 100000),
    'attributes': front_and(LINKS + '<p ' + ' '.join(f'a{i}=b' for i in range(MILLION)) + '>'),
    'one attribute': front_and(LINKS + '<p title="' + 'a&amp;' * 1500000 + '">'),
    'a comment that does not end': front_and(LINKS + '<!--' + '--!' * 2000000),
    'a script that does not end': front_and(LINKS + '<script>' + '<!--<script>' * 500000),
    'a title of megabytes': front_and(LINKS + '<title>' + 'word ' * 1500000),
    'one word': front_and(LINKS + '<p>' + 'w' * 8000000),
    'references to characters': front_and(LINKS + '<p>' + '&#x10ffff;&NotEqualTilde&#0;' * 250000),
    'JSON-LD in JSON-LD': front_and(LINKS + '<script type="application/ld+json">' + '{"@graph":[' * 90000 + '</script>'),
    'scripts of JSON-LD': front_and(LINKS + '<script type="application/ld+json">{"@type":"Product","offers":{"price":1}}</script>' * 60000),
    'addresses that are none': front_and(LINKS + many('<a href="javascript:%d">') + many('<a href="data:text/html,%d">') + '<a href="data:text/html;base64,' + 'A' * 1000000 + '">x</a>'),
    'a base that is none': front_and('<base href="javascript:alert(1)"><base href="data:,x"><base href="//"><base href="http://[">' + LINKS),
    'paths that grow': says({'/robots.txt': answer('', status='404 Not Found'), '/': lambda s, c, p: answer(f'<a href="{p}a/">a</a><a href="{p}b/">b</a><a href="{p}?{p}">c</a><a href="..{p}{p}">d</a>')}),
    'a calendar without end': says({'/robots.txt': answer('', status='404 Not Found'), '/': lambda s, c, p: answer(''.join(f'<a href=/c?d={random.randrange(10 ** 12)}&n={i}>day {i}</a> ' for i in range(300)))}),
    'canonical of all others': front_and(LINKS + many('<link rel=canonical href=/c%d>') + many('<meta http-equiv=refresh content="0;url=/r%d">')),
    'sizes of pictures': front_and(LINKS + '<img srcset="' + ', '.join(f'/i{i} {i}w' for i in range(300000)) + '">'),
    'dates and prices': front_and(LINKS + many('<p><time datetime=2020-01-01>1 January 2020, 12:00</time>, price 12.%d EUR')),
    'languages': front_and('<html lang="' + 'x-' * 100000 + '">' + LINKS + many('<link rel=alternate hreflang=xx-%d href=/l>')),
    'half characters': front_and(LINKS.encode() + b'<meta charset=utf-8><p>' + b'\xf0\x9f\x92' * 2000000),
    'states of ISO-2022': front_and(LINKS.encode() + b'<meta charset=iso-2022-jp><p>' + b'\x1b$B\x1b(B' * 1000000),
    'text that turns': front_and(LINKS + '<title>\u202e\u2066gpj.exe\u009b2J</title><p>' + '\u202e\u0301' * 1000000),
    'domains that look alike': front_and(LINKS + '<a href="http://\u0430\u0440\u0440\u04cf\u0435.example/">apple.example</a>' + many('<a href="http://xn--80ak6aa92e%d.example/">x</a>')),
}

# --- TLS ---

class Libssl:
    """Of a handshake more than the ssl of Python lets one do."""
    RENEGOTIATE, KEYS, TICKETS = 'SSL_renegotiate', 'SSL_key_update', 'SSL_new_session_ticket'
    def __init__(self):
        self.lib = ctypes.CDLL(ctypes.util.find_library('ssl'))
        for name in ('TLS_server_method', 'SSL_CTX_new', 'SSL_new'):
            getattr(self.lib, name).restype = ctypes.c_void_p
    def speak(self, what):
        lib = self.lib
        def speak(server, plain):
            plain.settimeout(None)
            ctx = ctypes.c_void_p(lib.SSL_CTX_new(ctypes.c_void_p(lib.TLS_server_method())))
            lib.SSL_CTX_use_certificate_file(ctx, certificate.encode(), 1)
            lib.SSL_CTX_use_PrivateKey_file(ctx, certificate.replace('cert', 'key').encode(), 1)
            if what == self.RENEGOTIATE:
                lib.SSL_CTX_ctrl(ctx, 124, 0x303, None)  # no TLS beyond 1.2
            tls = ctypes.c_void_p(lib.SSL_new(ctx))
            lib.SSL_set_fd(tls, plain.fileno())
            server.note('tls')
            head = ctypes.create_string_buffer(65536)
            if lib.SSL_accept(tls) != 1 or lib.SSL_read(tls, head, len(head)) <= 0:
                return
            lib.SSL_write(tls, OK + b'\r\n', len(OK) + 2)
            while not server.over.is_set():
                asked = lib.SSL_key_update(tls, 1) if what == self.KEYS else getattr(lib, what)(tls)
                if asked != 1 or lib.SSL_do_handshake(tls) != 1 or lib.SSL_write(tls, b' ', 1) != 1:
                    return
        return speak, 'https', 1

def large_certificate(names):
    def speak(server, plain):
        server.note('tls')
        where = os.path.join(os.path.dirname(certificate), f'large{names}.pem')
        if not os.path.exists(where):
            with open(where + '.cnf', 'w') as file:
                file.write('[req]\ndistinguished_name=dn\nprompt=no\nx509_extensions=x\n[dn]\nCN=forage test\n[x]\nsubjectAltName=@names\n[names]\nIP=127.0.0.2\n')
                file.writelines(f'DNS.{i}=n{i}.of.the.forage.test.example\n' for i in range(names))
            subprocess.run(['openssl', 'req', '-x509', '-new', '-key', certificate.replace('cert', 'key'), '-out', where, '-days', '2',
                            '-config', where + '.cnf'], check=True, capture_output=True)
        large = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        large.load_cert_chain(where, certificate.replace('cert', 'key'))
        large.wrap_socket(plain, server_side=True).recv(1)
    return speak, 'https', 1

def raw_tls(piece, start=b'', pause=0):
    def speak(server, plain):
        server.note('tls')
        plain.recv(65536)
        forever(server, plain, piece, start, pause)
    return speak, 'https', 1

def tls_cases():
    libssl = Libssl()
    return {
        'renegotiation': libssl.speak(Libssl.RENEGOTIATE),
        'new keys': libssl.speak(Libssl.KEYS),
        'tickets': libssl.speak(Libssl.TICKETS),
        'a certificate of a megabyte': large_certificate(30000),
        'a hello of single bytes': raw_tls(b'\x16\x03\x03\0\x01\x02' * 1000, b'\x16\x03\x03\0\x04\x02\xff\xff\xff'),
        'warnings': raw_tls(b'\x15\x03\x03\0\x02\x01\x5a' * 1000),
        'empty records': raw_tls(b'\x16\x03\x03\0\0' * 1000),
        'a hello that trickles': raw_tls(b'\x16', b'', 1),
    }

# --- HTTP/2, a frame at a time (RFC 9113) ---

DATA, HEADERS, PRIORITY, RST_STREAM, SETTINGS, PUSH_PROMISE, PING, GOAWAY, WINDOW_UPDATE, CONTINUATION = range(10)
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
    'resets without end': h2_forever(begin, lambda s: frame(RST_STREAM, 0, s, struct.pack('>I', 8)) * 500),
    'priorities in a circle': h2_forever(begin, lambda s: frame(PRIORITY, 0, s, struct.pack('>IB', s, 255)) * 500),
    'priorities of all streams': h2_forever(nothing, lambda s: b''.join(frame(PRIORITY, 0, 2 * i + 1, struct.pack('>IB', 2 * i + 3 | 1 << 31, 7)) for i in range(500))),
    'windows that change': h2_forever(nothing, lambda s: (frame(SETTINGS, 0, 0, struct.pack('>HI', 4, 0)) + frame(SETTINGS, 0, 0, struct.pack('>HI', 4, 0x7fffffff))) * 200),
    'a window too large': h2_sends(begin, lambda s: frame(WINDOW_UPDATE, 0, s, struct.pack('>I', 0x7fffffff)) * 3),
    'tables that change': h2_forever(nothing, lambda s: frame(SETTINGS, 0, 0, struct.pack('>HI', 1, 0)) + frame(HEADERS, END_HEADERS, s, b'\x20\x3f\xe1\x1f' * 1000)),
    'an integer without end': h2_sends(lambda s: frame(HEADERS, END_HEADERS, s, b'\x7f' + b'\xff' * 10000)),
    'NUL in headers over HTTP/2': h2_sends(lambda s: frame(HEADERS, END_HEADERS, s, HTML + literal(b'x-\0a', b'b\0c') + literal(b'Upper', b'x')), lambda s: frame(DATA, END_STREAM, s, b'<p>words')),
    'lengths that lie over HTTP/2': h2_sends(lambda s: frame(HEADERS, END_HEADERS, s, HTML + literal(b'content-length', b'99')), lambda s: frame(DATA, END_STREAM, s, b'<p>words')),
    'a stream of nobody': h2_forever(nothing, lambda s: frame(DATA, 0, s + 1000, b'words') * 500),
    'trailers without end': h2_forever(begin, lambda s: frame(HEADERS, END_HEADERS, s, literal(b'x', b'y')) * 200),
}
SHORT = ['a hundred thousand links', 'endless chunk extension', 'drops when reused', 'REFUSED_STREAM', 'empty DATA frames']

context = None

certificate = None

def make_certificate(folder):
    global context, certificate
    certificate, key = os.path.join(folder, 'cert.pem'), os.path.join(folder, 'key.pem')
    subprocess.run(['openssl', 'req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-keyout', key, '-out', certificate,
                    '-days', '2', '-subj', '/CN=forage test', '-addext', 'subjectAltName=IP:127.0.0.2'],
                   check=True, capture_output=True)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, key)
    context.set_alpn_protocols(['h2'])

class Crawl:
    """Of an honest server and, maybe, a hostile one."""
    def __init__(self, folder, address, speak=None, scheme='', met=0):
        self.met = met
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
    if len(crawl.bad.at) < crawl.met:
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
    cases = {**{name: (rude(attack), 'http', 3) for name, attack in HTTP1.items()},
             **{name: (h2(attack), 'https', 3) for name, attack in HTTP2.items()}, **SITES, **tls_cases()}
    wanted = options.case or (SHORT if options.short else list(cases))
    if options.list:
        print('\n'.join(cases))
        return 0
    bad = 0
    with tempfile.TemporaryDirectory() as folder:
        make_certificate(folder)
        for name in wanted:
            for attempt in range(options.attempts):
                alone = Crawl(folder, '127.0.0.4')
                crawl = Crawl(folder, '127.0.0.3', *cases[name])
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
