"""Sites on loopback whose seeds give nothing, each in its own way, for
tests/cli/barren_seeds.sh. "NAME ADDRESS" of each is written to the file urls; a file named
open makes a normal site of the one that is worked on."""
import http.server
import os
import threading

WORKS = ('<!DOCTYPE html><html><head><title>Back soon</title></head><body><h1>We are back soon</h1>'
         '<p>This site is being worked on. <a href="/">Try again</a></p></body></html>')


def hub():
    return ('<!DOCTYPE html><html><head><title>News</title></head><body><main><ul>%s</ul></main></body></html>' % ''.join(
        '<li><a href="/a/%d.html">Article number %d of this small site</a></li>' % (i, i) for i in range(20)))


def article(path):
    return '<!DOCTYPE html><title>%s</title><main><p>%s</p></main>' % (path, ('words of ' + path + ' ') * 40)


class Site(http.server.BaseHTTPRequestHandler):
    def answer(self):
        name, path = self.server.name, self.path
        if path.startswith('/a/'):
            return 200, 'text/html', article(path)
        if name == 'loop' and path != '/robots.txt':
            return 302, 'text/plain', ''
        if path != '/':
            return 404, 'text/plain', ''
        if name == 'works':
            return 200, 'text/html', hub() if os.path.exists('open') else WORKS
        return {'empty': (200, 'text/html', ''),
                'pdf': (200, 'application/pdf', '%PDF-1.4\n\0\1\2\3 1 0 obj'),
                'text': (200, 'text/plain', 'Nothing but words, and none of them leads on.\n' * 20),
                'forbidden': (403, 'text/plain', 'no'),
                'secret': (401, 'text/plain', 'no'),
                'busy': (429, 'text/plain', 'later'),
                'moved': (302, 'text/plain', '')}[name]

    def do_GET(self):
        status, kind, body = self.answer()
        body = body.encode()
        self.send_response(status)
        if status == 302:
            self.send_header('Location', 'http://127.0.0.1:9/' if self.server.name == 'moved' else self.path + 'x')
        self.send_header('Content-Type', kind)
        self.send_header('Content-Length', str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *args):
        pass


with open('urls.tmp', 'w') as urls:
    for name in ('works', 'empty', 'pdf', 'text', 'forbidden', 'secret', 'moved', 'loop', 'busy'):
        server = http.server.ThreadingHTTPServer(('127.0.0.1', 0), Site)
        server.name = name
        urls.write('%s http://127.0.0.1:%d/\n' % (name, server.server_port))
        threading.Thread(target=server.serve_forever, daemon=True).start()
os.rename('urls.tmp', 'urls')
threading.Event().wait()
