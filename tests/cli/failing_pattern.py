"""A site on loopback whose calendar leads to 28 days that all fail, for
tests/cli/failing_pattern.sh: mode 500 answers so, mode drop closes the connection. A new
article stands on the home page after every five looks at it. Requests
are written to the file requests, one path a line; the address to the file url."""
import http.server
import os
import sys
import threading

MODE, LOOKS_FOR_ONE = sys.argv[1], 5
lock, looks = threading.Lock(), 0
log = open('requests', 'w', buffering=1)


def newest():
    return 12 + looks // LOOKS_FOR_ONE


def links():
    return ''.join('<li><a href="/news/article-number-%d.html">Article number %d of this small site</a></li>' % (i, i)
                   for i in range(newest(), newest() - 12, -1))


def home():
    days = ''.join('<a href="/calendar/2026/10/%02d/">%d</a>' % (d, d) for d in range(1, 29))
    return ('<!DOCTYPE html><html><head><title>News</title></head><body><main><ul>%s</ul></main><table>%s</table>'
            '</body></html>' % (links(), days))


def article(path):
    return '<!DOCTYPE html><title>%s</title><main><p>%s</p></main>' % (path, ('words of ' + path + ' ') * 40)


class Site(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        global looks
        with lock:
            log.write(self.path + '\n')
            looks += self.path == '/'
        if self.path.startswith('/calendar/') and MODE == 'drop':
            self.close_connection = True
            return
        status = 500 if self.path.startswith('/calendar/') else 404 if self.path == '/robots.txt' else 200
        body = (home() if self.path == '/' else article(self.path)).encode()
        self.send_response(status)
        self.send_header('Content-Type', 'text/html')
        self.send_header('Content-Length', str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *args):
        pass


server = http.server.ThreadingHTTPServer(('127.0.0.1', 0), Site)
with open('url.tmp', 'w') as url:
    url.write('http://127.0.0.1:%d/\n' % server.server_port)
os.rename('url.tmp', 'url')
server.serve_forever()
