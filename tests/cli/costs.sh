# What a request costs, where the user says so: with four times the budget for a site whose
# requests cost four times as much, no more requests are made.
. tests/cli/common
command -v python3 >/dev/null || { echo "python3 is missing: no server"; exit 77; }
mkdir slow
(cd slow && exec python3 "$root/tests/cli/rules_of_news.py" 600 paper) >"$scratch/slow.log" 2>&1 &
slow=$!
trap 'kill "$slow" 2>/dev/null; rm -rf "$scratch"' EXIT
within 20 test -s slow/sites
. ./slow/sites
common="--quiet --net-allow-private loopback --clock-speed 600 --clock-anchor $anchor --crawl-tick 1m"
host=$(printf '%s' "$paper_seed" | sed 's|^http://||; s|/.*||')
pages() { awk '$3 ~ "^/([^r.]|$)"' slow/requests; }
minutes() { pages | awk '{ if (!n++) first = $1; last = $1 } END { print int((last - first) / 60) }'; }

forage watch -w dear $common --crawl-budget 120 --crawl-costs "$host=4" "$paper_seed" >dear.events 2>/dev/null &
dear() { [ "$(minutes)" -ge 80 ] && has 10 pages; }
stop_when $! 90 dear
n=$(pages | wc -l) minutes=$(minutes)
[ "$n" -le $((10 + minutes / 2)) ] || flunk "$n requests in $minutes minutes with 120 an hour at a cost of 4 each"
[ "$n" -ge 10 ] || flunk "$n requests only"
[ "$(wc -l <dear.events)" -ge 2 ] || flunk "only $(wc -l <dear.events) new pages told: looks have taken the budget"
forage why -w dear --json "$paper_seed" >why.json 2>/dev/null || flunk "why failed"
cost=$(sed -n 's/.*"cost": *\([0-9.]*\).*/\1/p' why.json)
[ "${cost%.*}" = 3 ] || [ "${cost%.*}" = 4 ] || flunk "why says a cost of '$cost': $(cat why.json)"

done_testing
