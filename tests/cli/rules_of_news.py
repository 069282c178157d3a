"""Small sites on loopback that publish, for rules_of_news.sh and rules_of_budget.sh.

    rules_of_news.py SPEED SITE...

The address of each site is written to the file "sites", a line "NAME=URL" each, together
with the anchor of a clock that runs SPEED times as fast as the wall's; every request goes
to the file "requests": seconds since the site was first asked for a page, site, path; and
when that was, to the file "begun". A number after the name of a site makes another one.
What a site publishes comes so many minutes after that first request, in the time of that
clock, however slow the machine is."""
import datetime
import http.server
import itertools
import os
import random
import sys
import threading
import time

anchor, speed = int(time.time()), float(sys.argv[1])
log_lock = threading.Lock()
random_number = itertools.count(1)

def now():
    return anchor + (time.time() - anchor) * speed

def iso(t):
    return datetime.datetime.fromtimestamp(t, datetime.timezone.utc).strftime('%Y-%m-%dT%H:%M:%SZ')

def prose(seed, n=160):
    r = random.Random(seed)
    words = ('rain river stone market council school harbour winter bridge museum forest letter garden '
             'train doctor music summer village paper teacher window island mountain kitchen morning').split()
    text = ' '.join(r.choice(words) + ('. The' if i % 12 == 11 else '') for i in range(n))
    return '<p>The %s.</p><p>It was said of %s that %s.</p>' % (text[:len(text) // 2], seed, text[len(text) // 2:])

def page(title, body, head='', lang='en'):
    return ('<!doctype html><html lang="%s"><head><title>%s</title>%s</head><body><nav><a href="/">Home</a> '
            '<a href="/about">About</a></nav>%s<footer>Contact us</footer></body></html>' % (lang, title, head, body))

def article(title, seed, published=None, more='', head='', how='meta'):
    if published is not None and how == 'meta':
        head += '<meta property="article:published_time" content="%s">' % iso(published)
    if published is not None and how == 'json-ld':
        head += ('<script type="application/ld+json">{"@context":"https://schema.org","@type":"NewsArticle",'
                 '"headline":"%s","datePublished":"%s"}</script>' % (title, iso(published)))
    return page(title, '<main><article><h1>%s</h1>%s%s</article></main>' % (title, prose(seed), more), head)

def listing(title, links, head='', more=''):
    rows = ''.join('<li><h2><a href="%s">%s</a></h2></li>' % l for l in links)
    return page(title, '<main><h1>%s</h1><ul>%s</ul>%s</main>' % (title, rows, more), head)

def rss(base, entries):
    items = ''.join('<item><title>%s</title><link>%s%s</link><pubDate>%s</pubDate></item>' %
                    (t, base, p.replace('&', '&amp;'),
                     datetime.datetime.fromtimestamp(d, datetime.timezone.utc).strftime('%a, %d %b %Y %H:%M:%S +0000'))
                    for p, t, d in entries)
    return '<?xml version="1.0"?><rss version="2.0"><channel><title>Feed</title>%s</channel></rss>' % items

YEAR = 365 * 86400

class Site:
    """A site: `get` gives the body of a path, or None. `age` is in minutes."""
    def __init__(self):
        self.begin = None  # when it was first asked for a page
    def at(self, minutes):
        return self.begin + 60 * minutes
    def age(self):
        return (now() - self.begin) / 60

class Blog(Site):
    """Articles that carry dates, a feed and a sitemap; old things and things that are no
    articles come up beside new ones."""
    seed = '/front'
    FEED = '<link rel="alternate" type="application/rss+xml" href="/feed.xml">'
    def get(self, path, query, base):
        age, old = self.age(), self.begin - YEAR
        stock = [('/story/stock-of-old-%d' % i, 'Stock %d' % i) for i in range(12)]
        links, feed = list(stock) + [('/topic.php?t=5', 'Topic')], [(p, t, old) for p, t in stock]
        if age >= 0.5:
            links.insert(0, ('/story/early-bird', 'An early bird'))
            feed.insert(0, ('/story/early-bird', 'An early bird', self.at(0.5)))
        if age >= 12:
            links[:0] = [
                ('/story/fresh-from-the-press?utm_source=home', 'Fresh'), ('/story/old-by-json-ld', 'Old A'),
                ('/story/old-by-meta-element', 'Old B'), ('/2024/03/05/old-by-its-address', 'Old C'),
                ('/story/old-by-the-feed', 'Old D'), ('/story/old-by-the-sitemap', 'Old E'),
                ('/tag/weather', 'Weather'), ('/login?to=fresh', 'Log in'),
                ('/story/fresh-from-the-press?print=1', 'Print'), ('/share?u=fresh', 'Share'),
                ('/story/fresh-from-the-press?action=edit', 'Edit'), ('/story/not-to-be-indexed', 'Hidden'),
                ('/story/here-for-a-while', 'Moved')]
            feed[:0] = [('/story/in-the-feed-alone', 'Feed alone', self.at(12)), ('/topic.php?t=5&start=10', 'A reply', self.at(12)), ('/story/old-by-the-feed', 'Old D', old)]
        at_12 = self.at(12)
        fresh = ('Fresh from the press', 'fresh', at_12)
        pages = {
            '/front': lambda: listing('Front', links, self.FEED),
            '/': lambda: listing('Home', links, self.FEED),
            '/about': lambda: article('About', 'about'),
            '/feed.xml': lambda: rss(base, feed),
            '/sitemap.xml': lambda: '<?xml version="1.0"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">' +
                ''.join('<url><loc>%s%s</loc><lastmod>%s</lastmod></url>' % (base, p, iso(old))
                        for p in [p for p, t in stock] + (['/story/old-by-the-sitemap'] if age >= 8 else [])) + '</urlset>',
            '/story/early-bird': lambda: article('An early bird', 'early', self.at(0.5)),
            '/story/fresh-from-the-press': lambda: article(*fresh, head='<link rel="canonical" href="%s/story/fresh-from-the-press">' % base),
            '/story/in-the-feed-alone': lambda: article('In the feed alone', 'alone', at_12, how='json-ld'),
            '/story/old-by-json-ld': lambda: article('Old A', 'old a', old, how='json-ld'),
            '/story/old-by-meta-element': lambda: article('Old B', 'old b', old),
            '/2024/03/05/old-by-its-address': lambda: article('Old C', 'old c'),
            '/story/old-by-the-feed': lambda: article('Old D', 'old d'),
            '/story/old-by-the-sitemap': lambda: article('Old E', 'old e'),
            '/tag/weather': lambda: listing('Weather', stock[3:]),
            '/login': lambda: page('Log in', '<main><form><input name=u><input type=password name=p></form></main>'),
            '/share': lambda: page('Share', '<main><h1>Share this</h1><form><input name=to></form></main>'),
            '/story/not-to-be-indexed': lambda: article('Hidden', 'hidden', at_12, head='<meta name=robots content=noindex>'),
            '/story/here-for-a-while': lambda: 'LOCATION /story/where-it-moved-to',
            '/story/where-it-moved-to': lambda: article('Moved', 'moved', at_12),
        }
        if path == '/story/fresh-from-the-press' and query.startswith('action'):
            return page('Edit', '<main><form><textarea rows=30 cols=80>x</textarea><button>Save page</button></form></main>')
        if path == '/story/fresh-from-the-press' and query.startswith('print'):
            return article('Fresh from the press (print)', 'fresh', at_12)
        if path == '/topic.php':
            return article('Topic', query, at_12 if 'start' in query else old)
        if path.startswith('/story/stock-of-old-'):
            return article('Stock ' + path[20:], path, old)
        return pages[path]() if path in pages else None

class Endless(Site):
    """A stock without end."""
    seed = '/'
    def get(self, path, query, base):
        n = int(path.rsplit('-', 1)[-1]) if path.rsplit('-', 1)[-1].isdigit() else 0
        if path not in ('/', '/about') and '-' not in path:
            return None
        links = [('/%s/item-about-things-%d' % ('abcdefgh'[i % 8], n * 10 + i), 'Item %d' % i) for i in range(1, 11)]
        links += [('/list/all-%d' % (n * 10 + i), 'List %d' % i) for i in range(1, 11)]
        if path == '/' or path.startswith('/list/'):
            return listing('List %d' % n, links)
        return article('Item %d' % n, path, more='<ul>%s</ul>' % ''.join('<li><a href="%s">%s</a></li>' % l for l in links))

class Paper(Site):
    """A page every ten minutes, on a list without dates."""
    seed = '/'
    def get(self, path, query, base):
        n = 100 + int(self.age() / 10)
        links = [('/issue/number-of-the-day-%d' % i, 'Number %d' % i) for i in range(n, n - 15, -1)]
        if path == '/':
            return listing('Paper', links)
        if path.startswith('/issue/'):
            return article('Number %s' % path[25:], path)
        return article('About', 'about') if path == '/about' else None

class Torrent(Site):
    """A page every minute, and documents that change as often."""
    seed = '/'
    def get(self, path, query, base):
        n = 100 + int(self.age())
        if path == '/':
            return listing('Torrent', [('/issue/number-of-the-day-%d' % i, 'Number %d' % i) for i in range(n, n - 15, -1)])
        if path.startswith('/doc/'):
            return article('Document', '%s %d' % (path, n))
        return article('About ' + path, path) if path == '/about' or path.startswith('/issue/') else None

class Shop(Site):
    """Products that differ in title and price only; and one under two addresses. The list
    shows the prices, of which one changes."""
    seed = '/'
    def price(self, products, name):
        return 44 if name == 'red' and self.age() >= 7 else 20 + products[::-1].index(name)
    def get(self, path, query, base):
        products = ['red', 'blue', 'green', 'white', 'black', 'pink', 'brown', 'grey', 'gold', 'silver']
        if self.age() >= 12:
            products = ['teal', 'amber'] + products
        links = [('/product/chair-in-%s' % p, 'Chair, %s</a> <b>%d.00 EUR</b><a>' % (p, self.price(products, p))) for p in products]
        if self.age() >= 12:
            links.append(('/offers/again-chair-in-teal', 'Chair of the week'))
        name = path.rsplit('-', 1)[-1]
        if path == '/':
            return listing('Shop', links)
        if path == '/about':
            return article('About', 'about')
        if name in products:
            price = self.price(products, name)
            ld = ('<script type="application/ld+json">{"@context":"https://schema.org","@type":"Product","name":"Chair, %s",'
                  '"offers":{"@type":"Offer","price":"%d.00","priceCurrency":"EUR","availability":"https://schema.org/InStock"}}'
                  '</script>' % (name, price))
            return page('Chair, %s' % name, '<main><h1>Chair, %s</h1><p>%d.00 EUR</p>%s</main>' % (name, price, prose('chair', 60)), ld)
        return None

class Wiki(Site):
    """A feed that links to diffs; pages are noted on the start page; articles have a box
    of others that turns over."""
    seed = '/wiki.php?id=start'
    def get(self, path, query, base):
        names = ['page-%s%s' % (a, b) for a in 'alpha beta gamma zeta'.split() for b in ' on of at by to in up as so'.split(' ')]
        fresh = self.age() >= 12
        q = dict(p.split('=', 1) for p in query.split('&') if '=' in p)
        if path == '/wiki-feed.xml':
            entries = [('page-zeta', self.at(3))] + ([('page-omega', self.at(12))] if fresh else [])
            return rss(base, [('/wiki.php?id=%s&do=diff&rev=%d' % (n, d), n, d) for n, d in entries])
        if path not in ('/wiki.php', '/', '/about'):
            return None
        if fresh:
            names.insert(0, 'page-omega')
        name = q.get('id', 'start')
        feed = '<link rel="alternate" type="application/rss+xml" href="/wiki-feed.xml">'
        if path == '/wiki.php' and q.get('do') == 'diff':
            return page('Diff', '<main><h1>Differences</h1><table class=diff><tr><td>- a</td><td>+ b</td></tr></table></main>')
        if path == '/' or name == 'start':
            return listing('Start', [('/wiki.php?id=' + n, n) for n in names], feed)
        if name not in names:
            return None
        others = random.Random(int(self.age() / 3) * 100 + len(name)).sample(names[-40:], 8)
        box = '<aside><h3>Others read</h3><ul>%s</ul></aside>' % ''.join(
            '<li><a href="/wiki.php?id=%s">%s</a></li>' % (o, o) for o in others if o != name)
        return page(name, '<main><h1>%s</h1>%s%s</main>' % (name, prose(name), box), feed)

class Boxes(Site):
    """A list without dates that grows, and boxes of old things out of a large stock beside
    it on every page: one that is another each time, one that turns over now and then."""
    seed = '/'
    def get(self, path, query, base):
        n = 100 + int(self.age() / 10)
        news = [('/notice/about-our-event-%d' % i, 'Notice %d' % i) for i in range(n, n - 12, -1)]
        def box(title, seed, k):
            old = random.Random(seed).sample(range(3000), k)
            return '<aside><h3>%s</h3>%s</aside>' % (title, ''.join(
                '<p><a href="/archive/thing-of-the-past-%x">Thing %x</a></p>' % (i * 7919, i) for i in old))
        boxes = box('You may like', next(random_number), 5) + box('Rediscovered', int(self.age() / 14), 3)
        if path == '/':
            return listing('Notices', news, more=boxes)
        if path == '/about' or path.startswith('/notice/') or path.startswith('/archive/'):
            return article('About ' + path.rsplit('/', 1)[-1], path, more=boxes)
        return None

class Board(Site):
    """Threads without dates, the oldest first: what is new stands on the last page."""
    seed = '/'
    def get(self, path, query, base):
        words = 'amber birch cedar daisy ember fern grove hazel iris juniper'.split()
        names = ['%s-and-%s' % (a, b) for a in words for b in words if a != b][:73 + int(self.age() / 12)]
        last = (len(names) + 14) // 15
        pager = ' '.join('<a href="/forum?page=%d">%d</a>' % (n, n) for n in range(2, last + 1))
        if path == '/':
            return page('Board', '<main><h1>Board</h1><p><a href="/forum">All threads</a> <a href="/forum?page=%d">Latest</a></p></main>' % last)
        if path == '/forum':
            n = int(query[5:]) if query.startswith('page=') else 1
            shown = names[15 * n - 15:15 * n]
            return listing('Threads, page %d' % n, [('/thread/%s' % t, 'Thread on %s' % t) for t in shown], more=pager) if shown else None
        return article('Thread on ' + path[8:], path) if path[8:] in names or path == '/about' else None

class Calendar(Site):
    """A calendar without end."""
    seed = '/'
    def get(self, path, query, base):
        q = dict(p.split('=', 1) for p in query.split('&') if '=' in p)
        if path == '/':
            links = [('/report/about-the-matter-' + w, w) for w in 'one two three four five six seven eight'.split()]
            return listing('Reports', links, more='<a href="/calendar?month=1">Calendar</a>')
        if path == '/calendar':
            m = int(q.get('month', 0))
            days = ''.join('<td><a href="/calendar?month=%d&amp;day=%d">%d</a></td>' % (m, d, d) for d in range(1, 29))
            return page('Calendar', '<main><h1>Calendar</h1><table><tr>%s</tr></table><a href="/calendar?month=%d">next</a> '
                        '<a href="/calendar?month=%d">previous</a></main>' % (days, m + 1, m - 1))
        return article('Report ' + path, path, self.begin - YEAR) if path == '/about' or path.startswith('/report/') else None

class Session(Site):
    """Links with a session that has another name each time."""
    seed = '/'
    def get(self, path, query, base):
        token = '%016x' % (next(random_number) * 0x9E3779B97F4A7C15 % 2 ** 64)
        if path == '/':
            words = 'one two three four five six seven eight'.split()
            return listing('Reports', [('/report/about-the-matter-%s?visitor=%s' % (w, token), w) for w in words])
        return article('Report ' + path, path, self.begin - YEAR) if path == '/about' or path.startswith('/report/') else None

class Maze(Site):
    """Filters of one list that can be combined without end, and a list beside it that grows."""
    seed = '/'
    def get(self, path, query, base):
        n = 30 + int(self.age() / 10)
        things = [('/thing/made-of-many-%d' % i, 'Thing %d' % i) for i in range(n, n - 20, -1)]
        if path == '/':
            return listing('Things', things, more='<a href="/filter?a=1">Filter</a>')
        if path == '/filter':
            choice = '%s&amp;' % query.replace('&', '&amp;') if query else ''
            more = ' '.join('<a href="/filter?%s%s=%d">%s</a>' % (choice, k, random.randint(1, 9), k) for k in 'abcdefghabcdefgh')
            return listing('Filtered things', things[-10:], more=more)
        return article('About ' + path, path) if path == '/about' or path.startswith('/thing/') else None

class Volumes(Site):
    """Mails without dates in volumes of eight, which the first page lists, the oldest first."""
    seed = '/'
    def get(self, path, query, base):
        n = 100 + int(self.age() / 5)
        if path == '/':
            return page('Archive', '<main><h1>Archive</h1><ul>%s</ul></main>' % ''.join(
                '<li>Volume %d: <a href="/v%03d/date.html">by date</a></li>' % (v, v) for v in range(n // 8 + 1)))
        parts = path[1:].split('/')
        if len(parts) != 2 or not parts[0][1:].isdigit() or int(parts[0][1:]) > n // 8:
            return article('About', 'about') if path == '/about' else None
        first = int(parts[0][1:]) * 8
        mails = range(first, min(first + 8, n + 1))
        if parts[1] == 'date.html':
            return listing('Volume ' + parts[0], [('/%s/msg%05d.html' % (parts[0], i - first), 'Mail of number %d' % i) for i in mails])
        number = parts[1][3:8]
        return article('Mail ' + path, path) if number.isdigit() and int(number) < len(mails) else None

class Bylines(Site):
    """Stories without dates, of forty authors, each with a page of hers that has a number: it is
    met for the first time beside her next story."""
    seed = '/'
    def get(self, path, query, base):
        n = 300 + int(self.age() / 5)
        author = lambda i: 11 + random.Random(i).randrange(40)
        link = lambda i: '<h2><a href="/stories/story-of-number-%d">Story of number %d</a></h2>' % (i, i)
        name, number = path.rpartition('/')[0], path.rpartition('/')[2].rpartition('-')[2]
        if path == '/':
            return page('Stories', '<main><h1>Stories</h1>%s</main>' % ''.join(
                '<div>%s<p>by <a href="/author/%d">Writer %d</a></p><p>%s</p></div>' % (link(i), author(i), author(i), prose(i, 30))
                for i in range(n, n - 8, -1)))
        if name == '/author' and number.isdigit():
            return page('Writer ' + number, '<main><h1>Writer %s</h1>%s</main>' % (number, ''.join(
                '<div>%s<p>%s</p></div>' % (link(i), prose(i, 30)) for i in range(n, 0, -1) if author(i) == int(number))))
        if name == '/stories' and number.isdigit() and int(number) <= n:
            by = author(int(number))
            return article('Story of number ' + number, path, more='<p>by <a href="/author/%d">Writer %d</a></p>' % (by, by))
        return article('About', 'about') if path == '/about' else None

class Edited(Site):
    """Twenty minutes after publication the headline is another, and so are the words of the
    address. Two that have a number in common stand on the list side by side."""
    seed = '/'
    def words(self, i):
        return 'other-words' if i < 30 or self.age() >= (i - 29) * 8 + 20 else 'first-words'
    def get(self, path, query, base):
        n = 30 + int(self.age() / 8)
        links = [('/news/%s-%d' % (self.words(i), 10400 + i), '%s of %d' % (self.words(i), i)) for i in range(n, n - 15, -1)]
        if self.age() >= 40:
            links[n - 35:n - 35] = [('/news/in-red-20500', 'The red one'), ('/news/in-blue-20500', 'The blue one')]
        if path == '/':
            return listing('News', links)
        number = path.rpartition('-')[2]
        if path.startswith('/news/in-') and self.age() >= 40:
            return article(path, path, self.at(40))
        if not path.startswith('/news/') or not number.isdigit() or int(number) > 10400 + n:
            return article('About', 'about') if path == '/about' else None
        i = int(number) - 10400
        path_now = '/news/%s-%d' % (self.words(i), i + 10400)
        if path != path_now:
            return 'LOCATION ' + base + path_now
        return article('%s of %d' % (self.words(i), i), number, self.at((i - 30) * 8) if i > 30 else self.begin - YEAR)

class Chain(Site):
    """Each page leads to the next one, which is not there yet, before the list does. What
    the page about the site announces is not there for most of an hour."""
    seed = '/'
    def get(self, path, query, base):
        n = 130 + int(self.age() / 8)
        reports = [('/report?id=%d' % i, 'Report of number %d' % i) for i in range(n, n - 25, -1)]
        if self.age() >= 50:
            reports.insert(n - 136, ('/announced/', 'The announced one'))
        if path == '/':
            return listing('Reports', reports)
        if path == '/announced/' and self.age() >= 50:
            return article('The announced one', path)
        if path == '/report' and query[3:].isdigit() and int(query[3:]) <= n:
            i = int(query[3:])
            return article('Report of number %d' % i, query, more='<a href="/report?id=%d">Previous</a> <a href="/report?id=%d">Next</a>' % (i - 1, i + 1))
        return article('About', 'about', more='<a href="/announced/">Soon</a>') if path == '/about' else None

class Quiet(Site):
    """Nothing ever comes."""
    seed = '/'
    def get(self, path, query, base):
        old = self.begin - YEAR
        links = [('/essay/written-long-ago-%s' % w, w) for w in 'one two three four five six seven eight nine ten'.split()]
        if path == '/':
            return listing('Essays', links, '<link rel="alternate" type="application/rss+xml" href="/feed.xml">')
        if path == '/feed.xml':
            return rss(base, [(p, t, old) for p, t in links])
        return article(path, path, old) if path.startswith('/essay/') or path == '/about' else None

class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = 'HTTP/1.1'
    def do_GET(self):
        site, base = self.server.site, 'http://127.0.0.1:%d' % self.server.server_port
        path, _, query = self.path.partition('?')
        is_page = path != '/robots.txt' and not path.startswith('/.well-known')
        with log_lock:
            if site.begin is None and is_page:
                site.begin = now()
                with open('begun', 'a') as f:
                    f.write('%s %.3f\n' % (site.name, site.begin))
            with open('requests', 'a') as f:
                f.write('%.0f %s %s\n' % (now() - (site.begin or now()), site.name, self.path))
        robots = 'User-agent: *\nDisallow: /private\n'
        if isinstance(site, Blog):
            robots += 'Sitemap: %s/sitemap.xml\n' % base
        body = robots if path == '/robots.txt' else site.get(path, query, base) if is_page else None
        status = 200 if body is not None else 404
        body = (body or '').encode()
        self.send_response(302 if body.startswith(b'LOCATION ') else status)
        if body.startswith(b'LOCATION '):
            self.send_header('Location', body[9:].decode())
            body = b''
        kind = 'text/plain' if path == '/robots.txt' else 'application/xml' if path.endswith('.xml') else 'text/html; charset=utf-8'
        self.send_header('Content-Type', kind)
        self.send_header('Content-Length', str(len(body)))
        self.end_headers()
        self.wfile.write(body)
    def log_message(self, *a):
        pass

with open('sites.tmp', 'w') as f:
    f.write('anchor=%s\n' % iso(anchor))
    for name in sys.argv[2:]:
        server = http.server.ThreadingHTTPServer(('127.0.0.1', 0), Handler)
        server.site = {c.__name__.lower(): c for c in Site.__subclasses__()}[name.rstrip('0123456789')]()
        server.site.name = name
        f.write("%s='http://127.0.0.1:%d'\n" % (name, server.server_port))
        f.write("%s_seed='http://127.0.0.1:%d%s'\n" % (name, server.server_port, server.site.seed))
        threading.Thread(target=server.serve_forever, daemon=True).start()
os.rename('sites.tmp', 'sites')
threading.Event().wait()
