# A folder that 'forage init' made can be served before anything is in it: the first site and the
# first page for another crawler are added over HTTP. Any other folder without a crawl is refused.
. tests/cli/common
command -v curl >/dev/null || { echo "needs curl"; exit 77; }
mkdir other
expect 1 forage serve -w other --listen 127.0.0.1:0 --time-limit 1s
complains "there is no crawl in 'other' yet"
[ -e other/forage.db ] && flunk "serving made a store where nobody asked for one"

expect 0 forage init ws
: >serve.err
forage serve -w ws --listen 127.0.0.1:0 2>serve.err &
server=$!
serving() { grep -q '^dashboard: ' serve.err; }
within 20 serving
api=$(sed -n 's/^dashboard: \([^ ]*\).*/\1/p' serve.err)api/v1
post() { expect 0 curl -sS -f -H 'Content-Type: application/json' "$api/$1" -d "$2"; }
post sites '{"url": "http://127.0.0.1:9/"}'
json
post scheduler/add '{"pages": ["https://news.example/"]}'
value "d['added']" 1
kill -TERM "$server"
wait "$server" || flunk "the server ends with $?"
expect 0 forage schedule status -w ws
value "d['pages']" 1
# What was added waits for the first run.
forage run -w ws --quiet --no-server --net-allow-private loopback --time-limit 2s >/dev/null 2>"$scratch/err"
expect 0 forage status -w ws --json --all
value "[s['site'] for s in d['sites']]" "['http://127.0.0.1:9']"
done_testing
