# docs/server.md and docs/api.md: every call, parameter, body and metric they name is there, and none is left
# out; the commands run; the settings are settings; the proxy in front works as it is written down, and Prometheus
# takes the scrape.
. tests/cli/common
for tool in python3 curl; do
    command -v $tool >/dev/null || { echo "needs $tool"; exit 77; }
done
block() { # FILE FIRST-LINE: what is indented from there to the next empty line
    awk -v first="$2" 'index($0, "    " first) == 1 { on = 1 } on && !/^    / { exit } on { print substr($0, 5) }' "$root/docs/$1"
}
address_in() { sed -n 's/^dashboard: \([^ ]*\).*/\1/p' "$1"; }
serve() { # FLAG...
    : >serve.err
    forage serve -w ws --listen 127.0.0.1:0 "$@" 2>serve.err &
    server=$!
    within 30 grep -q '^dashboard: ' serve.err
    address=$(address_in serve.err)
}

# Charts of the dashboard and of the lab's reports have the same colours, light and dark.
colours() { grep -o -e '--c[0-5]: *#[0-9a-f]*' "$root/$1" | tr -d ' ' | sort -u; }
colours src/server/dashboard/style.css >ours
colours src/lab/report/html_style.h >theirs
{ [ "$(wc -l <ours)" -eq 12 ] && cmp -s ours theirs; } || flunk "the dashboard and the reports differ in their colours"

workspace ws
mkdir www && echo '<title>A small site</title><a href=/a>first</a>' >www/index
python3 "$root/tests/cli/small_site.py" 127.0.0.1 &
site=$!
within 10 test -e ready
serve --ads-enabled --net-allow-private loopback
grep -h "^    curl" "$root/docs/api.md" | sed "s|^    ||; s|http://127.0.0.1:6724/|$address|; s|^curl -N|curl --max-time 1 -sN|; s|^curl |curl -sf |" >examples
[ "$(wc -l <examples)" -ge 4 ] || flunk "docs/api.md has lost its examples"
while read -r example; do
    sh -c "$example" >"$scratch/out" 2>"$scratch/err"
    code=$?
    case $code,$example in 0,* | 28,*events) [ -s "$scratch/out" ] || flunk "nothing comes of: $example" ;; *) flunk "exit code $code: $example" ;; esac
done <examples
expect 0 python3 "$root/tests/cli/server_docs.py" "$address" "$root/docs" "$(head -n 1 origins)/"

# Prometheus takes the scrape that is written down, and finds what it asks for.
block server.md scrape_configs: | sed "s|127.0.0.1:6724|$(echo "$address" | sed 's|http://||; s|/$||')|" >prometheus.yml
grep -q job_name prometheus.yml || flunk "docs/server.md has lost its scrape"
if command -v promtool >/dev/null && command -v prometheus >/dev/null; then
    expect 0 promtool check config prometheus.yml
    port=$(python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
    { echo 'global: {scrape_interval: 1s}' && cat prometheus.yml; } >quick.yml
    prometheus --config.file=quick.yml --storage.tsdb.path=tsdb --web.listen-address="127.0.0.1:$port" >prometheus.log 2>&1 &
    prometheus=$!
    is_scraped() { curl -sf "http://127.0.0.1:$port/api/v1/query?query=forage_pages" | grep -q '"value":\[[^]]*"[1-9]'; }
    within 30 is_scraped || tail -n 3 prometheus.log
    kill $prometheus
    wait $prometheus
fi
kill -TERM $server
wait $server

# Behind nginx, as it is written down: the token is asked for, events come at once, guesses shut out the guesser, and
# another name is refused.
{ block server.md server: && block push.md push:; } >ws/forage.yaml
{ grep -q behind-proxy ws/forage.yaml && grep -q public-url ws/forage.yaml; } || flunk "docs/server.md or docs/push.md has lost its settings"
block server.md 'location / {' >location
grep -q proxy_pass location || flunk "docs/server.md has lost its proxy"
block server.md 'forage serve --new-token' | sed 's/  *(.*//; s/^forage \([a-z]*\)/forage \1 -w own/; s/^forage run.*/& --net-allow-private loopback --time-limit 1s/' >commands
[ "$(wc -l <commands)" -eq 2 ] || flunk "docs/server.md has other commands"
expect 0 forage add -w own "$(head -n 1 origins)/"
expect 0 sh -e commands
grep -q "asks for its token" "$scratch/err" || flunk "it does not say that it asks for a token"
kill "$site"
expect 0 forage serve -w ws --new-token
cp "$scratch/out" token
if command -v nginx >/dev/null; then
    serve
    grep -q "asks for its token" serve.err || flunk "the settings are not heeded"
    port=$(python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
    mkdir proxy
    cat >proxy/nginx.conf <<END
daemon off; pid nginx.pid; error_log nginx.err; events {}
http {
    access_log off; client_body_temp_path t1; proxy_temp_path t2; fastcgi_temp_path t3; uwsgi_temp_path t4; scgi_temp_path t5;
    server {
        listen 127.0.0.1:$port;
$(sed "s|http://127.0.0.1:6724;|${address%/};|" location)
    }
}
END
    nginx -p "$PWD/proxy" -c nginx.conf -e nginx.err 2>nginx.log &
    proxy=$!
    ask() { curl -s -o answer -w '%{http_code}' --max-time 10 "$@"; }
    is_there() { [ "$(ask -H 'Host: forage.example' "http://127.0.0.1:$port/healthz")" = 200 ]; }
    within 20 is_there || cat nginx.log proxy/nginx.err
    through() { # EXPECTED WORDS CURL-FLAG...
        wanted=$1 words=$2
        shift 2
        got=$(ask "$@")
        [ "$got" = "$wanted" ] || flunk "$words: $got, not $wanted: $(head -c 300 answer)"
    }
    url=http://127.0.0.1:$port/api/v1/status
    through 422 "a push without a token" -H 'Host: forage.example' "http://127.0.0.1:$port/indexnow?url=https://news.example/a&key=short"
    through 401 "without a token" -H 'Host: forage.example' "$url"
    through 200 "with the token" -H 'Host: forage.example' -H "Authorization: Bearer $(cat token)" "$url"
    through 403 "under another name" -H 'Host: evil.example' -H "Authorization: Bearer $(cat token)" "$url"
    through 403 "from a page of another site" -H 'Host: forage.example' -H 'Origin: http://evil.example' -H "Authorization: Bearer $(cat token)" "$url"
    curl -sN --max-time 2 -H 'Host: forage.example' -H "Authorization: Bearer $(cat token)" -H 'Last-Event-ID: 0' "http://127.0.0.1:$port/events" >events
    grep -q '^event: ' events || flunk "no events through the proxy"
    for i in $(seq 12); do ask -H 'Host: forage.example' -H "Authorization: Bearer guess$i" "$url" >/dev/null; done
    through 429 "who guesses" -H 'Host: forage.example' -H "Authorization: Bearer $(cat token)" "$url"
    kill $proxy
    wait $proxy
    kill -TERM $server
    wait $server
fi
done_testing
