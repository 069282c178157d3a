# Lists of other programs are taken in whole or not at all, once or twice, with or without a
# crawl running; OPML goes out as it came in.
. tests/cli/common
op="--operator-contact a@b.example -w ws"

cat >in.opml <<'X'
<?xml version="1.0" encoding="ISO-8859-1"?>
<opml version="2.0"><head><title>Mine</title></head><body>
<outline text="Tech"><outline text="Linux"><outline type="rss" text="LWN" title="LWN &amp; co" xmlUrl="https://lwn.example/rss" htmlUrl="https://lwn.example/"/></outline>
<outline text="B" xmlUrl="https://b.example/feed?b=1&amp;a=2" category="/News/Local,x"/></outline>
<outline text="Two on one host"><outline text="a/b"><outline text="C1" xmlUrl="https://c.example/1"/></outline>
<outline text="C2" xmlUrl="https://c.example/2" htmlUrl="https://c.example/two"/></outline>
<outline text="K" type="link" url="https://k.example/"/>
</body></opml>
X
expect 0 forage import opml in.opml $op --dry-run
says "5 entries: 5 addresses, 5 of them new, on 4 new sites; nothing was changed"
expect 0 forage import opml in.opml $op --dry-run --sites
says "5 entries: 7 addresses, 7 of them new, on 4 new sites; nothing was changed"
[ -e ws ] && flunk "a dry run makes a workspace"
expect 0 forage import opml in.opml $op
silent
expect 0 forage import opml - $op --json <in.opml
value "d['addresses'], d['new_pages'], d['new_sites']" "(5, 0, 0)"
expect 0 forage export --what opml -w ws -o out.opml
expect 0 forage import opml out.opml --operator-contact a@b.example -w again
expect 0 forage export --what opml -w again -o twice.opml
cmp out.opml twice.opml || flunk "the second round trip is not the first"
if command -v python3 >/dev/null; then
    python3 - <<'P' >"$scratch/err" 2>&1 || flunk "what comes out is not what went in"
import xml.etree.ElementTree as E
def entries(path):
    found = set()
    def walk(node, tags):
        for o in node.findall('outline'):
            at = o.attrib
            feed, page = at.get('xmlUrl'), at.get('htmlUrl') or at.get('url')
            own = [p for c in at.get('category', '').split(',') for p in c.split('/') if p]
            if feed or page:
                found.add((feed, page, at.get('title') or at['text'], tuple(tags + own)))
            walk(o, tags + ([] if feed or page else [at['text']]))
    walk(E.parse(path).getroot().find('body'), [])
    return found
a, b = entries('in.opml'), entries('out.opml')
# Parameters are sorted: two orders are one page here.
a = {tuple(x.replace('?b=1&a=2', '?a=2&b=1') if isinstance(x, str) else x for x in e) for e in a}
assert a == b, (a - b, b - a)
P
fi
expect 0 forage export --what opml --tag Linux -w ws
says 'xmlUrl="https://lwn.example/rss"'
grep -q c.example "$scratch/out" && flunk "another tag's feed is there"
expect 0 forage export --tag "a/b" -w ws
lines 1
expect 4 forage export --what opml --csv -w ws
complains "a format of its own"

# A mistake in one entry: all mistakes are named, nothing is imported.
cat >bad.opml <<'X'
<opml><body>
<outline xmlUrl="https://new.example/feed"/>
<outline xmlUrl="nowhere"/>
<outline xmlUrl="ftp://x.example/"/></body></opml>
X
expect 1 forage import opml bad.opml $op
complains "bad.opml:3: 'nowhere' is not an absolute URL"
complains "bad.opml:4:"
complains "2 entries are wrong; nothing was imported"
expect 0 forage export -w ws
grep -q new.example "$scratch/out" && flunk "half a file was imported"
expect 1 forage import changedetection bad.opml $op
complains "'bad.opml': not JSON"
expect 4 forage import opml in.opml -w ws
complains "needs somebody who answers for it"

# The watches and jobs of others, and what of them has no match here.
cat >watches.json <<'X'
{"watching": {
  "11111111-0000-4000-8000-000000000001": {"url": "http://127.0.0.1:9/lamp", "title": "Lamp",
    "include_filters": ["#price"], "subtractive_selectors": [".old"], "trigger_text": ["x"]},
  "11111111-0000-4000-8000-000000000002": {"url": "http://127.0.0.1:9/off", "paused": true}}}
X
expect 1 forage import changedetection watches.json -w ws --strict
complains "--strict is given; nothing was imported"
expect 0 forage import changedetection watches.json -w ws --tag shop
complains "watches.json:2: not carried over: trigger_text"
complains "watches.json:4: left out: 'http://127.0.0.1:9/off': it is paused"
says "2 entries: 1 address, 1 of them new, on 1 new site"
says "1 left out"
expect 0 forage export --tag shop -w ws
value "d['flags']" "['seed', 'document']"
expect 0 forage page http://127.0.0.1:9/lamp -w ws
says "selector:#price without .old"
printf 'url: http://127.0.0.1:9/law\nname: Law\n---\ncommand: ls\n' >jobs.yaml
expect 0 forage import urlwatch jobs.yaml -w ws --json
value "d['entries'], d['addresses'], d['left_out']" "(2, 1, 1)"
printf 'http://127.0.0.1:9/n\tnutch.score=3\tuserType=open\n' >nutch
expect 0 forage import seeds nutch -w ws
expect 0 forage export -w ws --site 127.0.0.1:9
grep -q '"weight":3' "$scratch/out" || flunk "nutch.score is no weight"
printf '\357\273\277http://127.0.0.1:9/n\n' >marked
expect 0 forage import seeds marked -w ws
printf 'http://127.0.0.1:9/n nutch.score=3\n' >blank
expect 1 forage import seeds blank -w ws
complains "is an address with a blank; a tab goes before key=value"
expect 4 forage add --seeds nutch -w ws
complains "unknown key 'userType'"

# While a crawl runs it is given them.
forage run --quiet -w ws --operator-contact a@b.example --net-allow-private loopback \
    --time-limit 120s >events 2>"$scratch/run.err" &
crawl=$!
within 30 sh -c 'forage status -w ws --json | grep -q "\"is_running\":true"'
printf '<opml><body><outline text="T"><outline text="Late" xmlUrl="http://127.0.0.1:9/late"/></outline></body></opml>' >late.opml
expect 0 forage import opml late.opml -w ws
says "for the crawl that is running"
late() { forage export --what opml -w ws | grep -q 'title="Late" xmlUrl="http://127.0.0.1:9/late"'; }
within 30 late
kill -TERM "$crawl"
wait "$crawl"
done_testing
