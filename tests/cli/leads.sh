# crawl.new-sites: which sites that are not watched pages lead to. Nothing is asked of them
# before they are added, and then they are no suggestions any more.
. tests/cli/common
command -v python3 >/dev/null || { echo "python3 is missing: no server"; exit 77; }
cat >server.py <<'END'
import http.server, sys, threading
class One(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        port = self.server.server_address[1]
        with open("asked-%d" % self.server.number, "a") as log:
            log.write(self.path + "\n")
        other = "http://127.0.0.1:%d/" % servers[1].server_address[1]
        pages = {
            "/": '<a href="/a">One</a> <a href="/b">Two</a> <a href="%s">There</a>' % other,
            "/a": '<a href="%sx">There</a> <a rel="nofollow" href="http://paid.example/">Paid</a>' % other,
            "/b": '<a href="http://far.example/">Far</a> <a href="http://127.0.0.1:%d/">Here</a>' % port}
        body = pages.get(self.path)
        self.send_response(200 if body else 404)
        self.send_header("Content-Type", "text/html")
        self.end_headers()
        self.wfile.write(("<title>T</title><p>%s</p>" % (body or "")).encode())
    def log_message(self, *rest): pass
servers = []
for number in range(2):
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), One)
    server.number = number
    servers.append(server)
    threading.Thread(target=server.serve_forever, daemon=True).start()
print("a=http://127.0.0.1:%d b=http://127.0.0.1:%d" % tuple(s.server_address[1] for s in servers), flush=True)
threading.Event().wait()
END
python3 server.py >ports &
server=$!
trap 'kill "$server" 2>/dev/null; rm -rf "$scratch"' EXIT
within 20 test -s ports
. ./ports

# crawl FLAGS...: until both pages were read.
crawl() {
    forage watch -w ws --quiet --net-allow-private loopback --fetch-delay 0 --clock-speed 20 "$@" "$a/" >/dev/null 2>"$scratch/err" &
    run=$!
    within 40 grep -qx /b asked-0
    within 20 grep -qx /a asked-0
    sleep 1
    kill "$run"
    wait "$run" 2>/dev/null
}
crawl
expect 0 forage leads -w ws
says "nothing is kept of them"
rm -rf ws asked-*
crawl --crawl-new-sites
expect 0 forage leads -w ws --json
json
value "d['known'], sorted(s['site'] for s in d['sites'])" "(2, ['$b', 'http://far.example'])"
value "[(s['pages'], s['sites']) for s in d['sites'] if s['site'] == '$b']" "[(2, 1)]"
value "[s['found_on'] for s in d['sites'] if s['site'] == 'http://far.example']" "['$a/b']"
value "sum(p['new_sites'] for p in d['leads']), all(p['looks'] >= 1 for p in d['leads'])" "(2, True)"
[ -e asked-1 ] && flunk "a site that is not watched was asked: $(cat asked-1)"
expect 0 forage leads -w ws -n 1
says "$b"
says "none is asked unless it is added"
expect 0 forage add -w ws "$b/"
forage watch -w ws --quiet --net-allow-private loopback --fetch-delay 0 --time-limit 2s "$a/" >/dev/null 2>&1
expect 0 forage leads -w ws --json
value "[s['site'] for s in d['sites']]" "['http://far.example']"
done_testing
