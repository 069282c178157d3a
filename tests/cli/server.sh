# The server: what it answers is what the command line says, rows come in parts, changes are
# left for the crawl once, events are resumed, strangers are refused, the token is asked for.
long=${FORAGE_LONG:-}
. tests/cli/common
command -v python3 >/dev/null || { echo "needs python3"; exit 77; }
check() { # ADDRESS WHAT [PROCESS]
    python3 "$root/tests/cli/server_check.py" "$1" ws "$2" "${3:-}" >"$scratch/out" 2>&1 || flunk "$2 of the server: $(tail -n 5 serve.err)"
}
address_in() { sed -n 's/^dashboard: \([^ ]*\).*/\1/p' "$1"; }
serving() { grep -q '^dashboard: ' "$1"; }

workspace ws
# A title that would be markup.
python3 - <<'P'
import sqlite3
db = sqlite3.connect("ws/forage.db")
db.execute("UPDATE pages SET title = '<script>alert(1)</script>' WHERE url LIKE '%2026/a.html'")
db.commit()
P
: >serve.err
forage serve -w ws --listen 127.0.0.1:0 2>serve.err &
server=$!
within 20 serving serve.err
address=$(address_in serve.err)
check "$address" walk,rows
check "$address" stream,change,together
check "$address" driven
check "$address" hostile "$server"
if command -v promtool >/dev/null; then
    curl -s "$address"metrics 2>/dev/null >metrics || python3 -c "import urllib.request,sys; sys.stdout.write(urllib.request.urlopen('${address}metrics').read().decode())" >metrics
    expect 0 sh -c 'promtool check metrics <metrics'
    expect 0 promtool check rules "$root/packaging/prometheus-alerts.yml"
    # Every figure of the dashboard for Grafana is one that is there.
    sed -n 's/.*"expr": "\(.*\)",/\1/p' "$root/packaging/grafana-dashboard.json" | grep -o 'forage_[a-z0-9_]*' | sort -u |
        while read -r name; do grep -q "^$name[ {]" metrics || echo "$name"; done >missing
    [ -s missing ] && flunk "not in the metrics: $(cat missing)"
    expect 0 promtool test rules "$root/packaging/prometheus-alerts-test.yml"
fi
[ -z "$long" ] || check "$address" slow,deaf "$server"

