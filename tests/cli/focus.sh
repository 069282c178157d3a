# A focused crawl reports the new pages that are of interest, and no others.
. tests/cli/common
export FORAGE_CRAWL_LEAST_DELAY=0 FORAGE_CRAWL_SITE_BUDGET=0 FORAGE_CRAWL_BACKFILL=yes
command -v python3 >/dev/null || { echo "no python3"; exit 77; }
helper=$root/tests/data/focus/site.py
fast="--fetch-delay 0s --crawl-tick 1s --crawl-budget 0 --fetch-concurrency 4 --net-allow-private loopback"

python3 "$helper" make site old
python3 "$helper" serve site >port 2>/dev/null &
server=$!
trap 'kill $server; rm -rf "$scratch"' EXIT
for _ in $(seq 100); do [ -s port ] || sleep 0.2; done
[ -s port ] || { echo "the test server does not start"; exit 77; }
origin=http://127.0.0.1:$(cat port)

# crawl WORKSPACE FLAG...: explore the old pages, publish the new ones, look again; the
# discoveries are in WORKSPACE.found.
crawl() {
    workspace=$1
    shift
    python3 "$helper" make site old
    # shellcheck disable=SC2086
    expect 0 forage watch -w "$workspace" $fast --once "$@" "$origin/"
    [ -s "$scratch/out" ] && flunk "pages that were there before are reported"
    python3 "$helper" make site new
    # shellcheck disable=SC2086
    expect 0 forage run -w "$workspace" $fast --once --events "$@"
    cp "$scratch/out" "$workspace.found"
}
# count WORKSPACE TOPIC: pages of a topic that were reported.
count() { grep -c "\"url\":\"$origin/news/of/today/$2-new" "$1.found"; }
found() { # WORKSPACE GARDEN FOOTBALL COOKING
    got="$(count "$1" garden) $(count "$1" football) $(count "$1" cooking)"
    [ "$got" = "$2 $3 $4" ] || flunk "$1: found $got, not $2 $3 $4"
}

# Without a focus everything new is reported: 20 pages of each topic.
crawl all
found all 20 20 20

