#!/bin/bash
# bench/bench_polite.sh BUILD: many hosts, each asked politely once a second.
#
# HOSTS addresses of loopback are served by one nginx, the same small site on each. Forage
# watches them all with a delay of one second and nothing else turned off: robots.txt first,
# links and text extracted, every page on disk. What counts is the server's own log: how many
# requests a second it had while all hosts were busy, and the least time between two of one
# host, from the end of an answer to the next request. CPU is that of the crawl.
set -u
HOSTS=${HOSTS:-2000} SPAN=${SPAN:-40} PAGES=${PAGES:-60}
. "$(dirname "$0")/served.sh"

# --- the server ---

make_site "$PAGES"
port=$(python3 -c 'import socket; s = socket.socket(); s.bind(("", 0)); print(s.getsockname()[1])')
cat >"$folder/nginx.conf" <<END
daemon off;
worker_processes 1;
worker_rlimit_nofile 16384;
pid $folder/nginx.pid;
error_log $folder/nginx.log;
events { worker_connections 8192; }
http {
    types { text/html html; text/plain txt; }
    log_format times '\$server_addr \$msec \$request_time';
    access_log $folder/access times;
    keepalive_timeout 5s;
    sendfile on;
    open_file_cache max=20000;
    client_body_temp_path $folder/nginx-body;
    proxy_temp_path $folder/nginx-proxy;
    fastcgi_temp_path $folder/nginx-fastcgi;
    uwsgi_temp_path $folder/nginx-uwsgi;
    scgi_temp_path $folder/nginx-scgi;
    server { listen $port backlog=4096; root $folder/site; }
}
END
chmod 755 "$folder"
nginx -c "$folder/nginx.conf" -e "$folder/nginx.log" &
server=$!
sleep 0.5
kill -0 $server || exit 1

# --- the crawl ---

seq "$HOSTS" | awk -v port="$port" '{
    printf "http://127.1.%d.%d:%d/index.html\n", $1 / 250, 1 + $1 % 250, port }' >"$folder/seeds"
"$forage" add --quiet --workspace "$folder/workspace" --net-allow-private loopback \
    --seeds "$folder/seeds" >/dev/null || exit 1
TIMEFORMAT='%3U %3S'
{ time "$forage" run --quiet --workspace "$folder/workspace" --net-allow-private loopback \
    --fetch-delay 1s --crawl-budget 0 --crawl-site-budget 0 \
    --crawl-explore 100000 --crawl-backfill --time-limit "${SPAN}s" \
    ${FLAGS:-} >"$folder/events" 2>"$folder/errors"; } 2>"$folder/times"

# --- the figures ---

python3 - "$folder/access" "$folder/times" "$HOSTS" "$SPAN" <<'END'
import sys

access, times, hosts, span = sys.argv[1], sys.argv[2], int(sys.argv[3]), float(sys.argv[4])
last, gaps, ends = {}, [], []
for line in open(access):
    host, end, took = line.split()
    if host in last:
        gaps.append(float(end) - float(took) - last[host])
    last[host] = float(end)
    ends.append(float(end))
cpu = sum(float(x) for x in open(times).read().split())
# All hosts are known and busy by then.
first, final = min(ends) + span / 4, min(ends) + span * 3 / 4
seconds = [0] * int(final - first)
for end in ends:
    if first <= end < first + len(seconds):
        seconds[int(end - first)] += 1
held = sum(seconds) / len(seconds)
# The server's clock has milliseconds, and both of its times are rounded.
short = sum(gap < 0.998 for gap in gaps)


def say(what, figure):
    print(f"{what:44} {figure}")


def met(is_met):
    return "reached" if is_met else "NOT reached"


say("hosts that were asked", f"{len(last):9} of {hosts}")
say("requests", f"{held:9.0f} /s, least {min(seconds)} (asked {hosts}: {met(held >= 0.98 * hosts)})")
say("CPU", f"{cpu / span:9.2f} cores (asked at most 0.5: {met(cpu / span <= 0.5)}), "
    f"{cpu / len(ends) * 1000:.3f} ms a request")
say("least gap", f"{min(gaps):9.3f} s, too short {short} of {len(gaps)}")
sys.exit(short > 0)
END
