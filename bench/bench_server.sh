#!/bin/sh
# bench/bench_server.sh: a crawl of the demo web alone, and the same beside readers of events
# and wrk at its API; the ratio of what it fetches is what the server costs. wrk asks for
# sites, status, timeline, new pages, pages, metrics and why in turn, each third of them with
# the ETag it has. Every reader must have every event, in order. Needs wrk and python3.
# SECONDS_EACH (60) and READERS (1000) may be set.
set -u
cd "$(dirname "$0")/.." || exit 1
command -v wrk >/dev/null || { echo "server: wrk is not installed"; exit 0; }
seconds=${SECONDS_EACH:-60} readers=${READERS:-1000}
scratch=$(mktemp -d) || exit 1
trap 'rm -rf "$scratch"' EXIT
fetches() { python3 -c 'import json,sys; print(json.load(sys.stdin)["fetches"])' <"$1"; }
flags="--for $((seconds + 15))s --sites 20 --budget 4000 --speed 3600 --json"

# shellcheck disable=SC2086
build/forage demo $flags --no-server >"$scratch/alone.json" 2>/dev/null || exit 1
# shellcheck disable=SC2086
build/forage demo $flags --listen 127.0.0.1:0 >"$scratch/beside.json" 2>"$scratch/err" &
demo=$!
until grep -q "^dashboard" "$scratch/err" 2>/dev/null; do sleep 0.1; done
address=$(sed -n 's/^dashboard: //p' "$scratch/err")
cat >"$scratch/readers.py" <<'P'
import re, selectors, socket, sys, time, urllib.parse
host = urllib.parse.urlsplit(sys.argv[1]).netloc
name, port = host.split(":")
s, got, rest = selectors.DefaultSelector(), {}, {}
for i in range(int(sys.argv[2])):
    c = socket.create_connection((name, int(port)))
    c.sendall(f"GET /events HTTP/1.1\r\nHost: {host}\r\nLast-Event-ID: 0\r\n\r\n".encode())
    c.setblocking(False)
    s.register(c, selectors.EVENT_READ)
    got[c], rest[c] = [], b""
print("ready", file=sys.stderr, flush=True)
# Until the crawl is over, and with it the stream.
ended = 0
while ended < len(got):
    for key, _ in s.select(1):
        c = key.fileobj
        try:
            data = c.recv(1 << 16)
        except BlockingIOError:
            continue
        except OSError:
            data = b""
        if not data:
            s.unregister(c)
            ended += 1
        lines = (rest[c] + data).split(b"\n")
        rest[c] = lines.pop()
        got[c] += [int(line[4:]) for line in lines if line.startswith(b"id: ")]
full = max(got.values(), key=len)
lost = sum(len(set(full[:len(v)]) - set(v)) for v in got.values())
twice = sum(len(v) - len(set(v)) for v in got.values())
behind = sum(len(full) - len(v) for v in got.values()) / len(got)
print(f"server: {len(got)} readers of {len(full)} events: {lost} lost, {twice} twice, {sum(v != full[:len(v)] for v in got.values())} out of order;"
      f" when the crawl ended a reader had {behind:.1f} yet to come")
P
cat >"$scratch/mix.lua" <<'L'
local paths = {"sites", "status", "timeline", "new?limit=20", "pages?limit=50", "sources?limit=50", "policies", "settings"}
local requests, etags, n = {}, {}, 0
init = function()
  for i, path in ipairs(paths) do requests[i] = wrk.format("GET", "/api/v1/" .. path) end
end
request = function()
  n = n + 1
  local i = n % #paths + 1
  if etags[i] and n % 3 == 0 then return wrk.format("GET", "/api/v1/" .. paths[i], {["If-None-Match"] = etags[i]}) end
  return requests[i]
end
done = function(summary, latency)
  local e = summary.errors
  io.write(string.format("server: %.0f requests a second for %d s, half within %.1f ms, 99 %% within %.0f ms\n",
    summary.requests / summary.duration * 1e6, summary.duration / 1e6, latency:percentile(50) / 1000, latency:percentile(99) / 1000))
  io.write(string.format("server: %d errors of %d requests (status %d, connections %d, time-outs %d)\n",
    e.status + e.connect + e.read + e.write, summary.requests, e.status, e.connect + e.read + e.write, e.timeout))
end
L
python3 "$scratch/readers.py" "$address" "$readers" >"$scratch/readers" 2>"$scratch/ready" &
until grep -q ready "$scratch/ready"; do sleep 0.1; done
memory() { sed -n 's/^VmRSS:[^0-9]*\([0-9]*\).*/\1/p' "/proc/$demo/status"; }
before=$(memory)
wrk -t 1 -c 32 -d "${seconds}s" -s "$scratch/mix.lua" "$address" >"$scratch/wrk" 2>&1
after=$(memory)
kill -0 "$demo" 2>/dev/null || echo "server: the crawl was over before the requests: too much else runs here for the figures to mean anything"
wait
grep '^server' "$scratch/wrk" || cat "$scratch/wrk"
cat "$scratch/readers"
echo "server: $((before / 1024)) MB in memory before the requests, $((after / 1024)) MB after"
python3 - "$(fetches "$scratch/alone.json")" "$(fetches "$scratch/beside.json")" <<'P'
import sys
alone, beside = map(int, sys.argv[1:])
print(f"server: the crawl made {alone} fetches alone and {beside} beside it: {beside / alone - 1:+.1%}")
P
