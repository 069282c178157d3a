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
forage watch -w ws $common --clock-speed $speed --clock-anchor "$anchor" \
    "$calendar_seed" "$session_seed" "$quiet_seed" >events 2>"$scratch/err" &
two_days=$!

# pages SITE [PATTERN]: the requests for pages of a slow site.
pages() { awk -v s="$1" -v p="${2:-^/([^r.]|$)}" '$2 == s && $3 ~ p' slow/requests; }
# minutes SITE: from the first of them to the last, in the time of the site.
minutes() { pages "$1" | awk '{ if (!n++) first = $1; last = $1 } END { print int((last - first) / 60) }'; }

# 8. A budget below one request a tick is kept until it is one, and does for what is new.
. ./slow/sites
clock="--clock-speed 600 --clock-anchor $anchor"
forage watch -w little $common $clock --crawl-budget 30 --crawl-tick 1m "$paper_seed" >little.events 2>/dev/null &
little() { [ "$(minutes paper)" -ge 80 ] && has 10 pages paper && has 5 cat little.events; }
stop_when $! 40 little
n=$(pages paper | wc -l) minutes=$(minutes paper)
[ "$n" -le $((10 + minutes / 2)) ] || flunk "rule 8: $n requests in $minutes minutes with a budget of 30 an hour"

# 3. New pages could take all of it, but documents have their share: a fifth of the requests,
# however long those take.
for i in 1 2 3 4; do printf '%s/doc/%s\ttype=document\n' "$torrent" $i; done >seeds
forage add -w both seeds $common >/dev/null 2>&1
forage watch -w both $common $clock --crawl-budget 30 --crawl-tick 1m "$torrent_seed" >both.events 2>/dev/null &
stop_when $! 90 has 50 pages torrent
n=$(pages torrent | wc -l) documents=$(pages torrent ^/doc/ | wc -l)
[ "$documents" -ge $((n / 5 - 1)) ] || flunk "rule 3: documents were asked for $documents times only in $n requests"
[ "$(wc -l <both.events)" -ge 10 ] || flunk "rule 3: $(wc -l <both.events) events only beside documents in $n requests"

# A restart hands out nothing.
begin=$(date +%s) restarts=0
until [ $restarts -ge 8 ] && has 3 pages endless || [ $restarts -ge 40 ]; do
    restarts=$((restarts + 1))
    forage watch -w again $common $clock --clock-speed 60 --crawl-budget 60 --time-limit 500ms "$endless_seed" >/dev/null 2>&1
done
minutes=$(($(date +%s) - begin + 1))
n=$(pages endless | wc -l)
[ "$n" -le $((14 + 2 * minutes)) ] || flunk "rule 8: $n requests in $minutes minutes with a budget of 60 an hour, restarted $restarts times"
[ "$n" -ge 3 ] || flunk "rule 8: $n requests only"

# 1. Reading all old pages is quiet.
forage watch -w all $common $clock --crawl-backfill --crawl-site-budget 0 --crawl-budget 0 "$endless2_seed" >all.events 2>/dev/null &
stop_when $! 60 has 50 pages endless2
[ -s all.events ] && flunk "rule 1: backfill told $(wc -l <all.events) pages"

# on DAY SITE PATTERN: requests of that day, counted from 0.
on() { awk -v d="$1" -v s="$2" -v p="$3" '$2 == s && int($1 / 86400) == d && $3 ~ p' fast/requests | wc -l; }
# Two days are over when the third has begun. A machine with much to do explores for longer
# than a day: then a later one is the second.
day=1
calm() { [ "$(on $day calendar 'month=')" -le 2 ] && [ "$(on $day session 'visitor=')" -eq 0 ]; }
second_day() {
    [ "$(on $((day + 1)) quiet /)" -ge 1 ] || return 1
    calm || [ $day -ge 5 ] && return 0
    day=$((day + 1))
    return 1
}
stop_when "$two_days" 120 second_day
kill "$fast" "$slow"

# 5. A trap is asked 30 times at most and then once a day; a parameter without effect goes.
all() { awk -v s="$1" -v p="$2" '$2 == s && $3 ~ p' fast/requests | wc -l; }
[ "$(all calendar 'month=')" -le $((60 + 2 * day)) ] || flunk "rule 5: the calendar was asked $(all calendar 'month=') times"
[ "$(on $day calendar 'month=')" -le 2 ] || flunk "rule 5: the calendar was asked $(on $day calendar 'month=') times on day $day"
[ "$(all session 'visitor=')" -le 30 ] || flunk "rule 5: $(all session 'visitor=') requests with a session"
[ "$(on $day session 'visitor=')" -eq 0 ] || flunk "rule 5: $(on $day session 'visitor=') requests with a session on day $day"
expect 0 forage explain "$session/report/about-the-matter-one?visitor=77" -w ws --json
value "d['without_effect'], d['normalised']" "(['visitor'], '$session/report/about-the-matter-one')"
expect 0 forage explain "$calendar/calendar?month=2&day=2" -w ws --json
value "d['pattern']['text'].startswith('/calendar?'), d['pattern']['reported']" "(True, 0)"
[ -s events ] && flunk "rule 1: $(wc -l <events) events, and nothing is new"

# 8. A site that publishes nothing costs 60 requests at most on the second day.
[ "$(on 0 quiet /)" -ge 10 ] || flunk "the quiet site was hardly looked at"
[ "$(on $day quiet /)" -le 60 ] || flunk "rule 8: $(on $day quiet /) requests on day $day"
[ "$(on $day quiet /)" -ge 4 ] || flunk "rule 8: $(on $day quiet /) requests only on day $day"
done_testing
