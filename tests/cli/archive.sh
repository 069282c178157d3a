# A crawl that archives, killed again and again: every file that is left is whole, read
# record for record by our reader, by Python's own hands and, if it can be had, by
# warcio.js; the index points to the records.
. tests/cli/common
command -v python3 >/dev/null || { echo "no python3"; exit 77; }

anchor=$(date -u +%Y-%m-%dT%H:%M:%SZ)
forage simulate --for 120s --sites 2 --offers 30 --speed 600 --anchor "$anchor" \
    --access-log "$scratch/seen" >"$scratch/urls" 2>/dev/null &
web=$!
within 30 test -s "$scratch/urls"
common="-w ws --quiet --fetch-delay 10s --net-allow-private loopback --crawl-tick 5m --crawl-budget 0
    --clock-speed 600 --clock-anchor $anchor --archive arc --archive-max-size 60kB"
# shellcheck disable=SC2046,SC2086
expect 0 forage add -w ws --net-allow-private loopback $(cat "$scratch/urls")
for round in 1 2 3 4 5; do
    # shellcheck disable=SC2086
    forage run $common >/dev/null 2>>"$scratch/run.err" &
    crawl=$!
    # A moment after it has asked for something, at another point each time.
    within 30 has $(($(cat "$scratch/seen" 2>/dev/null | wc -l) + round)) cat "$scratch/seen"
    sleep "0.${round}7"
    kill -9 $crawl 2>/dev/null
    wait $crawl 2>/dev/null
