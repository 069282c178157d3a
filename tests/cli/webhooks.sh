# Webhooks: a receiver that fails, hangs, answers slowly and dies gets every event at least
# once, in order per site, signed, and never waits longer than it was told; over kills of
# the crawl, 15 of them, or with FORAGE_LONG=1 a hundred.
long=${FORAGE_LONG:-}
. tests/cli/common
command -v python3 >/dev/null || { echo "needs python3"; exit 77; }

# receiver.py LOG PORT_FILE SEED BAD: answers badly with probability BAD; "BAD" of "die" is
# 0.4, and now and then it dies. One line of JSON for each request.
cat >receiver.py <<'P'
import base64, hashlib, hmac, http.server, json, os, random, socketserver, sys, threading, time
log, port_file, seed, bad = sys.argv[1], sys.argv[2], sys.argv[3], sys.argv[4]
key = base64.b64decode(open("key").read().strip()[len("whsec_"):])
rng, lock, out = random.Random(seed), threading.Lock(), open(log, "a")
dies = bad == "die"
bad = .4 if dies else float(bad)
def is_signed(headers, body):
    text = b"%s.%s.%s" % (headers["webhook-id"].encode(), headers["webhook-timestamp"].encode(), body)
    good = base64.b64encode(hmac.new(key, text, hashlib.sha256).digest()).decode()
    fresh = abs(time.time() - int(headers["webhook-timestamp"])) < 60
    return fresh and any(hmac.compare_digest(s, "v1," + good) for s in headers["webhook-signature"].split())