# A second one takes the next port; --no-server takes none.
port=${address##*:}
forage serve -w ws --listen "127.0.0.1:${port%/}" --time-limit 1s 2>second.err
[ "$(address_in second.err)" != "$address" ] || flunk "two servers on one port"
kill -TERM "$server"
wait "$server" || flunk "the server ends with $?"

# Beyond this machine a token is needed; it is shown once and kept as its hash.
expect 4 forage serve -w ws --listen 0.0.0.0:0
complains "0.0.0.0:0 needs a token, which 'forage serve --new-token' makes"
expect 4 forage serve -w ws --listen example.org:80
complains "is not an address to listen on"
expect 0 forage serve -w ws --new-token
cp "$scratch/out" token
grep -q "$(cat token)" ws/server.token && flunk "the token is kept as it is"
: >serve.err
forage serve -w ws --server-need-token --server-behind-proxy --listen 127.0.0.1:0 2>serve.err &
server=$!
within 20 serving serve.err
grep -q "asks for its token" serve.err || flunk "it does not say that it asks for a token"
check "$(address_in serve.err)" token
kill -TERM "$server"
wait "$server"

# With a certificate it speaks TLS; a client that listens does not keep it from ending.
if command -v openssl >/dev/null; then
    openssl req -x509 -newkey rsa:2048 -nodes -keyout key.pem -out cert.pem -days 1 -subj /CN=localhost 2>/dev/null
    : >serve.err
    forage serve -w ws --listen 127.0.0.1:0 --server-tls-certificate cert.pem --server-tls-key key.pem 2>serve.err &
    server=$!
    within 20 serving serve.err
    expect 0 python3 - "$(address_in serve.err)" "$server" <<'P'
import http.client, os, signal, ssl, sys, urllib.request
context = ssl._create_unverified_context()
print(urllib.request.urlopen(sys.argv[1] + "healthz", context=context).read().decode())
stream = urllib.request.urlopen(sys.argv[1] + "events", context=context)
os.kill(int(sys.argv[2]), signal.SIGTERM)
try:
    while stream.read(100):
        pass
except http.client.IncompleteRead:
    pass  # the stream has no end of its own
P
    says ok
    [ "$code" -eq 0 ] || kill -9 "$server"
    wait "$server" || flunk "a server with a reader of events ends with $?"
fi

# Beside a crawl: it is found there, and what is asked for reaches the crawl.
mkdir www && echo '<title>home</title><a href=/a>a</a><a href="/tag/b">b</a><link rel=alternate type=application/rss+xml href=/feed>' >www/index
echo '<title>a</title><p>text' >www/a
printf 'User-agent: *\nCrawl-delay: 1\nDisallow: /private\nSitemap: /map.xml\n' >www/robots.txt
python3 "$root/tests/cli/small_site.py" 127.0.0.1 &
site=$!
within 10 test -e ready
origin=$(head -n 1 origins)
forage watch -w crawl --listen 127.0.0.1:0 --net-allow-private loopback --fetch-delay 0 "$origin/" >events 2>crawl.err &
crawler=$!
within 20 serving crawl.err
address=$(address_in crawl.err)
post() { # CALL BODY
    python3 - "$address" "$@" <<'P'
import sys, urllib.request
r = urllib.request.Request(sys.argv[1] + "api/v1/" + sys.argv[2], sys.argv[3].encode(), {"Content-Type": "application/json"})
sys.stdout.write(urllib.request.urlopen(r).read().decode())
P
}
expect 0 post pause "{\"target\": \"$origin\"}"
says '"running":true'
is_paused() { forage status -w crawl --once --json | grep -q '"state":"paused"'; }
within 20 is_paused
expect 0 post preview "{\"url\": \"http://localhost:${origin##*:}/\"}"
value "d['title'], d['own_links'], d['robots'], d['crawl_delay_s']" "('home', 2, 'allowed', 1)"
value "[(s['url'].split('/', 3)[3], s['kind']) for s in d['sources']]" \
    "[('', 'page'), ('feed', 'feed'), ('map.xml', 'sitemap'), ('tag/b', 'list')]"
expect 0 post preview "{\"url\": \"http://localhost:${origin##*:}/private\"}"
value "d['fetched'], d['robots'], 'robots.txt forbids' in d['trouble'], len(d['advice']) > 10" "(False, 'forbidden', True, True)"
expect 0 post preview "{\"url\": \"http://localhost:${origin##*:}/nothing\"}"
value "d['fetched'], d['status'], '404' in d['trouble']" "(True, 404, True)"
# What is watched is not asked by the server as well; what was removed is watched no more.
expect 0 post preview "{\"url\": \"$origin/\"}"
value "d['is_watched'], 'fetched' in d, d['robots'], d['crawl_delay_s'], 'trouble' in d" "(True, False, 'allowed', 1, False)"
expect 0 post preview "{\"url\": \"$origin/private\"}"
value "d['is_watched'], d['robots'], 'robots.txt forbids' in d['trouble'], len(d['advice']) > 10" "(True, 'forbidden', True, True)"
expect 0 post remove "{\"target\": \"$origin\", \"site\": true}"
is_let_go() { post preview "{\"url\": \"$origin/\"}" | grep -q '"is_watched":false'; }
within 20 is_let_go
expect 0 post sites "{\"url\": \"$origin/\"}"
kill -TERM "$crawler"
wait "$crawler"
[ $? -eq 11 ] || flunk "the crawl beside a server does not end as it should"
# Neither a bad address nor a store that cannot be read stops a crawl.
expect 0 forage run -w crawl --listen 203.0.113.7:6724 --time-limit 1s
complains "not started"
expect 0 forage run -w crawl --no-server --time-limit 1s
grep -q "^dashboard" "$scratch/err" && flunk "--no-server has a server"
kill "$site"
done_testing
