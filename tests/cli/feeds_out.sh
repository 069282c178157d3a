# Feeds written while a crawl runs and is killed: at every moment they are whole, valid, and
# over all of them a reader sees each discovery exactly once.
. tests/cli/common
export FORAGE_CRAWL_LEAST_DELAY=0 FORAGE_CRAWL_SITE_BUDGET=0 FORAGE_CRAWL_BACKFILL=yes
command -v python3 >/dev/null || { echo "needs python3"; exit 77; }
# Debian's Python has it, and may not be the first on the PATH.
python=
for candidate in python3 /usr/bin/python3; do
    [ -n "$python" ] || ! $candidate -c 'import feedparser' 2>/dev/null || python=$candidate
done
[ -n "$python" ] || { echo "needs python3-feedparser"; exit 77; }

# --- a crawl with kills ---

speed=3600
anchor=$(date -u +%Y-%m-%dT%H:%M:%SZ)
forage simulate --for 300s --sites 2 --offers 0 --speed $speed --anchor "$anchor" >urls 2>/dev/null &
web=$!
trap 'kill $web 2>/dev/null; rm -rf "$scratch"' EXIT
within 20 test -s urls
mkdir ws
cat >ws/forage.yaml <<Y
log.level: error
net.allow-private: loopback
fetch: {delay: 5ms, concurrency: 4}
crawl: {budget: 0, tick: 10m}
clock: {speed: $speed, anchor: "$anchor"}
feeds:
  dir: pub
  url: https://me.example/feeds
  items: 100000
  every: 50ms
  queries: ["science path=/science/", "press tag=press kind=new", "none title=xyzzy"]
Y
expect 0 forage add -w ws --tag press "$(sed -n 1p urls)"
expect 0 forage add -w ws --tag "two words,press" "$(sed -n 2p urls)"
# reader.py: reads every feed there is with feedparser, or as JSON, and adds what it has not
# seen to the notes of each. A half-written feed or a guid that comes twice is an error.
cat >reader.py <<'P'
import collections, feedparser, json, os
notes = json.load(open("notes.json")) if os.path.exists("notes.json") else {}
for folder, _, names in os.walk("pub"):
    for name in names:
        path = os.path.join(folder, name)
        form = name.rsplit(".", 1)[1]
        if form == "tmp":
            continue
        if form == "json":
            feed = json.load(open(path))
            assert feed["version"] == "https://jsonfeed.org/version/1.1" and feed["title"], path
            assert feed["feed_url"] == "https://me.example/feeds/" + path[4:], feed["feed_url"]
            entries = [(e["id"], e["url"], e["title"]) for e in feed["items"]]
            assert all(e["content_text"] and e["date_published"] for e in feed["items"]), path
        else:
            feed = feedparser.parse(path)
            assert not feed.bozo, (path, feed.get("bozo_exception"))
            assert feed.version == {"rss": "rss20", "atom": "atom10"}[form], (path, feed.version)
            assert feed.feed.title and feed.feed.link, path
            own = [l.href for l in feed.feed.links if l.rel == "self"]
            assert own == ["https://me.example/feeds/" + path[4:]], own
            entries = [(e.id, e.link, e.title) for e in feed.entries]
            assert all(e.get("published_parsed") or e.get("updated_parsed") for e in feed.entries), path
        ids = [e[0] for e in entries]
        assert len(ids) == len(set(ids)), "%s has an entry twice" % path
        known = notes.setdefault(path, {})
        assert all(known[i] == link for i, link, _ in entries if i in known), "%s: an id has moved" % path
        known.update({i: link for i, link, _ in entries})
json.dump(notes, open("notes.json", "w"))
P
items() { grep -c '<item>' pub/all.rss 2>/dev/null; }
# Killed when the feeds have grown a little, or after two seconds.
for i in 1 2 3 4; do
    before=$(items)
    forage run -w ws --quiet 2>"$scratch/err" &
    pid=$!
    for _ in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
        [ "$(items)" -gt $((before + i)) ] && break
        sleep 0.1
    done 2>/dev/null
    kill -9 $pid
    wait $pid 2>/dev/null
    [ ! -d pub ] || $python reader.py || flunk "the feeds cannot be read after kill $i"