# By address.
crawl include --focus-include '*/garden-*'
found include 20 0 0
# What the policies learn from: the yield of the source is what is of interest.
query() { python3 -c 'import sqlite3, sys
print(*sqlite3.connect(sys.argv[1] + "/forage.db").execute(sys.argv[2]).fetchone())' "$@"; }
got=$(query all 'SELECT max(fresh) FROM visits WHERE purpose = 2') && [ "$got" = 60 ] || flunk "yield of all: $got"
got=$(query include 'SELECT max(fresh) FROM visits WHERE purpose = 2') && [ "$got" = 20 ] || flunk "yield of include: $got"

# By words. The links say only "story 7", so the pages decide; each names its topic.
crawl words --focus-words 'sports ground,compost heap' --focus-without compost
found words 0 20 0

# The links decide: no link says that, so nothing is of interest, and nothing new fetched.
crawl seen --focus-words 'compost heap' --focus-when seen
found seen 0 0 0
got=$(query seen "SELECT count(*) FROM pages WHERE url LIKE '%-new-%' AND visits > 0")
[ "$got" = 0 ] || flunk "$got pages were fetched whose links had nothing to say"

# Pages found but not fetched when the crawl stops are judged and told by the next one.
python3 "$helper" make site old
# shellcheck disable=SC2086
expect 0 forage watch -w again $fast --once "$origin/"
python3 "$helper" make site new
# shellcheck disable=SC2086
expect 14 forage run -w again $fast --once --events --focus-words 'sports ground' --fetch-limit 20
cp "$scratch/out" again.found
some=$(count again football)
[ "$some" -lt 20 ] || flunk "the crawl was not cut short"
# shellcheck disable=SC2086
expect 0 forage run -w again $fast --once --events --focus-words 'sports ground'
cat "$scratch/out" >>again.found
found again 0 20 0
got=$(grep -c "\"found_on\":\"$origin/\"" again.found) && [ "$got" = 20 ] || flunk "only $got know where they were found"

# From labels: three pages on gardens against two on football and one on cooking.
python3 "$helper" make site old
# shellcheck disable=SC2086
expect 0 forage watch -w labels $fast --once --store-bodies "$origin/"
for page in garden-old-0 garden-old-1 garden-old-2; do
    expect 0 forage label -w labels --store-bodies "$origin/news/of/today/$page.html" relevant --json
    value "d['from']" store
done
for page in football-old-0 football-old-1 cooking-old-0; do
    # shellcheck disable=SC2086
    expect 0 forage label -w labels "$origin/news/of/today/$page.html" irrelevant --file "site/news/of/today/$page.html" --json
    value "d['from']" file
done
value "[d['classifier'][k] for k in ('relevant', 'irrelevant', 'held_out')]" "[3, 3, 6]"
# Another one is fetched, since its body is not stored under this workspace.
expect 0 forage label -w fetched --fetch-delay 0s --net-allow-private loopback "$origin/news/of/today/garden-old-3.html" relevant --json
value "[d['from'], d['classifier']['trained']]" "['fetch', False]"
expect 1 forage label -w fetched --fetch-delay 0s --net-allow-private loopback "$origin/news/of/today/nothing.html" relevant
complains "answers with status 404"
expect 1 forage label -w fetched --fetch-delay 0s --net-allow-private loopback "$origin/hidden/x.html" relevant
complains "robots"

expect 1 forage label -w fetched "$origin/news/of/today/garden-old-3.html" relevant
complains "the address is not public (see --net-allow-private"
expect 1 forage label -w never "$origin/news/of/today/garden-old-3.html" relevant
complains "held (see --net-allow-private"

python3 "$helper" make site new
# shellcheck disable=SC2086
expect 0 forage run -w labels $fast --once --events
cp "$scratch/out" labels.found
python3 - labels.found <<'END' || flunk "the classifier does badly"
import json, sys
found = [json.loads(line) for line in open(sys.argv[1])]
right = sum('/garden-' in event['url'] for event in found)
precision, recall = right / max(len(found), 1), right / 20
print(f"held out: 60 new pages, 20 of interest; precision {precision:.2f}, recall {recall:.2f}")
sys.exit(not (precision >= 0.9 and recall >= 0.9 and
              all(event['relevance'] >= 0.5 and event['title'] and event['found_on'] for event in found)))
END
python3 - labels <<'END' || flunk "the store does not say which pages are relevant"
import sqlite3, sys
db = sqlite3.connect(sys.argv[1] + '/forage.db')
flags = dict(db.execute("SELECT url, flags FROM pages WHERE url LIKE '%-new-%' AND visits > 0"))
relevant = [url for url in flags if flags[url] & 1024]
garden = [url for url in relevant if '/garden-' in url]
told, = db.execute("SELECT count(*) FROM outbox").fetchone()
sys.exit(not (len(flags) == 60 and len(garden) >= 18 and len(relevant) == told
              and not any(flag & 4096 for flag in flags.values())))
END

# What was found is not told again, and labels may be taken back.
# shellcheck disable=SC2086
expect 0 forage run -w labels $fast --once --events
[ -s "$scratch/out" ] && flunk "discoveries are told twice"
expect 0 forage label -w labels --list --json
value "[len(d['labels']), all((l['label'] == 'relevant') == (l['probability'] > 0.5) for l in d['labels'])]" "[6, True]"
for page in garden-old-0 garden-old-1 garden-old-2; do
    expect 0 forage label -w labels --remove "$origin/news/of/today/$page.html"
done
says "no classifier yet: there are 0 relevant and 3 irrelevant pages"
expect 1 forage label -w labels --remove "$origin/news/of/today/garden-old-0.html"
complains "has no label"

# While a crawl runs, labels are handed to it: with the page as given or stored, or for it
# to fetch. It learns from each at once.
# shellcheck disable=SC2086
forage run -w labels $fast --time-limit 60s >"$scratch/run.out" 2>"$scratch/run.err" &
crawler=$!
within 30 sh -c 'forage status -w labels --json | grep -q "\"is_running\":true"'
labels() { forage label -w labels --list --json | python3 -c "import json,sys; d=json.load(sys.stdin)['labels']
sys.exit(len(d) != $1 or not all(l['title'] for l in d))"; }
expect 0 forage label -w labels "$origin/news/of/today/garden-old-0.html" relevant --file site/news/of/today/garden-old-0.html --json
value "d['from'], d['handed_over'], d['process']" "('file', True, $crawler)"
expect 0 forage label -w labels "$origin/news/of/today/garden-old-1.html" relevant
says "for the crawl that is running (process $crawler)"
expect 0 forage label -w labels "$origin/news/of/today/garden-old-4.html?utm_source=x" relevant --net-allow-private loopback --json
within 20 labels 6
within 30 inbox_is_empty labels
expect 0 forage label -w labels --train
says "trained from 3 relevant and 3 irrelevant pages"
expect 0 forage label -w labels --remove "$origin/news/of/today/garden-old-4.html"
within 20 labels 5
expect 1 forage label -w labels --remove "$origin/news/of/today/garden-old-4.html"
complains "has no label"
# What cannot be fetched is told in the log of the crawl, and forgotten.
expect 0 forage label -w labels "$origin/nothing.html" relevant
within 20 grep -q 'msg="label refused" url=.*nothing.html.*status=404' "$scratch/run.err"
within 30 inbox_is_empty labels
kill $crawler
wait $crawler
# What was left for a crawl that has ended is for the next one.
leave labels label "relevant
$origin/news/of/today/garden-old-5.html
"
leave labels label rubbish
# shellcheck disable=SC2086
forage run -w labels $fast --time-limit 2s >/dev/null 2>"$scratch/err"
labels 6 || flunk "a label left in the inbox is lost"
inbox_is_empty labels || flunk "something is left in the inbox"

# Mistakes.
expect 4 forage label
complains "write 'forage label URL relevant'"
expect 4 forage label http://127.0.0.1/ perhaps
complains "'perhaps' is not a label"
expect 4 forage label --list --train
complains "one thing at a time"
expect 4 forage label nonsense relevant
expect 4 forage label https://example.org/ relevant
complains "needs somebody who answers for it"
expect 1 forage label -w nowhere --list
expect 4 forage watch --focus-words '...' "$origin/"
complains "has no word in it"
done_testing