class Receiver(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        with lock:
            modes = ["fail", "hang", "cut", "redirect", "huge-fail", "busy"] + ["die"] * dies
            mode = rng.choice(modes) if rng.random() < bad else rng.choice(["ok", "ok", "slow", "huge"] if bad else ["ok"])
            event = json.loads(body)
            row = {"time": time.time(), "mode": mode, "signed": is_signed(self.headers, body),
                   "id": self.headers["webhook-id"], "type": self.headers["Content-Type"],
                   "agent": self.headers["User-Agent"], "event": event}
            out.write(json.dumps(row) + "\n")
            out.flush()
        if mode == "die":
            os._exit(1)
        if mode == "hang":
            time.sleep(.7)
        if mode == "slow":
            time.sleep(.05)
        if mode in ("cut", "hang"):
            self.close_connection = True
            return
        status = {"fail": 500, "redirect": 307, "huge-fail": 400, "busy": 503}.get(mode, 200)
        self.send_response(status)
        if mode == "redirect":
            self.send_header("Location", "/elsewhere")
        if mode == "busy":
            self.send_header("Retry-After", "86400")
        text = b"x" * (300000 if mode.startswith("huge") else 2)
        self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        try:
            self.wfile.write(text)
        except OSError:
            self.close_connection = True
    def log_message(self, *words):
        pass
class Server(socketserver.ThreadingMixIn, http.server.HTTPServer):
    daemon_threads, allow_reuse_address, request_queue_size = True, True, 64
    def handle_error(self, *words):
        pass
port = int(open(port_file).read()) if os.path.exists(port_file) else 0
server = Server(("127.0.0.1", port), Receiver)
for name, number in (port_file, server.server_port), (log + ".up", os.getpid()):
    open(name + ".new", "w").write(str(number))
    os.rename(name + ".new", name)
server.serve_forever()
P
# check.py LOG EVENTS MOST_WAIT UNTIL: what came against what was found, and how long one
# was waited for up to then.
cat >check.py <<'P'
import collections, json, sys
rows = [json.loads(line) for line in open(sys.argv[1])]
events = [json.loads(line) for line in open(sys.argv[2])]
most, until = float(sys.argv[3]), float(sys.argv[4])
taken = {"ok", "slow", "huge"}
got = {r["event"]["event"] for r in rows if r["mode"] in taken}
want = {e["event"] for e in events}
assert len(want) == len(events), "an event has been found twice"
whole = {e["event"]: e for e in events}
assert all(whole.get(r["event"]["event"], r["event"]) == r["event"] for r in rows), "an event is not whole"
assert sum(bool(e.get("title") and e.get("excerpt") and e["found_on"]) for e in events) * 2 > len(events), \
    "events do not say what was found"
assert got == want, "missing %d, not asked for %d of %d" % (len(want - got), len(got - want), len(want))
assert all(r["signed"] for r in rows), "a signature is wrong"
assert all(r["id"] == "evt_" + r["event"]["event"] for r in rows), "an id is not the event's"
assert {r["type"] for r in rows} == {"application/json"} and rows[0]["agent"].startswith("Forage/")
by_number = {e["event"]: e for e in events}
assert all(r["event"] == by_number[r["event"]["event"]] for r in rows), "an event is not what was found"
order = collections.defaultdict(list)
for e in events:
    order[e["site"]].append(e["event"])
for site, ids in order.items():
    for which, accepts in ("came", None), ("was taken", taken):
        seen = []
        for r in rows:
            if r["event"]["site"] == site and r["event"]["event"] not in set(seen) and (not accepts or r["mode"] in accepts):
                seen.append(r["event"]["event"])
        assert seen == ids, "of %s what %s is not in order" % (site, which)
last, waits = {}, []
for r in rows:
    if r["event"]["event"] in last and r["time"] < until:
        waits.append(r["time"] - last[r["event"]["event"]])
    last[r["event"]["event"]] = r["time"]
assert not waits or max(waits) <= most, "waited %.2f s" % max(waits)
print(len(events), "events of", len(order), "sites,", len(rows), "requests,",
      len(rows) - len(got), "more than needed, longest wait %.2f s" % max(waits, default=0))
P
echo "whsec_$(head -c 32 /dev/urandom | base64 | tr -d '\n')" >key
started=
# stop: what this test has started, and nothing else.
stop() {
    for name in *.log; do : >"$name.stop"; done
    for pid in $started $(cat ./*.up 2>/dev/null); do kill -9 "$pid"; done 2>/dev/null
}
trap 'stop; rm -rf "$scratch"' EXIT
# receive LOG SEED BAD: start it, and again when it dies, until there is a file LOG.stop.
receive() {
    rm -f "$1.stop" "$1.up"
    (while [ ! -e "$1.stop" ]; do python3 receiver.py "$1" port "$2" "$3"; done) 2>/dev/null &
    started="$started $!"
    within 20 test -s "$1.up"
}
# silence LOG: end it.
silence() {
    : >"$1.stop"
    while kill -0 "${started##* }" 2>/dev/null; do
        kill -9 "$(cat "$1.up")" 2>/dev/null
        sleep 0.05
    done
    started=${started% *}
}
# prepare FOLDER N: a workspace with the first N sites and the webhook.
speed=3600
anchor=$(date -u +%Y-%m-%dT%H:%M:%SZ)
prepare() {
    mkdir "$1"
    cat >"$1/forage.yaml" <<Y
log.level: error
net.allow-private: loopback
fetch: {delay: 5ms, concurrency: 4}
crawl: {budget: 0, tick: 10m}
clock: {speed: $speed, anchor: "$anchor"}
webhooks:
  to: ["team http://127.0.0.1:$(cat port)/hook secret=file:key"]
  timeout: 400ms
  delay: 40ms
  max-delay: 300ms
  attempts: 1000
Y
    # shellcheck disable=SC2046
    expect 0 forage add -w "$1" $(head -n "$2" urls)
}
# left FOLDER: nothing is to be sent any more.
left() {
    forage webhooks -w "$1" --json >left.json
    python3 -c "import json; d = json.load(open('left.json'))[0]; raise SystemExit(d['backlog'] + d['waiting'] > 0)"
}
# finish FOLDER LOG: hardly any more pages, until all is sent to a receiver that takes it.
finish() {
    silence "$2"
    receive "$2" 1 0
    for _ in $(seq 30); do
        forage run -w "$1" --quiet --crawl-budget 0.001 --webhooks-timeout 10s --time-limit 1s 2>"$scratch/err"
        left "$1" && break
    done
    left "$1" || flunk "not all is sent: $(cat left.json)"
    forage export -w "$1" --what events >"$1.events"
    silence "$2"
}
forage simulate --for 600s --sites 3 --offers 0 --speed $speed --anchor "$anchor" >urls 2>/dev/null &
started=$!
within 20 test -s urls

# --- one crawl, a bad receiver: everything, in order, without undue waits ---

receive calm.log 7 0.4
prepare calm 2
forage run -w calm --quiet 2>"$scratch/err" &
sleep 3
stop_when $! 60 has 5 cat calm.log
until=$(date +%s)
expect 0 forage webhooks -w calm
says "signed"
finish calm calm.log
# Up to 0.3 s were asked for, after an answer that may take 0.4 s; the rest is for a machine
# with much to do.
expect 0 python3 check.py calm.log calm.events 5 "$until"
cat "$scratch/out"

# --- kills: of the crawl, and of the receiver by itself ---

kills=${long:+100}
kills=${kills:-15}
receive killed.log 8 die
: >>killed.log
prepare killed 3
for i in $(seq "$kills"); do
    before=$(wc -l <killed.log)
    forage run -w killed --quiet 2>"$scratch/err" &
    pid=$!
    for _ in $(seq 100); do
        [ "$(wc -l <killed.log)" -ge $((before + i * 37 % 11 + 1)) ] && break
        sleep 0.05
    done
    kill -9 $pid
    wait $pid 2>/dev/null
done
finish killed killed.log
expect 0 python3 check.py killed.log killed.events 0 0
cat "$scratch/out"

# --- dead letters ---

receive dead.log 9 1
prepare dead 1
forage run -w dead --quiet --webhooks-attempts 2 --webhooks-delay 1ms 2>"$scratch/err" &
sleep 2
stop_when $! 60 sh -c 'forage webhooks -w dead | grep -q "[1-9][0-9]* dead"'
expect 0 forage webhooks -w dead
says " waiting, "
expect 0 forage webhooks -w dead --json
value "d[0]['dead'] > 0 and all(l['attempts'] == 2 for l in d[0]['letters'] if l['is_dead'])" True
expect 1 forage webhooks test -w dead
silence dead.log
receive dead.log 10 0
expect 0 forage webhooks test team -w dead --webhooks-timeout 10s
says "team  taken: status 200"
grep -q '"type": "test"' dead.log || flunk "no test event came"
expect 0 forage webhooks retry team -w dead
says "will be tried again by the next crawl"
finish dead dead.log
python3 - dead.log dead.events <<'P' || flunk "dead letters did not come to life"
import json, sys
rows, events = ([json.loads(line) for line in open(name)] for name in sys.argv[1:])
came = {r["event"]["event"] for r in rows if r["mode"] in ("ok", "slow", "huge") and r["event"]["type"] != "test"}
assert {e["event"] for e in events} == came, len(came)
P

# --- what is configured wrongly, and what must not be shown ---

secret=$(cat key)
hook="team http://127.0.0.1:9/hook secret=file:key"
expect 0 forage config show webhooks --webhooks-to "$hook"
grep -qF "$secret" "$scratch/out" && flunk "the secret is shown"
expect 4 forage webhooks --webhooks-to "team http://127.0.0.1:9/ secret=$secret"
complains "does not belong here: write secret=file:PATH or secret=env:NAME"
grep -qF "$secret" "$scratch/err" && flunk "the secret is shown"
expect 4 forage run -w dead --webhooks-to "team http://127.0.0.1:9/ secret=env:NOT_THERE"
complains "the variable NOT_THERE is not set"
expect 4 forage run -w dead --webhooks-to "team http://127.0.0.1:9/ secret=file:nowhere"
echo short >short
expect 4 forage run -w dead --webhooks-to "team http://127.0.0.1:9/ secret=file:short"
complains "has 5 bytes; 16 to 256 are needed"
expect 0 forage webhooks -w dead --webhooks-to "team http://127.0.0.1:9/ secret=file:short"
says "has 5 bytes; 16 to 256 are needed"
expect 4 forage run -w dead --webhooks-to "team ftp://127.0.0.1:9/"
expect 4 forage run -w dead --webhooks-to "team http://127.0.0.1:9/ size=3"
complains "'size=3' is not a condition"
expect 4 forage run -w dead --webhooks-to "a http://127.0.0.1:9/,a http://127.0.0.1:8/"
complains "two are named 'a'"
expect 4 forage webhooks other -w dead --webhooks-to "$hook"
complains "unknown action 'other'"
expect 1 forage webhooks test other -w dead --webhooks-to "$hook"
complains "there is no webhook 'other'"
done_testing
