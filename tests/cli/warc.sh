# Archives of others are read whoever wrote them; what is damaged is named with its place.
. tests/cli/common
cp "$root/tests/data/cli/crawl.warc.gz" .

expect 0 forage warc list crawl.warc.gz
lines 3
says "response 2026-11-15T21:00:00Z"
expect 0 forage warc check crawl.warc.gz
says "crawl.warc.gz: 3 records, 4 digests compared, all is well"
expect 0 forage warc index crawl.warc.gz
says "crawl.cdxj: 1 capture"
expect 0 forage warc index crawl.warc.gz
says "crawl.cdxj: is right"
expect 0 forage warc get crawl.warc.gz http://example.org
says "<p>Hello."
offset=$(sed 's/.*"offset":"\([0-9]*\)".*/\1/' crawl.cdxj)
expect 0 forage warc get crawl.warc.gz "$offset" --raw
says "HTTP/1.1 200 OK"
expect 1 forage warc get crawl.warc.gz 7
complains "at byte 7: no gzip member starts here"
expect 1 forage warc get crawl.warc.gz http://example.org/none
complains "it has no capture of 'http://example.org/none'"
echo x >>crawl.cdxj
expect 1 forage warc index crawl.warc.gz
complains "is not the index of this file; --force replaces it"
expect 0 forage warc index --force crawl.warc.gz

# Cut, changed, and not there at all.
head -c 500 crawl.warc.gz >cut.warc.gz
expect 1 forage warc list cut.warc.gz
lines 1
complains "is damaged at byte $offset: the gzip member that starts here is cut short by the end of the file"
expect 1 forage warc check crawl.warc.gz cut.warc.gz
says "cut.warc.gz: 1 record, 1 digest compared, damaged"
complains "1 of 2 files are incomplete or invalid"
expect 1 forage warc index cut.warc.gz
complains "no index was written"
[ ! -e cut.cdxj ] || flunk "an index of half a file"
gzip -dc crawl.warc.gz | sed 's/Hello/Hallo/' >changed.warc
expect 1 forage warc check changed.warc
says "the block has another digest"
says "the payload has another digest"
expect 1 forage warc list missing.warc
complains "cannot open 'missing.warc'"
: >empty.warc
expect 1 forage warc check empty.warc
complains "'empty.warc' is empty"

# One page with all that is asked for it, from a server that cannot be had.
expect 1 forage fetch --warc page.warc.gz http://127.0.0.1:9/
expect 0 forage warc check page.warc.gz
says "1 record"
expect 4 forage fetch --warc page.warc.gz http://127.0.0.1:9/
complains "'page.warc.gz' is there already"

# The samples of three other projects: each as its index says.
samples=$root/../shared/conformance/warc
[ -d "$samples" ] || { echo "no samples in $samples; that part is left out"; done_testing; }
cd "$samples" || exit 1
python3 - <<'P' || flunk "the samples give something else"
import json, subprocess
bad = 0
def complain(*what):
    global bad
    bad = 1
    print(*what)
index = json.load(open("index.json"))
# Read on where the index gives up: the stream of bytes is whole, or the next record is found.
more = {"warcio/example-wrong-chunks.warc.gz": 2, "webarchive-commons/link-extraction-test.warc": 8}
for name, wanted in index.items():
    run = subprocess.run(["forage", "warc", "list", "--json", name], capture_output=True, text=True)
    got = json.loads(run.stdout)
    good = [r for r in wanted if "unparsed_bytes" not in r]
    lost = [r for r in wanted if "unparsed_bytes" in r]
    if name in more:
        lost = []
        if len(got["records"]) != more[name]:
            complain(name, len(got["records"]), "records")
        good = [r for r in good if r["block_complete"]]
    elif len(got["records"]) != len(good):
        complain(name, len(got["records"]), "records instead of", len(good))
    for a, b in zip(good, got["records"]):
        pairs = [("offset", "offset"), ("type", "type"), ("version", "version"), ("block_sha1", "block_sha1"),
                 ("content_length", "content_length"), ("compressed_length", "length"), ("warc-date", "date")]
        for x, y in pairs:
            if x in a and a[x] != b[y]:
                complain(name, a["offset"], x, a[x], b[y])
        if "warc-target-uri" in a and a["warc-target-uri"].strip("<>") != b["url"]:
            complain(name, b["url"])
    place = f"at byte {lost[0]['offset']}: " if lost else None
    if (got["damage"] or "").startswith(place or "nothing") != bool(lost) or (run.returncode == 0) == bool(lost):
        complain(name, "damage:", got["damage"], run.returncode)
    done = subprocess.run(["forage", "warc", "index", "--print", name], capture_output=True, text=True)
    captures = [r for r in got["records"] if r["type"] in ("response", "revisit", "resource") and r["url"]]
    if len(done.stdout.splitlines()) != len(captures) or (done.returncode == 0) == bool(lost):
        complain(name, "index:", done.stdout, done.stderr)
wrong = subprocess.run(["forage", "warc", "check", "warcio/example-digest.warc"], capture_output=True, text=True)
if wrong.stdout.count("the payload has another digest") != 1 or "the block has" in wrong.stdout:
    complain(wrong.stdout)
for name in ("warcio/example.warc", "warcio/example.warc.gz", "webarchive-commons/IAH-urls-wget.warc.gz", "jwarc/cc.warc.gz"):
    if subprocess.run(["forage", "warc", "check", name], capture_output=True).returncode:
        complain(name, "is not well")
raise SystemExit(bad)
P
for plain in abcd hi hi-2 empty double-single-inflate-error; do
    expect 1 forage warc check "webarchive-commons/$plain.gz"
done
expect 0 forage warc get warcio/example-iana.org-chunked.warc http://www.iana.org/
says "</html>"
done_testing
