# What the sites of one lot have to do with those of another: a seed that redirects there, a
# feed whose entries lie there, a robots.txt that is to be had there. No process asks a host
# of a lot that is not its own; what it is to be asked for is told to the one whose it is.
server=$PWD/tests/support/postgres
. tests/cli/common
pg=/tmp/forage-pg-$$
address=$("$server" start "$pg") || { code=$?; echo "$address"; exit $code; }
stop_all() {
    for pid in $(cat pids 2>/dev/null) $(ps -eo pid,args | awk -v s="$scratch/ws" 'index($0, s) && !/awk/ {print $1}'); do
        kill -9 "$pid" 2>/dev/null
    done
    "$server" stop "$pg"
    rm -rf "$scratch"
}
trap stop_all EXIT

# Hosts by the lot they are in, of two: mover -> moved and shy -> helper lead from lot 0 to
# lot 1, the feed of lot 0 lists pages of both.
cat >judge.py <<'END'
import datetime, email.utils, http.server, json, os, sys, threading, time
def lot(host):
    h = 14695981039346656037
    for c in host.encode():
        h = (h ^ c) * 1099511628211 & (1 << 64) - 1
    return (h ^ h >> 32) % 2
anchor, began = datetime.datetime.now(datetime.timezone.utc).replace(microsecond=0), time.monotonic()
free = {0: [], 1: []}
for n in range(1, 60):
    free[lot('127.0.0.%d' % n)].append('127.0.0.%d' % n)
names = dict(mover=free[0][0], shy=free[0][1], feed=free[0][2], near=free[0][3],
             moved=free[1][0], helper=free[1][1], far=free[1][2])
servers, origins = {}, {}
def now():
    return anchor + 180 * datetime.timedelta(seconds=time.monotonic() - began)
came = {}
def items():
    for i in range(3):
        yield 'old%d' % i, anchor - datetime.timedelta(days=30 + i)
    for i in range(3 if os.path.exists('more') else 0):
        yield 'new%d' % i, came.setdefault(i, now())
class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = 'HTTP/1.1'
    def do_GET(self):
        me = self.server.me
        kind, body, status, to = 'text/html', None, 200, None
        if me == 'mover':
            to = origins['moved'] + '/start'
        elif self.path == '/robots.txt':
            kind = 'text/plain'
            if me == 'shy':
                to = origins['helper'] + '/robots.txt'
            elif me == 'helper':
                body = 'User-agent: *\nDisallow: /secret\n'
        elif me == 'feed' and self.path == '/feed.xml':
            kind = 'application/rss+xml'
            body = '<rss version="2.0"><channel><title>f</title>' + ''.join(
                '<item><title>item %s of %s</title><link>%s/news/%s</link><pubDate>%s</pubDate></item>' %
                (name, at, origins[at], name, email.utils.format_datetime(date))
                for at in ('near', 'far') for name, date in items()) + '</channel></rss>'
        elif self.path in ('/', '/start'):
            body = ''.join('<p><a href="/%s">a link to %s</a></p>' % (p, p) for p in ('one', 'two', 'secret/three'))
        elif self.path in ('/one', '/two', '/secret/three') or self.path.startswith('/news/'):
            body = '<p>%s was written about mushrooms, cakes and tea in the garden.</p>' % self.path
        if kind == 'text/html' and body:
            body = '<html lang="en"><head><title>title of %s</title></head><body>%s</body></html>' % (self.path, body)
        data = (body or '').encode()
        self.send_response(301 if to else 200 if body else 404)
        if to:
            self.send_header('Location', to)
        self.send_header('Content-Type', kind)
        self.send_header('Content-Length', str(len(data)))
        self.end_headers()
        self.wfile.write(data)
        with open('requests', 'a') as f:
            f.write('%s %s\n' % (me, self.path))
    def log_message(self, *a):
        pass
for name, host in names.items():
    servers[name] = http.server.ThreadingHTTPServer((host, 0), Handler)
    servers[name].me = name
    origins[name] = 'http://%s:%d' % servers[name].server_address[:2]
    threading.Thread(target=servers[name].serve_forever, daemon=True).start()
with open('hosts.json', 'w') as f:
    json.dump({h: lot(h) for h in names.values()}, f)
with open('anchor', 'w') as f:
    f.write(anchor.strftime('%Y-%m-%dT%H:%M:%SZ'))
with open('seeds', 'w') as f:
    f.write('%s/\n%s/\n%s/feed.xml\n' % (origins['mover'], origins['shy'], origins['feed']))
threading.Event().wait()
END
python3 judge.py & echo $! >>pids
within 20 test -s seeds

export FORAGE_STORE_PLACE="$address#news"
worker() {
    forage run -w "$scratch/ws" --worker --worker-name one --store-lots 2 --worker-lease 4s --net-allow-private loopback \
        --fetch-delay 18s --crawl-tick 1m --crawl-budget 6000 --clock-speed 180 --clock-anchor "$(cat anchor)" --no-server --log-level info 2>>one.log &
    worker=$!
    echo $worker >>pids
}
worker
within 30 sh -c "forage workers --json 2>/dev/null | grep -q '\"one\"'"
# shellcheck disable=SC2046
expect 0 forage add --net-allow-private loopback $(cat seeds)
within 60 grep -q '^moved /one' requests
within 60 grep -q '^shy /one' requests
within 60 grep -q '^feed /feed.xml' requests
touch more
news=$(printf "SELECT count(*) FROM news.outbox WHERE convert_from(json, 'utf8') LIKE '%%/news/new%%'")
within 60 sh -c "psql -AtqX '$address' -c \"$news\" | grep -qx 6"
sleep 3 # nothing is told twice
[ "$(psql -AtqX "$address" -c "$news")" -eq 6 ] || flunk "an entry was told twice"
if grep -q '^shy /secret' requests; then flunk "the robots.txt of another lot was not heeded"; fi
kill "$worker"
wait "$worker"

# Who asked whom.
for lot in 0 1; do
    psql -AtqX "$address" -c "SELECT DISTINCT $lot, convert_from(s.key, 'utf8') FROM news_lot000$lot.requests r JOIN news_lot000$lot.sites s USING(site)"
done >asked
python3 - <<'END' || flunk "a host was asked by the process of another lot: $(cat asked)"
import json, re
lots = json.load(open('hosts.json'))
asked = [line.strip().split('|') for line in open('asked')]
assert len(asked) == 7, asked
assert all(lots[re.match('http://(.*):', key).group(1)] == int(lot) for lot, key in asked), asked
END
done_testing
