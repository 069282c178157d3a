# Why a page was or was not reported, and fetched: explain says so of every page that is
# known, with the record of the pattern of its address; status counts the reasons.
. tests/cli/common
# shellcheck disable=SC2086
command -v python3 >/dev/null || { echo "python3 is missing: no server"; exit 77; }
mkdir -p www/n www/t
python3 "$root/tests/cli/small_site.py" >"$scratch/server.log" 2>&1 &
server=$!
trap 'kill "$server" 2>/dev/null; rm -rf "$scratch"' EXIT
within 30 test -e ready
a=$(sed -n 1p origins)
now=$(date -u +%Y-%m-%dT%H:%M:%SZ)
later=$(date -u -d "+10 minutes" +%Y-%m-%dT%H:%M:%SZ)
crawl="--quiet --net-allow-private loopback --crawl-budget 0 --crawl-site-budget 0 --fetch-delay 1ms --crawl-tick 2m"
clock="--clock-speed 240 --clock-anchor $now"
# story NAME DATE [HEAD]: an article with a text of its own.
story() {
    python3 - "$@" >"www/$1" <<'P'
import sys
name, date, head = (sys.argv[1:] + [""])[:3]
words = " ".join("%s%d" % (name.strip("/n").replace("-", ""), i) for i in range(150))
print('<html lang=en><title>The story of %s</title>%s<main><article><h1>The story of %s</h1>'
      '<time datetime=%s>then</time><p>%s</p></article></main>' % (name, head, name, date, words))
P
}
index() {
    {
        printf '<title>Home</title><main><ul>'
        for path; do printf '<li><a href="%s">A story that is told under %s</a>' "$path" "$path"; done
        printf '</ul></main><a href="/login">Log in</a> <a href="/gone">gone</a>'
    } >index.tmp
    mv index.tmp www/index
}
# run WS PATH...: crawl until all of these were asked for, and once more a moment later.
run() {
    ws=$1
    shift
    : >requests
    forage run -w "$ws" $crawl $clock --events >>"$ws.events" 2>"$scratch/err" &
    pid=$!
    for path; do within 30 grep -q "$path" requests; done
    sleep 1
    kill -TERM "$pid"
    wait "$pid"
    cat requests >>all
}
explain() { expect 0 forage explain "$a$1" -w ws --json; }
for i in 1 2 3 4 5 6; do story n/old-story-$i 2020-01-01T00:00:00Z; done
story t/page 2020-01-01T00:00:00Z
old="/n/old-story-1 /n/old-story-2 /n/old-story-3 /n/old-story-4 /n/old-story-5 /n/old-story-6"
for i in 1 2 3 4 5 6 7; do old="$old /t/page?sid=abcdef$i"; done
index $old
expect 0 forage add -w ws "$a/"
run ws old-story- abcdef4 /gone
[ -s ws.events ] && flunk "the stock is reported: $(cat ws.events)"
story n/new-story-one "$later"
story n/new-story-hidden "$later" '<meta name=robots content=noindex>'
cp www/n/new-story-one www/n/new-story-copy
story n/old-story-late 2020-02-02T00:00:00Z
# What came while no crawl ran is reported by the next one.
index /n/new-story-one /n/new-story-hidden /n/new-story-copy /n/old-story-late $old
run ws new-story-one new-story-hidden new-story-copy old-story-late
grep -q new-story-one ws.events || flunk "what came between two runs is swallowed"
[ "$(wc -l <ws.events)" -eq 1 ] || flunk "events: $(cat ws.events)"

# Four of the old stories have told what they are like.
for i in 1 2 3 4 5 6; do
    if grep -q "/n/old-story-$i" all; then read=/n/old-story-$i; else left=/n/old-story-$i; fi
done

# 1. Told or not.
explain /n/new-story-one
value "d['told']['cause'], d['not_fetched'], d['looks_like']['kind']" "('reported', None, 'page')"
value "d['pattern']['text'], d['pattern']['reported'], d['pattern']['is_trap']" "('/n/*', 1, False)"
value "d['pattern']['fetched'] == sum(d['pattern'][k] for k in ('pages', 'lists', 'documents', 'copies', 'others'))" True
while read -r path cause; do
    explain "$path"
    value "d['told']['cause']" "$cause"
done <<TABLE
/ named
/n/new-story-hidden noindex
/n/new-story-copy copy
$read old
/n/old-story-late old
$left stock
/gone gone
TABLE
expect 0 forage explain "$a$read" -w ws
says "not reported   it is dated 2020-01-01T00:00:00Z, and its site is watched since"
says "pattern        /n/*"
says " known, 8 fetched (pages 6, lists 0, documents 0, copies 1, others 1), 1 reported; last asked "

# 2. Fetched or not.
explain "$left"
value "d['crawled'], d['verdict'], d['not_fetched']['cause']" "(False, 'settled', 'settled')"
expect 0 forage explain "$a$left" -w ws --json --crawl-backfill
value "d['crawled'], d['verdict']" "(True, 'waiting')"
expect 0 forage why "$a$left" -w ws --json
value "d['cause']" settled
explain /login
value "d['crawled'], d['not_fetched']['cause'], d['looks_like']['kind']" "(False, 'action', 'action')"
says_of() { expect 0 forage explain "$a$1" -w ws; says "$2"; }
says_of /login "not fetched    its address is that of an action (edit, reply, print ...)"
says_of /n/nobody-links-here "not crawled    no page that was read links to it yet; it is crawled when one does"
says_of "/n/old-story-1?action=edit" "not crawled    its address is that of an action (edit, reply, print ...)"

# 3. A parameter without effect is taken off.
explain "/t/page?sid=zzz999"
value "d['without_effect'], d['normalised']" "(['sid'], '$a/t/page')"
expect 0 forage explain "$a/t/page?sid=zzz999" -w ws
says "no effect      parameter 'sid' is taken off"

# 4. Counted.
expect 0 forage status -w ws --json
value "d['totals']['told'], {k: v for k, v in d['totals']['not_told'].items() if v}" "(1, {'old': 1, 'copy': 1, 'noindex': 1})"
value "d['sites'][0]['told'], d['sites'][0]['not_told'] == d['totals']['not_told']" "(1, True)"
value "sum(d['totals']['waiting_as'].values()) == d['totals']['waiting'] > 0, d['totals']['waiting_as']['new']" "(True, 0)"
expect 0 forage status -w ws --once
says "left out 1 dated before the watch, 1 copied from others, 1 marked noindex"

# 5. Other kinds, for who wants them.
mkdir -p www/tag
printf '<title>Tag</title><main><ul>%s</ul></main>' "$(for i in 1 2 3 4 5 6; do
    printf '<li><a href="/n/old-story-%s">A story about something else, number %s</a>' $i $i; done)" >www/tag/green
expect 4 forage run -w ws $crawl --crawl-report-kinds pages
complains "'pages' is not a kind of page"
index /tag/green /n/new-story-one /n/new-story-hidden /n/new-story-copy /n/old-story-late $old
cp -r ws lists
run ws tag/green
grep -q tag/green ws.events && flunk "a list is reported"
crawl="$crawl --crawl-report-kinds page,list"
run lists tag/green
grep -q tag/green lists.events || flunk "a list is not reported to who wants lists"
done_testing
