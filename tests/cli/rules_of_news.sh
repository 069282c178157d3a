# What is told is new, is a page worth reading, and comes soon: one hour of eight small sites
# that publish, and a check for each rule. What each site does stands in rules_of_news.py.
. tests/cli/common
command -v python3 >/dev/null || { echo "python3 is missing: no server"; exit 77; }
speed=${1:-240} # of its seconds in one of ours
python3 "$root/tests/cli/rules_of_news.py" $speed blog endless endless2 endless3 paper shop wiki boxes board \
    >"$scratch/server.log" 2>&1 &
server=$!
trap 'kill "$server" 2>/dev/null; rm -rf "$scratch"' EXIT
within 20 test -s sites
. ./sites
forage watch -w ws --quiet --net-allow-private loopback --clock-speed $speed --clock-anchor "$anchor" \
    --output-kinds new,changed --time-limit $((3840 / speed))s "$endless_seed" "$endless2_seed" "$endless3_seed" "$blog_seed" "$paper_seed" \
    "$shop_seed" "$wiki_seed" "$boxes_seed" "$board_seed" >events 2>"$scratch/err"
: >"$scratch/out"
kill "$server"

told() { grep -qF "\"url\":\"$1\"" events; }
must() { told "$2" || flunk "rule $1: not told: $2"; }
must_not() { told "$2" && flunk "rule $1: told: $2"; }
# minutes URL SITE: from the first request to the site to the event, -1 if there is none.
minutes() {
    python3 - "$1" "$2" <<'END'
import datetime, json, sys
begun = {name: float(t) for name, t in (l.split() for l in open('begun'))}
found = [datetime.datetime.fromisoformat(e['found_at'].replace('Z', '+00:00')).timestamp() for e in map(json.loads, open('events'))
         if e.get('url') == sys.argv[1]]
print(int((found[0] - begun[sys.argv[2]]) // 60) if found else -1)
END
}
# by MINUTES RULE URL SITE: it was told so soon after the first request.
by() {
    got=$(minutes "$3" "$4")
    { [ "$got" -ge 0 ] && [ "$got" -lt "$1" ]; } || flunk "rule $2: $3 was told after $got minutes"
}
# asked SITE PATH SECONDS: so often within that time.
asked() { awk -v s="$1" -v p="$2" -v t="$3" '$2 == s && $3 == p && $1 <= t' requests | wc -l; }

# 1. Links of a first look, and what anything dates before the watch, are never told.
grep -qE '"url":"[^"]*/(stock-of-old|item-about-things|issue/number-of-the-day-(8|9|100))' events &&
    flunk "rule 1: the stock is told: $(grep -cE 'stock-of-old|item-about-things' events)"
for old in story/old-by-the-feed story/old-by-json-ld story/old-by-meta-element \
    2024/03/05/old-by-its-address story/old-by-the-sitemap; do
    must_not 1 "$blog/$old"
done
must 1 "$blog/story/fresh-from-the-press"
must 1 "$blog/story/in-the-feed-alone"

# What a box beside the list turns up is old, also where nothing has a date.
must 1 "$boxes/notice/about-our-event-102"
must 1 "$boxes/notice/about-our-event-103"
grep -q '"url":"[^"]*/thing-of-the-past-' events &&
    flunk "rule 1: what boxes turn up is told: $(grep -c thing-of-the-past events)"

# 2. The seed goes first; what announces new pages is looked at twice within minutes, and
# what came between the looks is told while the site is explored.
first=$(awk '$2 == "blog" && $3 !~ /^\/(robots.txt|.well-known)/ { print $3; exit }' requests)
[ "$first" = /front ] || flunk "rule 2: $first goes before the seed"
for list in /front /feed.xml /sitemap.xml; do
    [ "$(asked blog $list 420)" -ge 2 ] || flunk "rule 2: $list was asked for $(asked blog $list 420) times"
done
by 12 2 "$blog/story/early-bird" blog

# 3. Sites without end beside it do not keep the news of this one waiting.
by 28 3 "$paper/issue/number-of-the-day-101" paper
by 38 3 "$paper/issue/number-of-the-day-102" paper
by 48 3 "$paper/issue/number-of-the-day-103" paper
[ "$(grep -c ' endless ' requests)" -le 120 ] || flunk "rule 3: $(grep -c ' endless ' requests) requests to explore"

# 4. An event says what it is about; what is no page to read is none.
grep -F "\"url\":\"$blog/story/fresh-from-the-press\"" events >"$scratch/out"
last="the event of a new page"
lines 1
value "d['title'], d['language'], d['found_on']" "('Fresh from the press', 'en', '$blog/front')"
value "len(d['excerpt']) > 50 and d['excerpt'].startswith('The '), d['published'] <= d['found_at']" "(True, True)"
: >"$scratch/out"
must 4 "$blog/story/where-it-moved-to"
for other in "tag/weather" "login?to=fresh" "story/fresh-from-the-press?print=1" "share?u=fresh" \
    "story/fresh-from-the-press?action=edit" "story/not-to-be-indexed" "story/here-for-a-while" \
    "story/fresh-from-the-press?utm_source=home" "topic.php?start=10&t=5" "topic.php?t=5&start=10"; do
    must_not 4 "$blog/$other"
done

# 6. Title and price make a page another one; another address does not.
must 6 "$shop/product/chair-in-teal"
must 6 "$shop/product/chair-in-amber"
must_not 6 "$shop/offers/again-chair-in-teal"

# A price that a list shows otherwise than before is read at once: by itself the offer
# would wait for half an hour.
by 24 6 "$shop/product/chair-in-red" shop
[ "$(grep -c '"type":"changed"' events)" -eq 1 ] || flunk "changes told: $(grep -c '"type":"changed"' events)"

# A page that is not told for what it is, is not read again because another list shows it.
[ "$(asked blog /story/not-to-be-indexed 4000)" -le 2 ] ||
    flunk "rule 8: a noindex page was asked for $(asked blog /story/not-to-be-indexed 4000) times"

# 7. Where the oldest come first, the last page is watched, also if it is a parameter.
told=$(grep -c '"url":"[^"]*/thread/' events)
{ [ "$told" -ge 2 ] && [ "$told" -le 5 ]; } || flunk "rule 7: $told threads of the last page are told"
must 7 "$board/thread/iris-and-daisy" # the first of a page that has come

# Articles with a box of others are no sources; a feed of diffs leads to the page itself.
must 7 "$wiki/wiki.php?id=page-omega"
grep -qE '"url":"[^"]*do=diff' events && flunk "rule 7: a diff is told"
must_not 7 "$wiki/wiki.php?id=page-zeta"
forage export -w ws >pages 2>/dev/null
sources=$(python3 -c "import json
print(*sorted(p['url'] for p in map(json.loads, open('pages')) if 'source' in p['flags'] and p['url'].startswith('$wiki/')))")
[ "$sources" = "$wiki/wiki-feed.xml $wiki/wiki.php?id=start" ] || flunk "rule 7: sources are: $sources"
[ "$(grep -vc thing-of-the-past events)" -le 24 ] || flunk "more was told than there is: $(wc -l <events) events"
done_testing_or rules_of_news.sh 60
