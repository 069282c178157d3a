# Two workers on one crawl in PostgreSQL: a judge that plays six sites sees every request.
# One is killed with all its processes, and the other goes on; the database is killed, too.
# No site is asked by two processes at once or too soon, every new page is told once, and
# no more is asked than the budget of all allows.
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

cat >judge.py <<'END'
import http.server, os, threading, time, json
names = ['127.0.0.%d' % i for i in range(1, 7)]
lock, log = threading.Lock(), open('visits', 'w')
class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = 'HTTP/1.1'
    def do_GET(self):
        begin = time.monotonic()
        time.sleep(.01)
        n = 8 if os.path.exists('more') else 0
        if self.path == '/':
            body = ''.join('<p><a href="/news/n%d">article number %d</a></p>' % (i, i) for i in range(6 + n))
        elif self.path.startswith('/news/'):
            body = '<p>%s was written about mushrooms, cakes and tea in the garden.</p>' % self.path
        else:
            body = None
        text = ('<html lang="en"><head><title>title of %s</title></head><body>%s</body></html>' % (self.path, body)).encode()
        self.send_response(200 if body else 404)
        self.send_header('Content-Type', 'text/html')
        self.send_header('Content-Length', str(len(text) if body else 0))
        self.end_headers()
        if body:
            self.wfile.write(text)
        with lock:
            log.write(json.dumps([self.server.server_address[0], begin, time.monotonic(), self.path]) + '\n')
            log.flush()
    def log_message(self, *a):
        pass
servers = [http.server.ThreadingHTTPServer((n, 0), Handler) for n in names]
with open('origins', 'w') as f:
    for s in servers:
        f.write('http://%s:%d/\n' % s.server_address[:2])
for s in servers[1:]:
    threading.Thread(target=s.serve_forever, daemon=True).start()
servers[0].serve_forever()
END
python3 judge.py & echo $! >>pids
within 20 test -s origins

export FORAGE_STORE_PLACE="$address#news"
anchor=$(date -u +%Y-%m-%dT%H:%M:%SZ)
worker() {
    forage run -w "$scratch/ws$1" --worker --worker-name "$1" --store-lots 4 --worker-lease 4s --net-allow-private loopback \
        --fetch-delay 6s --crawl-tick 1m --crawl-budget 6000 --clock-speed 60 --clock-anchor "$anchor" --output-file "$1.jsonl" --no-server --log-level info 2>"$1.log" &
    echo $! >>pids
    eval "$1=$!"
}
told() { cat ./*.jsonl.* 2>/dev/null | grep -c '"type":"discovery"'; }
# shellcheck disable=SC2016
# After a kill an event may be written again: each counts once.
enough() { sh -c "cat ./*.jsonl.* 2>/dev/null | grep -o '\"url\":\"[^\"]*/news/[^\"]*' | sort -u | wc -l | xargs test $1 -le"; }

worker one
within 30 sh -c "forage workers --json 2>/dev/null | grep -q '\"one\"'"
# shellcheck disable=SC2046
expect 0 forage add --net-allow-private loopback $(cat origins)
worker two
# Two lots each, and each site looked at.
within 40 sh -c 'forage workers --json 2>/dev/null | python3 -c "
import json, sys
d = json.load(sys.stdin)
sys.exit(sorted(w[\"lots\"] for w in d[\"workers\"]) != [2, 2])"'
within 40 sh -c 'forage status --json 2>/dev/null | python3 -c "
import json, sys
sys.exit(json.load(sys.stdin)[\"totals\"][\"known\"] < 42)"'
touch more
enough_in() { within "$1" enough "$2"; }
within 30 enough 6

# One is gone with all it had, as when a machine is.
for pid in $one $(ps -eo pid,args | awk -v s="$scratch/wsone" 'index($0, s) && !/awk/ {print $1}'); do kill -9 "$pid" 2>/dev/null; done
sleep 1
"$server" kill "$pg"
"$server" again "$pg"
within 40 sh -c 'forage workers --json 2>/dev/null | python3 -c "
import json, sys
sys.exit({l[\"worker\"] for l in json.load(sys.stdin)[\"lots\"]} != {\"two\"})"'
within 60 enough 48
expect 0 forage workers
says "two"
expect 0 forage status
kill "$two"
wait "$two"
code=$?
[ "$code" -eq 11 ] || { tail two.log; flunk "a worker that is stopped ends with $code"; }
expect 0 forage workers --json
value "{l['worker'] for l in d['lots']}" "{''}"

cat ./*.jsonl.* >all.jsonl
python3 - <<'END' >verdict || flunk "the judge is not content: $(cat verdict)"
import glob, json, sys
bad = []
last = {}
for host, begin, end, path in sorted((json.loads(l) for l in open('visits')), key=lambda v: v[1]):
    if host in last and begin < last[host] + .099:
        bad.append('%s asked again after %.3f s' % (host, begin - last[host]))
    last[host] = begin
urls = [json.loads(l)['url'] for l in open('all.jsonl')]
news = [u for u in urls if '/news/' in u]
if len(set(news)) != 48:
    bad.append('%d new pages told, not 48' % len(set(news)))
print(bad[:10], len(news))
sys.exit(bool(bad))
END
twice=$(psql -AtqX "$address" -c 'SELECT count(*) - count(DISTINCT (site, page, kind)) FROM news.outbox')
[ "$twice" = 0 ] || flunk "$twice events are in the store twice"
for lot in 0 1 2 3; do
    dense=$(psql -AtqX "$address" -c "SELECT coalesce(max(number), 0) - count(*) FROM news_lot000$lot.outbox")
    [ "$dense" = 0 ] || flunk "numbers of lot $lot are not dense"
done
expect 4 forage run -w "$scratch/wsthree"
complains "--worker"
expect 4 forage run -w "$scratch/wsthree" --worker --once
expect 4 forage run -w "$scratch/wsthree" --worker --store-lots 5
complains "in 4 lots"
unset FORAGE_STORE_PLACE
expect 4 forage run -w "$scratch/wsthree" --worker
complains "store.place"
done_testing
