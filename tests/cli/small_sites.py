"""Small sites without dates and feeds, each with an oddity, for small_sites.sh.

    small_sites.py SPEED

A post comes to each every ten minutes of a clock that runs SPEED times as fast as the
wall's, begun by the first request. The addresses go to the file "urls", a line "NAME URL"
each; what was published, and when, to "published" when the server ends."""
import email.utils
import http.server
import random
import signal
import sys
import threading
import time

speed, begun = float(sys.argv[1]), [None]
WORDS = ('rain river stone market council school harbour winter bridge museum forest letter garden train doctor '
         'music summer village paper teacher window island mountain kitchen morning').split()

def text(seed, n):
    r = random.Random(seed)
    return ' '.join(r.choice(WORDS) for _ in range(n))

def minutes():
    return (time.time() - begun[0]) * speed / 60 if begun[0] else 0

def posts(name):
    """Newest first: address, title, when it came."""
    def post(i):
        title = text('%s %d' % (name, i), 5)
        address = '/' + title.title().replace(' ', '') if name == 'topics' else '/posts/' + title.replace(' ', '-')
        return address, title.capitalize(), (i - 7) * 10
    return [post(i) for i in range(8 + int(minutes() / 10))][::-1]

def page(title, body, head=''):
    return ('<html lang="en"><head><title>%s</title>%s</head><body><header><a href="/">Home</a> '
            '<a href="/about">About</a></header>%s</body></html>' % (title, head, body))

def entries(name, n, rel='', teaser=True, some=lambda at: True):
    return '<ul>%s</ul>' % ''.join('<li><a %s href="%s">%s</a> %s</li>' % (rel, u, t, text(u, 25) if teaser else '')
                                   for u, t, at in posts(name)[:n] if some(at))

def blog(name, path, home='/', n=8, behind='', rel=''):
    if path == home:
        return page('A blog', '<h1>A blog</h1>' + entries(name, n, rel) + behind)
    for u, t, _ in posts(name):
        if path == u:
            return page(t, '<article><h1>%s</h1><p>%s</p></article>%s' % (t, text(u + 'long', 120), behind))
    return page('About', '<p>About us and our work: %s.</p>' % text(path, 40)) if path.count('/') == 1 else None

FOOTER = '<footer><a href="/imprint">Imprint</a> <a href="/privacy">Privacy</a></footer>'
LOGIN = ('<h1>Log in</h1><form method="post" action="/login"><input name="user"><input type="password" name="pw">'
         '<button>Log in</button></form>')

def footer(path):
    return blog('footer', path, n=5, behind=FOOTER)

def pager(path):
    return blog('pager', path, n=6, behind='<a rel="next" href="/older">Older posts</a>')

def company(path):
    nav = '<nav><a href="/products">Products</a> <a href="/team">Team</a> <a href="/news/">News</a></nav>'
    if path == '/news/':
        return page('News', nav + '<h1>News</h1>' + ''.join(
            '<div><h3>%s</h3><p>%s</p><a href="%s">Read more</a></div>' % (t, text(u, 25), u) for u, t, _ in posts('company')[:6]))
    if path in ('/', '/products', '/team'):
        return page('ACME', nav + '<h1>ACME</h1><p>%s</p>' % text(path, 90))
    return blog('company', path, home='none')

def young(path):
    """A company whose page of news shows the last four."""
    nav = '<nav>%s</nav>' % ''.join('<a href="/%s">%s</a> ' % (p, p.title()) for p in (
        'products', 'team', 'careers', 'contact', 'service', 'partners', 'news'))
    if path == '/news':
        return page('News', nav + '<h1>News</h1>' + ''.join(
            '<article><h2><a href="%s">%s</a></h2><p>%s</p></article>' % (u, t, text(u, 25)) for u, t, _ in posts('young')[:4]))
    if path == '/products':
        return page('Products', nav + '<h1>Products</h1>' + ''.join('<a href="/products/pump-%s">Pump %s</a> ' % (x, x) for x in 'abcdefgh'))
    if path == '/' or path.startswith('/products/') or path[1:] in nav and path.count('/') == 1:
        return page('ACME', nav + '<h1>ACME</h1><p>%s</p>' % text(path, 90))
    body = blog('young', path, home=None)
    return body and body.replace('<body>', '<body>' + nav)

