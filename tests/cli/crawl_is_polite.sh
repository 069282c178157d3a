# Politeness as the other side sees it: everything is read from the server's own log.
. tests/cli/common

# simulate FLAGS: start a web in the background; its sites are in $sites, its log in seen.
simulate() {
    rm -f seen urls
    forage simulate --for 120s --access-log seen "$@" >urls 2>"$scratch/err" &
    web=$!
    within 20 test -s urls
    sites=$(cat urls)
    [ -n "$sites" ] || { flunk "the simulator does not start"; done_testing; }
}
stop_web() {
    kill "$web" 2>/dev/null
    wait "$web" 2>/dev/null
}
trap 'stop_web; rm -rf "$scratch"' EXIT

# watch FLAGS: crawl the sites into a workspace of its own until the time limit.
watch() {
    # shellcheck disable=SC2086
    forage watch --quiet --net-allow-private loopback --workspace ws --crawl-budget 0 \
        --crawl-site-budget 0 --crawl-backfill --crawl-tick 1s "$@" $sites >events 2>"$scratch/err"
    code=$?
    [ "$code" -eq 0 ] || flunk "watch ended with $code"
}
# least_gap: the shortest time, in ms, between two requests to one host.
least_gap() {
    awk '{ if ($2 in last && (least == "" || $1 - last[$2] < least)) least = $1 - last[$2]
           last[$2] = $1 } END { printf "%d", least / 1000 }' seen
}
at_least() { # what value limit
    [ "$2" -ge "$3" ] || flunk "$1 is $2, less than $3"
}
# watch_until N COUNT FLAGS: again and again until the count is N.
watch_until() {
    least=$1 count=$2
    shift 2
    for _ in 1 2 3 4 5 6 7 8 9 10; do
        [ "$($count)" -ge "$least" ] && return
        watch "$@"
    done
    at_least "$count" "$($count)" "$least"
}
requests() { wc -l <seen; }
tell() { echo "$1: $(requests) requests, least gap $(least_gap) ms, $(grep -c ' 503 ' seen) of them 503"; }

# 1. The delay, per host; what robots.txt forbids is linked from every page and never asked.
simulate --sites 2
watch --fetch-delay 150ms --time-limit 4s
watch_until 20 requests --fetch-delay 150ms --time-limit 2s
at_least "the gap with a delay of 150 ms" "$(least_gap)" 150
[ "$(awk '{print $2}' seen | sort -u | wc -l)" -eq 2 ] || flunk "not both hosts were asked"
for site in 0 1; do
    [ "$(awk -v s=$site '$2 == s {print $3; exit}' seen)" = /robots.txt ] ||
        flunk "robots.txt of site $site was not asked for first"
done
grep -q ' /private' seen && flunk "a page that robots.txt forbids was asked for"
[ "$(grep -c ' /robots.txt ' seen)" -eq 2 ] || flunk "robots.txt was not asked for just once"
grep -qv 'compatible; forage' seen && flunk "a request does not say who asks"
# A second run at once: its first request waits, and robots.txt is remembered.
watch --fetch-delay 150ms --time-limit 2s
at_least "the gap over a restart" "$(least_gap)" 150
[ "$(grep -c ' /robots.txt ' seen)" -eq 2 ] || flunk "robots.txt was forgotten over a restart"
tell "a delay of 150 ms, over a restart"
stop_web
rm -rf ws

# 2. A Crawl-delay that is longer than ours.
simulate --sites 2 --crawl-delay 1
watch --fetch-delay 10ms --time-limit 5s
watch_until 6 requests --fetch-delay 10ms --time-limit 2s
at_least "the gap with a Crawl-delay of a second" "$(least_gap)" 1000
grep -q ' /private' seen && flunk "a page that robots.txt forbids was asked for"
tell "a Crawl-delay of 1 s"
stop_web
rm -rf ws

# 3. 503 with Retry-After: 120, at 400 times the speed: no request to that host for 300 ms.
anchor=$(date -u +%Y-%m-%dT%H:%M:%SZ)
simulate --sites 3 --speed 400 --anchor "$anchor" --trouble 0.1
busy() { grep -c ' 503 ' seen; }
watch_until 3 busy --fetch-delay 4s --crawl-tick 10m --clock-speed 400 --clock-anchor "$anchor" --time-limit 6s
early=$(awk '$2 in until && $1 < until[$2] { print }
             $4 == 503 { until[$2] = $1 + 120e6 / 400 }' seen)
[ -z "$early" ] || flunk "asked before Retry-After had passed: $early"
tell "Retry-After: 120 at 400 times the speed"
stop_web
rm -rf ws

# 4. Back-off outlives a crash: the plug is pulled, and the host still hears nothing.
simulate --sites 1 --trouble 1
forage watch --quiet --net-allow-private loopback --workspace ws --fetch-delay 10ms \
    --crawl-budget 0 $sites >events 2>"$scratch/err" &
crawler=$!
within 30 grep -q ' 503 ' seen
# It knows of the answer when that is stored.
within 30 sh -c 'forage ledger 127.0.0.1 -w ws --json | grep -q "\"status\":503"'
kill -9 "$crawler"
wait "$crawler" 2>/dev/null
before=$(requests)
[ "$(grep -c ' 503 ' seen)" -eq 1 ] || flunk "a host that answers 503 was asked again"
for _ in 1 2 3; do
    watch --fetch-delay 10ms --time-limit 1s
done
[ "$(requests)" -eq "$before" ] || flunk "after a crash a host that backs off was asked"
tell "back-off over a crash"
stop_web
done_testing
