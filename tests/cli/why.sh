# Why a page is not looked at again, named for what it is, and how often a page changes,
# measured by its visits.
. tests/cli/common
command -v python3 >/dev/null || { echo "no python3"; exit 77; }
fast="--fetch-delay 0s --crawl-tick 1s --crawl-budget 0 --net-allow-private loopback --quiet"
cat >server.py <<'END'
import http.server
class Handler(http.server.BaseHTTPRequestHandler):
    count = 0
    def log_message(self, *args): pass
    def do_GET(self):
        pages = {"/": "<title>Home</title>" + "".join(
                     f'<a href="{p}">{p}</a>' for p in ("/secret", "/broken", "/teapot", "/hub", "/search?q=")),
                 "/hub": "<title>Hub</title><meta name=robots content=nofollow>" + "".join(
                     f'<a href="/hidden/{i}">{i}</a>' for i in range(30)),
                 "/clock": "<p>A page that says something else each time: {}",
                 "/search?q=": "<p>All that was found",
                 "/stone": "<p>A page that says the same each time"}
        status = {"/secret": 403, "/broken": 500, "/teapot": 418}.get(self.path)
        status = status or (200 if self.path in pages else 404)
        if self.path == "/clock":
            Handler.count += 1
        words = ("alpha", "beta", "gamma", "delta", "epsilon", "zeta", "eta", "theta")
        body = pages.get(self.path, "x").replace("{}", " ".join(
            words[Handler.count >> i & 7] for i in (0, 1, 2, 3))).encode()
        self.send_response(status)
        self.send_header("Content-Type", "text/html")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)
server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
print(server.server_address[1], flush=True)
server.serve_forever()
END
python3 server.py >port 2>/dev/null &
server=$!
trap 'kill $server; rm -rf "$scratch"' EXIT
within 30 test -s port
origin=http://127.0.0.1:$(cat port)

# shellcheck disable=SC2086
expect 0 forage watch $fast --once "$origin/"
while read -r path cause words; do
    expect 0 forage why "$origin$path" --json
    value "d['is'], d['cause']" "('neither', '$cause')"
    says "$words"
done <<'TABLE'
/secret refused its server refuses us: status 403
/broken server-error its server fails: status 500
/teapot refused its server does not give it to us: status 418
/hub nofollow (nofollow)
TABLE
expect 0 forage page "$origin/hub" --json
value "'nofollow' in d['flags'], d['visit_log'][0]['links']" "(True, 0)"

# What is asked for is what was written, whatever names the page.
for url in "$origin/search?q=" "$origin/search?q"; do
    expect 0 forage page "$url" --json
    value "d['url'], d['status']" "('$origin/search?q=', 200)"
done
expect 0 forage ledger "${origin#http://}" --csv
says "$origin/search?q=,200"

# A policy's prior is worth days; the visits of a fast page say something else.
expect 0 forage add -w clocks --document "$origin/clock" "$origin/stone"
for _ in 1 2 3 4 5 6; do
    # shellcheck disable=SC2086
    expect 0 forage run -w clocks $fast --once --crawl-site-budget 0 --crawl-at-least 1ms
done
expect 0 forage why -w clocks "$origin/clock"
says "each of"
says "rate           at least"
says "still outweighs the visits"
expect 0 forage why -w clocks "$origin/clock" --json
value "d['policy'], d['rate'], d['rate_low'] > 1000 > d['believed_rate'], d['rate_high']" "('lomax', None, True, None)"
expect 0 forage why -w clocks "$origin/stone" --json
value "d['rate'], d['rate_low'], d['rate_high'] > 0" "(0, 0, True)"
done_testing
