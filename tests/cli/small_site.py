"""A small site on loopback, for the scripts beside it.

Writes its addresses, one for each host that is named, to the file "origins", then makes the
file "ready"; and writes every request to "requests", a line each.
What it serves comes from the folder "www": the path /a/b is www/a/b, / is www/index.
A file whose first line is "LOCATION url" is a redirect, "STATUS n" an answer without
more. Names that end in .xml, .rss or .txt are served as such, all else as HTML.
"""
import http.server, os, sys

class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = 'HTTP/1.1'

    def do_GET(self):
        with open('requests', 'a') as f:
            f.write(f'{self.headers.get("Host")}{self.path}\n')
        path = self.path.split('?')[0].lstrip('/') or 'index'
        try:
            with open(os.path.join('www', path), 'rb') as f:
                body = f.read()
        except OSError:
            body = b'STATUS 404'
        head, status, extra = body.split(b'\n')[0].decode('latin-1'), 200, {}
        if head.startswith('LOCATION '):
            status, extra, body = 302, {'Location': head[9:]}, b''
        elif head.startswith('STATUS '):
            status, body = int(head[7:]), b''
        kind = {'xml': 'application/xml', 'rss': 'application/rss+xml', 'txt': 'text/plain'}
        self.send_response(status)
        self.send_header('Content-Type', kind.get(path.rsplit('.')[-1], 'text/html'))
        self.send_header('Content-Length', str(len(body)))
        for name, value in extra.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *a):
        pass

hosts = sys.argv[1:] or ['127.0.0.1']
servers = [http.server.ThreadingHTTPServer((h, 0), Handler) for h in hosts]
with open('origins', 'w') as f:
    for s in servers:
        f.write('http://%s:%d\n' % s.server_address[:2])
import threading
for s in servers[1:]:
    threading.Thread(target=s.serve_forever, daemon=True).start()
open('ready', 'w').close()
servers[0].serve_forever()
