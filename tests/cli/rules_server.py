"""Two small sites on loopback for tests/cli/rules.sh and noise.sh; their addresses are
written to the file urls. Some pages change at every request."""
import http.server
import itertools
import os
import threading

count = itertools.count(1)
other = None
class H(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        n = next(count)
        words = ' '.join(word(5000 + i) for i in range(300))
        links = ''.join('<a href="%s">l</a> ' % p for p in self.links())
        pages = {
            '/robots.txt': '# who\nUser-agent: *\nDisallow: /private\nAllow: /private/open\n',
            '/clock': '<main><p>%s</p><p class=clock>now %s</p></main>' % (words, word(n)),
            '/line': '<main><p>%s</p><p>seen by %s</p></main>' % (words, word(n)),
            '/small': '<main><p>%s %s</p></main>' % (words, word(n)),
            '/large': '<main><p>%s</p></main>' % ' '.join(word(n + i) for i in range(300)),
        }
        body = pages.get(self.path)
        if body is None:
            body = '<title>%s</title><p>%s %s</p>' % (self.path, self.path, links)
        body = body.encode()
        self.send_response(200)
        self.send_header('Content-Type', 'text/plain' if self.path == '/robots.txt' else 'text/html')
        self.send_header('Content-Length', str(len(body)))
        self.end_headers()
        self.wfile.write(body)
    def links(self):
        if self.path in ('/', '/news/'):
            return ['/news/%d' % i for i in range(9)] + ['/print/1', '/private/x', other + '/']
        return ['/']
    def log_message(self, *a): pass
def word(n): # letters only: figures do not count
    return ''.join(chr(97 + int(d)) for d in '%06d' % (n * 7919 % 999983)) + 'q'
a = http.server.ThreadingHTTPServer(('127.0.0.1', 0), H)
b = http.server.ThreadingHTTPServer(('127.0.0.1', 0), H)
other = 'http://127.0.0.1:%d' % b.server_port
threading.Thread(target=b.serve_forever, daemon=True).start()
open('urls.tmp', 'w').write('http://127.0.0.1:%d\n%s\n' % (a.server_port, other))
os.rename('urls.tmp', 'urls')
a.serve_forever()
