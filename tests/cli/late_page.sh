# A new page that fails for a while, as while its server is started anew, is told when it is
# there; three answers in a row were enough for it to be never told.
. tests/cli/common
command -v python3 >/dev/null || { echo "needs python3"; exit 77; }
cat >server.py <<'PY'
import http.server
looks = tries = 0
class Site(http.server.BaseHTTPRequestHandler):
    protocol_version = 'HTTP/1.1'
    def log_message(self, *words): pass
    def do_GET(self):
        global looks, tries
        status, links = 200, ''
        if self.path == '/robots.txt':
            status = 404
        elif self.path == '/':
            looks += 1
            links = ''.join('<li><a href="/story/a-title-of-number-%d">a title of number %d</a>' % (i, i)
                            for i in range(12 if looks < 4 else 13, 0, -1))
        elif self.path.endswith('-13'):
            tries += 1
            status = 500 if tries < 6 else 200
        body = ('<title>Page %s</title><ul>%s</ul><h1>Page %s</h1><p>%s' % (self.path, links, self.path,
                ('' if links else 'Words of %s that somebody wrote. ' % self.path * 20))).encode()
        self.send_response(status)
        self.send_header('Content-Type', 'text/html')
        self.send_header('Content-Length', str(len(body)))
        self.end_headers()
        self.wfile.write(body)
server = http.server.ThreadingHTTPServer(('127.0.0.1', 0), Site)
open('url.new', 'w').write('http://127.0.0.1:%d/' % server.server_address[1])
import os
os.rename('url.new', 'url')
server.serve_forever()
PY
python3 server.py >/dev/null 2>&1 &
server=$!
trap 'kill $server 2>/dev/null; rm -rf "$scratch"' EXIT
within 20 test -s url
forage watch -w ws --quiet --net-allow-private loopback --clock-speed 1200 --fetch-delay 1s "$(cat url)" \
    >"$scratch/told" 2>"$scratch/err" &
stop_when $! 60 has 1 grep '"url":"[^"]*number-13"' "$scratch/told"
has 1 grep '"url":"[^"]*number-13"' "$scratch/told" || flunk "a page that failed five times is never told"
done_testing