done
for _ in $(seq 30); do
    expect 0 forage run -w ws --quiet --time-limit 2s
    [ "$(items)" -gt 30 ] && break
done
find pub -name '*.tmp' | grep -q . && flunk "something half-written lies about"
expect 0 $python reader.py
forage export -w ws --what events >events
python3 - <<'P' || flunk "what the reader saw is not what was found"
import json
events = [json.loads(line) for line in open("events")]
notes = json.load(open("notes.json"))
key = lambda e: "urn:forage:" + e["event"]
assert len(events) > 20 and len({key(e) for e in events}) == len(events)
sites = sorted({e["site"] for e in events})
def name(site):
    return site.replace("://", "-").replace(":", "_")
for form in "rss", "atom", "json":
    def check(feed, chosen):
        seen, want = notes["pub/%s.%s" % (feed, form)], {key(e): e["url"] for e in events if chosen(e)}
        assert seen == want, (feed, form, len(seen), len(want))
    check("all", lambda e: True)
    check("changes", lambda e: False)
    for site in sites:
        check("sites/" + name(site), lambda e: e["site"] == site)
    check("tags/press", lambda e: True)
    check("queries/science", lambda e: "/science/" in e["url"])
    check("queries/press", lambda e: True)
    check("queries/none", lambda e: False)
    assert any(p.startswith("pub/tags/two_words-") and p.endswith(form) for p in notes), sorted(notes)
# What was read of a page is in the feeds.
items = {i["id"]: i for i in json.load(open("pub/all.json"))["items"]}
read = [e for e in events if e.get("excerpt") and key(e) in items]
assert len(read) > 10, len(read)
for e in read:
    item = items[key(e)]
    assert item["summary"] == e["excerpt"] and item["_forage"]["found_on"] == e["found_on"], item
    assert item.get("language") == e.get("language"), item
    assert not e.get("published") or item["date_published"] == e["published"], (e, item)
print(len(events), "events in", len(notes), "files")
P
kill $web
# Our own reader has nothing to say against them either.
for feed in pub/all.rss pub/all.atom pub/all.json pub/sites/*; do
    expect 0 forage feed "$feed" --base "https://me.example/feeds/${feed#pub/}" --json
    value "d['well_formed'], d['problems'], d['cut']" "(True, [], False)"
done

# --- by hand: newest first, at most so many, replaced only if something is new ---

expect 0 forage feeds -w ws few --feeds-items 3
says "all"
expect 0 forage feed few/all.atom --json
value "len(d['entries']), [e['updated'] for e in d['entries']] == sorted((e['updated'] for e in d['entries']), reverse=True)" "(3, True)"
before=$(stat -c %i few/all.atom)
expect 0 forage feeds -w ws few --feeds-items 3 --json
value "d[0]['path'], d[0]['items']" "('all', 3)"
[ "$(stat -c %i few/all.atom)" = "$before" ] || flunk "a feed that is the same was written again"
: >few/all.rss.999999999.tmp
expect 0 forage feeds -w ws few --feeds-items 2
[ -e few/all.rss.999999999.tmp ] && flunk "what a dead process left is still there"
[ "$(stat -c %i few/all.atom)" = "$before" ] && flunk "a feed that is another was not written"

# --- mistakes ---

expect 4 forage feeds -w ws --feeds-dir ''
complains "no folder given"
expect 1 forage feeds -w ws /dev/null/feeds
complains "cannot make the folder '/dev/null/feeds'"
expect 4 forage feeds -w ws few --feeds-queries 'a b/c'
complains "'b/c' is not a condition"
expect 4 forage feeds -w ws few --feeds-queries '../x tag=a'
complains "is not a name of letters"
expect 4 forage feeds -w ws few --feeds-queries 'a kind=old'
complains "'old' is not a kind of event"
expect 4 forage feeds -w ws few --feeds-queries 'a tag=x,a tag=y'
complains "two are named 'a'"
expect 4 forage feeds -w ws few --feeds-url example.org
done_testing