def maintenance(path):
    if path == '/maintenance.html':
        return page('Maintenance', '<h1>Back soon</h1><p>We are working on the site.</p>')
    return '/maintenance.html' if minutes() < 8 else blog('maintenance', path)

def refresh(path):
    if path == '/':
        return '<html><head><meta http-equiv="refresh" content="0; url=/blog/"></head></html>'
    return blog('refresh', path, home='/blog/')

def box(path):
    return blog('box', path, behind=LOGIN.replace('h1', 'h3'))

def archive(path):
    """Below the list stand five of many old posts, others every ten minutes."""
    old = {'/posts/' + t.replace(' ', '-'): t for t in (text('old %d' % i, 5) for i in range(300))}
    item = lambda u, t: '<div><h3><a href="%s">%s</a></h3><p>%s</p></div>' % (u, t, text(u, 25))
    if path == '/':
        drawn = random.Random(int(minutes() / 10)).sample(sorted(old.items()), 5)
        return page('A paper', '<h1>A paper</h1><section>%s</section><section><h2>From the archive</h2>%s</section>' % (
            ''.join(item(u, t) for u, t, _ in posts('archive')[:8]), ''.join(item(u, t) for u, t in drawn)))
    if path in old:
        return page(old[path], '<article><h1>%s</h1><p>%s</p></article>' % (old[path], text(path + 'long', 120)))
    return blog('archive', path)

def wall(path):
    return page('Log in', LOGIN) if path.startswith('/login') else '/login?next=/'

def refresh_wall(path):
    if path.startswith('/login'):
        return page('Log in', LOGIN)
    return '<html><head><meta http-equiv="refresh" content="0; url=/login"></head></html>'

def nofollow(path):
    return blog('nofollow', path, rel='rel="nofollow"')

def cached(path):
    """Behind a cache that calls everything unmodified, whatever has happened."""
    return blog('cached', path)

def proxied(path):
    """All it has is a feed, and its addresses go through another host."""
    if path == '/feed':
        items = ''.join('<item><title>%s</title><link>%s%s</link></item>' % (t, sites['counter'], u)
                        for u, t, _ in posts('proxied')[:8])
        return '<?xml version="1.0"?><rss version="2.0"><channel><title>B</title>%s</channel></rss>' % items
    if path == '/':
        return page('A company', '<p>%s</p>' % text('company', 80),
                    '<link rel="alternate" type="application/rss+xml" href="/feed">')
    return blog('proxied', path, home=None)