done
# The last file may have been in the middle of a record: make sure that one is.
for open in arc/*.open; do printf '\037\213\010\000half' >>"$open"; done
before=$(find arc -name '*.open' | wc -l)
[ "$before" -ge 1 ] || flunk "no file was open when it was killed"
# shellcheck disable=SC2086
expect 0 forage run $common --time-limit 2s
kill $web
wait $web 2>/dev/null
[ -z "$(find arc -name '*.open')" ] || flunk "a file stays open"
expect 0 forage warc check arc/*.warc.gz
expect 0 forage warc index arc/*.warc.gz
says "is right"
[ "$(find arc -name '*.warc.gz' | wc -l)" -gt 1 ] || flunk "there is one file only"

expect 0 forage warc check --json arc/*.warc.gz
cp "$scratch/out" "$scratch/ours"
cat >"$scratch/compare.py" <<'P'
import base64, glob, hashlib, json, sys, zlib

def sha1(b):
    return "sha1:" + base64.b32encode(hashlib.sha1(b).digest()).decode()

ours, seen = {}, {}
for f in json.load(open(sys.argv[1])):
    assert f["damage"] is None
    for r in f["records"]:
        ours[f["file"].split("/")[-1], r["offset"]] = r
n = 0
ids = set()
kinds = set()
for path in sorted(glob.glob("arc/*.warc.gz")):
    data, at, name = open(path, "rb").read(), 0, path.split("/")[-1]
    while at < len(data):
        z = zlib.decompressobj(31)
        text = z.decompress(data[at:]) + z.flush()
        length = len(data) - at - len(z.unused_data)
        head, block = text.split(b"\r\n\r\n", 1)
        lines = head.decode().split("\r\n")
        assert lines[0] == "WARC/1.1", lines[0]
        h = {}
        for line in lines[1:]:
            key, value = line.split(": ", 1)
            assert key not in h, key
            h[key] = value
        block = block[: int(h["Content-Length"])]
        assert text[len(head) + 4 :] == block + b"\r\n\r\n"
        assert h["WARC-Block-Digest"] == sha1(block)
        assert h["WARC-Record-ID"] not in ids
        ids.add(h["WARC-Record-ID"])
        kind = h["WARC-Type"]
        kinds.add(kind)
        if kind == "response":
            assert h["WARC-Payload-Digest"] == sha1(block.split(b"\r\n\r\n", 1)[1])
            assert block.startswith(b"HTTP/1.1 ")
        if kind == "request":
            assert block.startswith(b"GET /") and block.endswith(b"\r\n\r\n")
            seen[h["WARC-Target-URI"]] = 1
        if kind == "warcinfo":
            assert at == 0 and h["WARC-Filename"] == name
            info = h["WARC-Record-ID"]
        else:
            assert h["WARC-Warcinfo-ID"] == info
        if kind == "revisit":
            assert h["WARC-Profile"].startswith("http://netpreserve.org/warc/1.1/revisit/")
        r = ours[name, at]
        assert r["length"] == length and r["type"] == kind, r
        assert r["block_digest"] == h["WARC-Block-Digest"], r
        assert r["problems"] == [], r
        n += 1
        at += length
assert n == len(ours), (n, len(ours))
assert kinds == {"warcinfo", "response", "request", "metadata", "revisit"}, kinds
assert any(u.endswith("/robots.txt") for u in seen) and any("feed" in u or "sitemap" in u for u in seen)

# The index: sorted, one line a capture, each pointing to its record; every original that a
# revisit names is there.
captures = {}
for path in glob.glob("arc/*.cdxj"):
    lines = open(path).read().splitlines()
    assert lines == sorted(lines), path
    for line in lines:
        key, time, rest = line.split(" ", 2)
        c = json.loads(rest)
        r = ours[c["filename"], int(c["offset"])]
        assert r["url"] == c["url"] and r["length"] == int(c["length"])
        assert r["date"].replace("-", "").replace(":", "").replace("T", "")[:14] == time
        assert c.get("digest") is None or r["payload_digest"] == "sha1:" + c["digest"]
        captures[c["url"], r["date"]] = r
want = [r for r in ours.values() if r["type"] in ("response", "revisit")]
assert sum(len(open(p).read().splitlines()) for p in glob.glob("arc/*.cdxj")) == len(want)
for r in want:
    if r["type"] == "revisit" and r["refers_to_url"]:
        o = captures[r["refers_to_url"], r["refers_to_date"]]
        assert o["type"] == "response" and o["payload_digest"] == r["payload_digest"], r
print(n, "records", len(want), "captures")
P
expect 0 python3 "$scratch/compare.py" "$scratch/ours"
says "records"

# What the other side saw is what was archived, but for the requests that a kill cut off.
served=$(grep -c . "$scratch/seen")
requests=$(python3 -c "
import json, sys
print(sum(r['type'] == 'request' for f in json.load(open(sys.argv[1])) for r in f['records']))" "$scratch/ours")
[ "$requests" -le "$served" ] && [ "$requests" -ge $((served - 5 * 8)) ] ||
    flunk "$requests requests are archived, $served were served"

# warcio.js has its own opinion of all this.
if command -v node >/dev/null && command -v npm >/dev/null; then
    modules=$builds/npm
    [ -d "$modules/node_modules/warcio" ] || {
        mkdir -p "$modules" && (cd "$modules" && echo '{}' >package.json &&
            timeout 100 npm install --silent --no-audit --no-fund warcio@2.4.11) >/dev/null 2>&1
    }
    if [ -d "$modules/node_modules/warcio" ]; then
        expect 0 node "$root/tests/cli/read_warc.mjs" "$modules/node_modules/warcio/dist/index.js" arc/*.warc.gz
        python3 - "$scratch/ours" "$scratch/out" <<'P' || flunk "warcio.js reads something else"
import json, sys
ours = {(f["file"].split("/")[-1], r["offset"]): r for f in json.load(open(sys.argv[1])) for r in f["records"]}
theirs = [json.loads(line) for line in open(sys.argv[2])]
assert len(theirs) == len(ours), (len(theirs), len(ours))
for t in theirs:
    r = ours[t["file"], t["offset"]]
    assert (t["type"], t["url"], t["length"]) == (r["type"], r["url"], r["length"]), (t, r)
    assert t["block"] == t["block_said"] == r["block_digest"], t
    assert t["type"] != "response" or t["payload"] == t["payload_said"], t
P
        node "$modules/node_modules/warcio/dist/cli.js" cdx-index arc/*.warc.gz | LC_ALL=C sort >"$scratch/theirs"
        cat arc/*.cdxj | LC_ALL=C sort | cmp -s - "$scratch/theirs" || flunk "warcio.js makes another index"
    else
        echo "warcio.js cannot be had; that part is left out"
    fi
else
    echo "no node and npm for warcio.js; that part is left out"
fi

# Revisits are known over a restart: nothing that was stored is stored again.
expect 0 python3 - <<'P'
import glob, json
digests = {}
for path in glob.glob("arc/*.cdxj"):
    for line in open(path):
        c = json.loads(line.split(" ", 2)[2])
        if c["mime"] != "warc/revisit" and c["digest"] != "3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ":
            digests.setdefault(c["digest"], []).append(c["url"])
twice = {d: u for d, u in digests.items() if len(u) > 1}
assert not twice, twice
P
done_testing
