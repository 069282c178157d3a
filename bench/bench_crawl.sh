#!/bin/bash
# bench/bench_crawl.sh BUILD: a full crawl of a static site, beside wget2 and spider-rs.
#
# 5,000 pages of 30 KB with 60 links each, served by nginx on loopback. Forage runs with its
# delays off but otherwise as it always does: robots.txt is obeyed, links and text are
# extracted, copies told apart, sources chosen, and every page is on disk at the end. The
# peers make no index of what pages say, so the comparison is without one (search.index);
# what the index costs is a line of its own. wget2 writes the files into a folder on the same
# disk, spider-rs keeps them in memory. wrk asks for one page over and over: what the server
# and the network allow.
#
# The tools take turns, and the best of ROUNDS runs counts, for other work on the machine
# only ever slows them. CPU is user and system time of the tool's own processes.
# What is not installed is left out, with a line that says so.
set -u
PAGES=${PAGES:-5000} ROUNDS=${ROUNDS:-5}
. "$(dirname "$0")/served.sh"
calc() { awk "BEGIN { printf \"$1\", ($2) }"; }

# --- the server ---

make_site "$PAGES"
port=$(python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
cat >"$folder/nginx.conf" <<END
daemon off;
worker_processes 1;
pid $folder/nginx.pid;
error_log $folder/nginx.log;
events { worker_connections 1024; }
http {
    types { text/html html; text/plain txt; }
    access_log off;
    sendfile on;
    tcp_nopush on;
    keepalive_requests 1000000;
    open_file_cache max=20000;
    client_body_temp_path $folder/nginx-body;
    proxy_temp_path $folder/nginx-proxy;
    fastcgi_temp_path $folder/nginx-fastcgi;
    uwsgi_temp_path $folder/nginx-uwsgi;
    scgi_temp_path $folder/nginx-scgi;
    server { listen 127.0.0.1:$port; root $folder/site; }
}
END
chmod 755 "$folder"
nginx -c "$folder/nginx.conf" -e "$folder/nginx.log" &
server=$!
start=http://127.0.0.1:$port/index.html
answers() { (exec 3<>"/dev/tcp/127.0.0.1/$port") 2>/dev/null; }
for _ in $(seq 50); do
    answers && break
    sleep 0.1
done
if ! answers || ! kill -0 $server; then
    cat "$folder/nginx.log"
    exit 1
fi

# --- the tools: each leaves the number of pages it has got in $folder/pages ---

crawl_forage() {
    timeout 60 "$forage" watch --quiet --once --workspace "$folder/workspace" \
        --net-allow-private loopback --fetch-delay 0 --fetch-concurrency 16 \
        --crawl-budget 0 --crawl-explore 100000 \
        "${1:---no-search-index}" "$start" >"$folder/events"
}
crawl_indexed() { crawl_forage --search-index; }
count_indexed() { count_forage; }
count_forage() {
    python3 -c "import sqlite3; print(sqlite3.connect('$folder/workspace/forage.db').execute(
        'SELECT count(*) FROM pages WHERE status = 200').fetchone()[0])"
}
crawl_wget2() {
    timeout 60 wget2 --quiet --recursive --level=inf --no-host-directories \
        --max-threads="$threads" --directory-prefix="$folder/wget2" "$start"
}
count_wget2() { find "$folder/wget2" -name '*.html' | wc -l; }
crawl_spider() { (cd "$folder/spider" && timeout 60 node crawl.mjs "$start" >"$folder/spider.out"); }
count_spider() { cat "$folder/spider.out"; }
install_spider() {
    mkdir "$folder/spider"
    cat >"$folder/spider/crawl.mjs" <<'END'
import { Website } from '@spider-rs/spider-rs'
const site = new Website(process.argv[2]).withDelay(0).withRespectRobotsTxt(true).build()
await site.crawl()
console.log(site.size)
END
    (cd "$folder/spider" && echo '{}' >package.json && timeout 120 npm install --silent \
        --no-audit --no-fund @spider-rs/spider-rs@0.0.157 \
        @spider-rs/spider-rs-linux-x64-gnu@0.0.157) >/dev/null 2>&1
}

# Run a tool once; keep its best wall and CPU seconds in wall[] and cpu[].
declare -A wall cpu
run() {
    local name=$1 real user sys pages
    rm -rf "$folder/workspace" "$folder/wget2"
    TIMEFORMAT='%3R %3U %3S'
    { time "crawl_$name" 2>"$folder/errors"; } 2>"$folder/times"
    read -r real user sys <"$folder/times"
    pages=$("count_$name")
    if [ "${pages:-0}" -lt "$PAGES" ]; then
        say "$name" "got ${pages:-no} pages of $PAGES: $(tail -n 1 "$folder/errors")"
        return 1
    fi
    wall[$name]=$(calc '%.3f' "(${wall[$name]:-1e9} < $real) ? ${wall[$name]:-1e9} : $real")
    cpu[$name]=$(calc '%.3f' "(${cpu[$name]:-1e9} < $user + $sys) ? ${cpu[$name]:-1e9} : $user + $sys")
}

tools="forage indexed" threads=2
has wget2 && tools="$tools wget2"
if has node && has npm; then
    if install_spider; then tools="$tools spider"; else say spider-rs "cannot be installed, left out"; fi
fi
for round in $(seq "$ROUNDS"); do
    threads=$((round % 2 ? 2 : 5)) # two are best on two cores, five is its default
    for tool in $tools; do run "$tool" || exit 1; done
done

# --- the figures ---

met() { [ "$(calc '%d' "$1")" = 1 ] && echo reached || echo "NOT reached"; }
rate() { calc '%.0f' "$PAGES / ${wall[$1]}"; }
peer=
for tool in $tools; do
    say "$tool, pages crawled" "$(calc '%9.0f' "$PAGES / ${wall[$tool]}") /s, $(calc '%.3f' \
        "${cpu[$tool]} / $PAGES * 1000") ms of CPU a page"
    case $tool in forage | indexed) continue ;; esac
    if [ -z "$peer" ] || [ "$(calc '%d' "${wall[$tool]} < ${wall[$peer]}")" = 1 ]; then peer=$tool; fi
done
if [ -n "$peer" ]; then
    ratio=$(calc '%.2f' "${wall[$peer]} / ${wall[forage]}")
    say "crawl" "$(calc '%9.2f' "$ratio") times $peer (asked 1.3: $(met "$ratio >= 1.3"))"
fi
page=$(calc '%.3f' "${cpu[forage]} / $PAGES * 1000")
say "CPU a page" "$(calc '%9.3f' "$page") ms (asked at most 0.15: $(met "$page <= 0.15"))"
if has wrk; then
    limit=$(wrk -t 1 -c 16 -d 3s "$start" | sed -n 's/^Requests.sec: *//p')
    say "crawl" "$(calc '%9.2f' "$(rate forage) / $limit") of wrk's $(calc '%.0f' "$limit") requests/s"
fi
