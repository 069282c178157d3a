"""Sites on loopback from which nothing can come, each for another reason, and one that is
well, for tests/cli/alarms.sh. "NAME ADDRESS" of each is written to the file urls; a file
named open lets those in that were refused."""
import http.server
import os
import threading

ROBOTS = 'User-agent: *\nCrawl-delay: 0.1\nSitemap: /sitemap.xml\n'
SHELL = ('<!DOCTYPE html><html><head><title>App</title><script src="/app.js"></script></head>'
         '<body><noscript>You need to enable JavaScript to run this app.</noscript>'
         '<div id="root"></div></body></html>')
LOGIN = ('<!DOCTYPE html><title>Sign in</title><form method=post action=/login><input name=user>'
         '<input type=password name=password><button>Sign in</button></form>')


def articles():
    return ''.join('<li><a href="/a/%d.html">Article number %d of this small site</a></li>' % (i, i)
                   for i in range(20))


def hub(head=''):
    return ('<!DOCTYPE html><html><head><title>News</title>%s</head><body><main><ul>%s</ul></main>'
            '</body></html>' % (head, articles()))


def article(path):
    return '<!DOCTYPE html><title>%s</title><main><p>%s</p></main>' % (path, ('words of ' + path + ' ') * 40)


class Site(http.server.BaseHTTPRequestHandler):
    def answer(self):
        name, path, is_open = self.server.name, self.path, os.path.exists('open')
        base = 'http://127.0.0.1:%d' % self.server.server_port
        if path == '/robots.txt':
            if name == 'robots' and not is_open:
                return 200, 'User-agent: *\nDisallow: /\n'
            return (200, ROBOTS) if name == 'well' else (404, '')
        if name == 'forbidden' and not is_open:
            return 403, 'no'
        if name == 'missing' and not is_open:
            return 404, 'nothing here'
        if path.startswith('/a/'):
            return 200, article(path)
        if name == 'well' and path == '/sitemap.xml':
            return 200, ('<?xml version="1.0"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">'
                         '%s</urlset>' % ''.join('<url><loc>%s/a/%d.html</loc></url>' % (base, i) for i in range(20)))
        if name == 'well' and path == '/feed.xml':
            return 200, ('<?xml version="1.0"?><rss version="2.0"><channel><title>t</title><link>%s/</link>'
                         '<description>d</description>%s</channel></rss>' % (base, ''.join(
                             '<item><title>n</title><link>%s/a/%d.html</link></item>' % (base, i) for i in range(9))))
        if path != '/':
            return 404, 'nothing here'
        return 200, {'login': LOGIN, 'script': SHELL,
                     'nofollow': hub('<meta name=robots content=nofollow>'),
                     'well': hub('<link rel=alternate type=application/rss+xml href=/feed.xml>')}.get(name, hub())

    def do_GET(self):
        status, body = self.answer()
        body = body.encode()
        kind = 'text/plain' if self.path == '/robots.txt' else 'text/xml' if '.xml' in self.path else 'text/html'
        self.send_response(status)
        self.send_header('Content-Type', kind)
        self.send_header('Content-Length', str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *args):
        pass


with open('urls.tmp', 'w') as urls:
    for name in ('forbidden', 'missing', 'login', 'nofollow', 'script', 'robots', 'well'):
        server = http.server.ThreadingHTTPServer(('127.0.0.1', 0), Site)
        server.name = name
        urls.write('%s http://127.0.0.1:%d/\n' % (name, server.server_port))
        threading.Thread(target=server.serve_forever, daemon=True).start()
os.rename('urls.tmp', 'urls')
threading.Event().wait()