def walled(path):
    """Its feed tells all; what it tells of needs consent, or a browser, or is forbidden."""
    if path == '/feed':
        items = ''.join('<item><title>%s</title><link>%s%s</link><pubDate>%s</pubDate></item>' % (
            t, sites['walled'], u, email.utils.formatdate(begun[0] + at * 60)) for u, t, at in posts('walled')[:8])
        return '<?xml version="1.0"?><rss version="2.0"><channel><title>W</title>%s</channel></rss>' % items
    if path == '/':
        return page('A paper', '<h1>A paper</h1>' + entries('walled', 8),
                    '<link rel="alternate" type="application/rss+xml" href="/feed">')
    if path.startswith('/consent'):
        return page('Zustimmung', '<h1>Lesen mit Werbung</h1><p>Mit Ihrer Zustimmung verarbeiten wir Cookies.</p>',
                    '<meta name="robots" content="noindex">')
    for u, _, at in posts('walled'):
        if path == u:
            return ('/consent?return=' + u, '403',
                    '<html><head><title>App</title><script src="/app.js"></script></head><body><noscript>You need to enable '
                    'JavaScript.</noscript><div id="root"></div></body></html>')[at // 10 % 3]
    return None

def late(path):
    """Its list is written before its posts: each is there only after it was first asked for."""
    if path.startswith('/posts/') and path not in asked:
        asked.add(path)
        return None
    return blog('late', path)

def abroad(name, hours, path):
    """Its dates are those of a place so many hours ahead, and do not say so."""
    local = lambda at: time.strftime('%Y-%m-%d %H:%M:%S', time.gmtime(begun[0] + at * 60 + hours * 3600))
    if path == '/feed':
        items = ''.join('<item><title>%s</title><link>%s%s</link><pubDate>%s</pubDate></item>' % (t, sites[name], u, local(at))
                        for u, t, at in posts(name)[:8])
        return '<?xml version="1.0"?><rss version="2.0"><channel><title>A</title>%s</channel></rss>' % items
    if path == '/':
        return page('A paper', '<h1>A paper</h1>' + entries(name, 8),
                    '<link rel="alternate" type="application/rss+xml" href="/feed">')
    for u, t, at in posts(name):
        if path == u:
            return page(t, '<article><h1>%s</h1><p>%s</p></article>' % (t, text(u + 'long', 120)),
                        '<meta property="article:published_time" content="%s">' % local(at))
    return None

def east(path):
    return abroad('east', 9, path)

def west(path):
    return abroad('west', -8, path)

def languages(path):
    """The front page is in one language, and what comes is in another."""
    if path == '/':
        return page('A company', '<p>%s</p><p><a href="/de/">Deutsch</a> <a href="/fr/">Fran&ccedil;ais</a></p>' % text('company', 80),
                    '<link rel="alternate" hreflang="de" href="/de/"><link rel="alternate" hreflang="fr" href="/fr/">')
    if path == '/fr/':
        return page('Une entreprise', '<p>%s</p>' % text('entreprise', 80))
    return blog('languages', path, home='/de/')

def topics(path):
    """A wiki: what comes is noted on one of three pages that look like any other. What it offers beside
    them looks the same, and is forbidden by robots.txt."""
    tools = ''.join('<a href="/_%s">%s</a> ' % (t, t) for t in 'index activity categories random upload login logout help changes users settings'.split())
    names = ['Lab', 'Projects', 'Team']
    if path == '/robots.txt':
        return 'User-agent: *\nDisallow: /_\n'
    if path == '/':
        return page('Wiki', tools + '<h1>Wiki</h1><p>%s</p><ul>%s</ul>' % (
            text('wiki', 80), ''.join('<li><a href="/%s">%s</a></li>' % (n, n) for n in names)))
    for k, name in enumerate(names):
        if path == '/' + name:
            return page(name, tools + '<h1>%s</h1><p>Pages about it.</p>%s<ul>%s</ul>' % (
                name, entries('topics', None, teaser=False, some=lambda at: at // 10 % 3 == k), ''.join(
                    '<li><a href="/Old%s">Old one</a></li>' % text('%s %d' % (name, i), 3).title().replace(' ', '') for i in range(20))))
    body = blog('topics', path, home=None)
    return body and body.replace('<body>', '<body>' + tools)

asked = set()

def counter(path):
    return sites['proxied'] + path

class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = 'HTTP/1.1'
    def do_GET(self):
        begun[0] = begun[0] or time.time()
        has_it = self.path != '/robots.txt' or self.server.site is topics
        body = self.server.site(self.path) if has_it else None
        leads = body is not None and body.startswith(('/', 'http:'))
        is_cached = self.server.site is cached
        if is_cached and self.headers.get('If-None-Match'):
            body = ''
            self.send_response(304)
        else:
            self.send_response(404 if body is None else 302 if leads else 403 if body == '403' else 200)
        if is_cached:
            self.send_header('ETag', '"1"')
        if leads:
            self.send_header('Location', body)
        body = ('' if leads or body is None else body).encode()
        self.send_header('Content-Type', 'text/xml' if body.startswith(b'<?xml') else 'text/html; charset=utf-8')
        self.send_header('Content-Length', str(len(body)))
        self.end_headers()
        self.wfile.write(body)
    def log_message(self, *_):
        pass

sites = {}
for site in (footer, pager, company, young, maintenance, refresh, box, archive, cached, proxied, walled, late, east, west, languages,
             topics, counter, wall,
             refresh_wall, nofollow):
    server = http.server.ThreadingHTTPServer(('127.0.0.1', 0), Handler)
    server.daemon_threads, server.site = True, site
    sites[site.__name__] = 'http://127.0.0.1:%d' % server.server_address[1]
    threading.Thread(target=server.serve_forever, daemon=True).start()
with open('urls.new', 'w') as f:
    f.writelines('%s %s/\n' % s for s in sites.items() if s[0] != 'counter')
__import__('os').rename('urls.new', 'urls')
signal.sigwait({signal.SIGTERM})
with open('published', 'w') as f:
    for name in ('footer', 'pager', 'company', 'young', 'maintenance', 'refresh', 'box', 'archive', 'cached', 'proxied', 'walled',
                 'late', 'east', 'west', 'languages', 'topics'):
        f.writelines('%s %d %s%s\n' % (name, at, sites[name], u) for u, _, at in posts(name) if at > 0)
    f.write('end %d -\n' % minutes())
