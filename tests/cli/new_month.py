"""Two sites whose lists are deep inside, for new_month.sh.

    new_month.py SPEED ANCHOR

A register of decisions lists years, a year months, and a month what was put there; one
comes every quarter of an hour. A university has departments with a list of news each, and
nothing shows all of them. The clock runs SPEED times as fast as the wall's from ANCHOR on.
The addresses go to the file "urls"; what was published, and when, to "published" when the
server ends."""
import http.server
import os
import random
import signal
import sys
import threading
import time

speed, anchor = float(sys.argv[1]), float(sys.argv[2])
WORDS = ('rain river stone market council school harbour winter bridge museum forest letter garden train doctor '
         'music summer village paper teacher window island mountain kitchen morning').split()
DEPARTMENTS, EVERY = WORDS[:20], 900

def now():
    return anchor + (time.time() - anchor) * speed

begun = now()

def text(seed, n):
    r = random.Random(seed)
    return ' '.join(r.choice(WORDS) for _ in range(n))

def page(title, body, more=''):
    return ('<html lang="en"><head><title>%s</title></head><body><nav><a href="/">Start</a> <a href="/about">About</a> '
            '%s</nav><main>%s</main></body></html>' % (title, more, body))

def links(rows):
    return '<ul>%s</ul>' % ''.join('<li><a href="%s">%s</a></li>' % row for row in rows)

def decisions():
    """Newest first: address, title, time; thirty a month before the watch began."""
    times = [begun - 86400 * d for d in range(300)] + [begun + EVERY * i for i in range(1, 1 + int((now() - begun) / EVERY))]
    rows = []
    for at in times:
        title = text('d%d' % round(at - begun), 6)
        rows.append(('/decisions/%s/%s' % (time.strftime('%Y/%m', time.gmtime(at)), title.replace(' ', '-')), title.capitalize(), at))
    return sorted(rows, key=lambda row: -row[2])

def register(path):
    rows, part = decisions(), path.strip('/').split('/')
    for u, t, _ in rows:
        if path == u:
            return page(t, '<h1>%s</h1><p>%s</p>' % (t, text(u, 150)), '<a href="/decisions/">Decisions</a>')
    if path == '/decisions/' or (part[0] == 'decisions' and len(part) == 2):
        below = sorted({'/'.join(u.split('/')[:len(part) + 2]) + '/' for u, _, _ in rows if u.startswith(path)})
        return page('Decisions', links((u, u.split('/')[-2]) for u in below), '<a href="/decisions/">Decisions</a>')
    if part[0] == 'decisions' and len(part) == 3:
        found = [(u, t) for u, t, _ in rows if u.startswith(path)]
        return page('Decisions', links(found), '<a href="/decisions/">Decisions</a>') if found else None
    return page('Register', '<p>%s</p>' % text(path, 60), '<a href="/decisions/">Decisions</a>') if path in ('/', '/about') else None

def university(path):
    if path == '/':
        return page('University', '<h1>Welcome</h1><p>%s</p><a href="/dept/">Departments</a>' % text(path, 60))
    if path == '/dept/':
        return page('Departments', links(('/dept/%s/' % d, 'Department of ' + d) for d in DEPARTMENTS))
    part = path.strip('/').split('/')
    if part[0] != 'dept' or len(part) < 2 or part[1] not in DEPARTMENTS:
        return page('About', '<p>%s</p>' % text(path, 60)) if path == '/about' else None
    own = '/dept/%s/' % part[1]
    more = '<a href="%s">%s</a> <a href="%snews/">News</a> <a href="%sstaff">Staff</a>' % (own, part[1], own, own)
    news = [(own + 'news/' + text(own + str(i), 4).replace(' ', '-'), text(own + str(i), 4)) for i in range(8)]
    if path == own + 'news/':
        return page('News', links(news), more)
    if path in (own, own + 'staff') or path in dict(news):
        return page(part[-1].replace('-', ' '), '<h1>%s</h1><p>%s</p>' % (part[-1], text(path, 150)), more)
    return None

class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = 'HTTP/1.1'
    def do_GET(self):
        body = self.server.site(self.path) if self.path != '/robots.txt' else None
        self.send_response(404 if body is None else 200)
        body = (body or '').encode()
        self.send_header('Content-Type', 'text/html; charset=utf-8')
        self.send_header('Content-Length', str(len(body)))
        self.end_headers()
        self.wfile.write(body)
    def log_message(self, *_):
        pass

sites = []
for site in (register, university):
    server = http.server.ThreadingHTTPServer(('127.0.0.1', 0), Handler)
    server.daemon_threads, server.site = True, site
    sites.append('http://127.0.0.1:%d' % server.server_address[1])
    threading.Thread(target=server.serve_forever, daemon=True).start()
with open('urls.new', 'w') as f:
    f.writelines('%s/\n' % s for s in sites)
os.rename('urls.new', 'urls')
signal.sigwait({signal.SIGTERM})
with open('published', 'w') as f:
    f.writelines('%d %s%s\n' % ((at - begun) / 60, sites[0], u) for u, _, at in decisions() if at > begun)
    f.write('%d end\n' % ((now() - begun) / 60))
