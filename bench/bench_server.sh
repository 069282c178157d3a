#!/bin/sh
# bench/bench_server.sh: a crawl of the demo web alone, and beside readers of events and wrk
# at its API; the ratio of what it fetches is what the server costs. Needs wrk and python3.
# SECONDS_EACH (60) and READERS (1000) may be set.
set -u
cd "$(dirname "$0")/.." || exit 1
command -v wrk >/dev/null || { echo "server: wrk is not installed"; exit 0; }
seconds=${SECONDS_EACH:-60} readers=${READERS:-1000}
scratch=$(mktemp -d) || exit 1
trap 'rm -rf "$scratch"' EXIT
fetches() { python3 -c 'import json,sys; print(json.load(sys.stdin)["fetches"])' <"$1"; }
flags="--for ${seconds}s --budget 4000 --speed 3600 --json"

# shellcheck disable=SC2086
build/forage demo $flags --no-server >"$scratch/alone.json" 2>/dev/null || exit 1
# shellcheck disable=SC2086
build/forage demo $flags --listen 127.0.0.1:0 >"$scratch/beside.json" 2>"$scratch/err" &
demo=$!
until grep -q '^dashboard' "$scratch/err"; do sleep 0.1; done
address=$(sed -n 's/^dashboard: //p' "$scratch/err")
python3 - "$address" "$readers" "$((seconds - 5))" >"$scratch/readers" <<'P' &
import re, selectors, socket, sys, time, urllib.parse
host = urllib.parse.urlsplit(sys.argv[1]).netloc
name, port = host.split(":")
s, got = selectors.DefaultSelector(), {}
for i in range(int(sys.argv[2])):
    c = socket.create_connection((name, int(port)))
    c.sendall(f"GET /events HTTP/1.1\r\nHost: {host}\r\nLast-Event-ID: 0\r\n\r\n".encode())
    c.setblocking(False)
    s.register(c, selectors.EVENT_READ)
    got[c] = []
end = time.time() + float(sys.argv[3])
while time.time() < end:
    for key, _ in s.select(1):
        try:
            data = key.fileobj.recv(1 << 16)
        except BlockingIOError:
            continue
        got[key.fileobj] += [int(n) for n in re.findall(rb"(?:^|\n)id: (\d+)\n", data)]
ends = [max(v, default=0) for v in got.values()]
lost = sum(v != sorted(set(v)) for v in got.values())
print(f"server: {len(got)} readers, up to event {max(ends)}, the last of them at {min(ends)}, {lost} with events out of order")
P
wrk -t 1 -c 32 -d "$((seconds - 8))s" "${address}api/v1/sites" >"$scratch/wrk" 2>&1
memory=$(ps -o rss= -p "$demo" | tr -d ' ')
wait
sed -n 's/^Requests.sec: */server: requests a second /p; s/^ *Non-2xx/server: errors/p' "$scratch/wrk"
cat "$scratch/readers"
echo "server: ${memory:-?} kB in memory"
echo "server: the crawl beside it made $(fetches "$scratch/beside.json") fetches, alone $(fetches "$scratch/alone.json")"
