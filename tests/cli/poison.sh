# A page that is the death of whoever reads it: it is asked for once more, and then set
# aside; the rest of the site goes on, and who watches the page itself is told.
. tests/cli/common
command -v python3 >/dev/null || { echo "needs python3"; exit 77; }

cat >server.py <<'PY'
import http.server, sys
links = ''.join('<a href="/%d">x</a> <b class="c%d"><i>' % (i, i) for i in range(120000))
class Site(http.server.BaseHTTPRequestHandler):
    protocol_version = 'HTTP/1.1'
    def log_message(self, *words): pass
    def do_GET(self):
        if self.path == '/robots.txt': status, body = 404, 'none'
        elif self.path == '/bad': status, body = 200, '<title>Long</title>' + links
        else: status, body = 200, '<title>Page %s</title><p>words of it <a href="/one">one</a> <a href="/two">two</a>' % self.path
        self.send_response(status)
        self.send_header('Content-Type', 'text/html')
        self.send_header('Content-Length', str(len(body)))
        self.end_headers()
        self.wfile.write(body.encode())
server = http.server.ThreadingHTTPServer(('127.0.0.1', 0), Site)
print(server.server_port, flush=True)
server.serve_forever()
PY
python3 server.py >port &
server=$!
trap 'kill $server 2>/dev/null; rm -rf "$scratch"' EXIT
within 10 test -s port
site=http://127.0.0.1:$(cat port)
crawl="forage watch --net-allow-private loopback --fetch-delay 10ms --crawl-tick 1s --crawl-budget 100000 --crawl-site-budget 100000"

# What the one before left in the file is gone when the next has started.
die_reading() {
    $crawl --time-limit 60s "$site/bad" >>run.out 2>>run.err &
    crawling=$!
    within 30 sh -c "[ \$(grep -c msg=started run.err) -eq $1 ] && head -c 33700 forage.reading 2>/dev/null | tr -d '\\000' | grep -q $site/bad"
    kill -FPE $crawling
    wait $crawling 2>/dev/null
}
die_reading 1
die_reading 2
grep -q "was being read when the crawl ended" run.err || flunk "not told: $(tail -n 3 run.err)"
$crawl --time-limit 4s "$site/bad" "$site/start" >out3 2>err3
grep -q "times=2" err3 || flunk "set aside without a word: $(cat err3)"
expect 0 forage why "$site/bad"
says "set-aside"
expect 0 forage page "$site/one"
expect 0 forage status --json
json
[ -e forage.reading ] || flunk "what is set aside is forgotten"
done_testing
