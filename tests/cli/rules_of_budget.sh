# What a site is asked: traps hardly, a quiet site little, and never more than the budget.
# What each site does stands in rules_of_news.py.
. tests/cli/common
command -v python3 >/dev/null || { echo "python3 is missing: no server"; exit 77; }
speed=9000
mkdir fast slow
(cd fast && exec python3 "$root/tests/cli/rules_of_news.py" $speed calendar session quiet) >"$scratch/server.log" 2>&1 &
fast=$!
(cd slow && exec python3 "$root/tests/cli/rules_of_news.py" 600 endless endless2 paper torrent) >"$scratch/slow.log" 2>&1 &
slow=$!
trap 'kill "$fast" "$slow" 2>/dev/null; rm -rf "$scratch"' EXIT
within 20 test -s fast/sites
within 20 test -s slow/sites
common="--quiet --net-allow-private loopback"
. ./fast/sites
# Two days, in the background.
forage watch -w ws $common --clock-speed $speed --clock-anchor "$anchor" --time-limit 20s \
    "$calendar_seed" "$session_seed" "$quiet_seed" >events 2>"$scratch/err" &
two_days=$!

# 8. A budget below one request a tick is kept until it is one, and does for what is new.
. ./slow/sites
clock="--clock-speed 600 --clock-anchor $anchor"
forage watch -w little $common $clock --crawl-budget 30 --crawl-tick 1m --time-limit 9s "$paper_seed" >little.events 2>/dev/null
n=$(grep -cE ' paper /([^r.]|$)' slow/requests)
{ [ "$n" -ge 10 ] && [ "$n" -le 55 ]; } || flunk "rule 8: $n requests in 90 minutes with a budget of 30 an hour"
[ "$(wc -l <little.events)" -ge 5 ] || flunk "rule 8: $(wc -l <little.events) events with a budget of 30 an hour"

# 3. New pages could take all of it, but documents have their share.
for i in 1 2 3 4; do printf '%s/doc/%s\ttype=document\n' "$torrent" $i; done >seeds
forage add -w both seeds $common >/dev/null 2>&1
forage watch -w both $common $clock --crawl-budget 30 --crawl-tick 1m --time-limit 9s "$torrent_seed" >both.events 2>/dev/null
n=$(grep -c ' torrent /doc/' slow/requests)
[ "$n" -ge 9 ] || flunk "rule 3: documents were asked for $n times only"
[ "$(wc -l <both.events)" -ge 10 ] || flunk "rule 3: $(wc -l <both.events) events only beside documents"

# A restart hands out nothing.
begin=$(date +%s)
for i in 1 2 3 4 5 6 7 8; do
    forage watch -w again $common $clock --clock-speed 60 --crawl-budget 60 --time-limit 500ms "$endless_seed" >/dev/null 2>&1
done
minutes=$(($(date +%s) - begin + 1))
n=$(grep -cE ' endless /([^r.]|$)' slow/requests)
[ "$n" -le $((14 + 2 * minutes)) ] || flunk "rule 8: $n requests in $minutes minutes with a budget of 60 an hour, restarted 8 times"
[ "$n" -ge 3 ] || flunk "rule 8: $n requests only"

# 1. Reading all old pages is quiet.
forage watch -w all $common $clock --crawl-backfill --crawl-site-budget 0 --crawl-budget 0 --time-limit 3s "$endless2_seed" >all.events 2>/dev/null
n=$(grep -cE ' endless2 /([^r.]|$)' slow/requests)
[ "$n" -ge 50 ] || flunk "rule 1: backfill made $n requests only"
[ -s all.events ] && flunk "rule 1: backfill told $(wc -l <all.events) pages"
wait "$two_days"
kill "$fast" "$slow"

# on DAY SITE PATTERN: requests of that day, counted from 0.
on() { awk -v d="$1" -v s="$2" -v p="$3" '$2 == s && int($1 / 86400) == d && $3 ~ p' fast/requests | wc -l; }
# 5. A trap is asked 30 times at most and then once a day; a parameter without effect goes.
[ "$(on 0 calendar 'month=')" -le 60 ] || flunk "rule 5: the calendar was asked $(on 0 calendar 'month=') times"
[ "$(on 1 calendar 'month=')" -le 2 ] || flunk "rule 5: the calendar was asked $(on 1 calendar 'month=') times on the second day"
[ "$(on 0 session 'visitor=')" -le 30 ] || flunk "rule 5: $(on 0 session 'visitor=') requests with a session"
[ "$(on 1 session 'visitor=')" -eq 0 ] || flunk "rule 5: $(on 1 session 'visitor=') requests with a session on the second day"
expect 0 forage explain "$session/report/about-the-matter-one?visitor=77" -w ws --json
value "d['without_effect'], d['normalised']" "(['visitor'], '$session/report/about-the-matter-one')"
expect 0 forage explain "$calendar/calendar?month=2&day=2" -w ws --json
value "d['pattern']['text'].startswith('/calendar?'), d['pattern']['reported']" "(True, 0)"
[ -s events ] && flunk "rule 1: $(wc -l <events) events, and nothing is new"

# 8. A site that publishes nothing costs 60 requests at most on the second day.
[ "$(on 0 quiet '/')" -ge 10 ] || flunk "the quiet site was hardly looked at"
[ "$(on 1 quiet '/')" -le 60 ] || flunk "rule 8: $(on 1 quiet '/') requests on the second day"
[ "$(on 1 quiet '/')" -ge 4 ] || flunk "rule 8: $(on 1 quiet '/') requests only on the second day"
done_testing
