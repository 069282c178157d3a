# Every policy runs live by its name: it crawls the simulated web, finds new pages, saves
# what it knows and goes on with it. Those that see the future are for the lab. Refresh
# policies take turns beside the discovery policies.
. tests/cli/common
export FORAGE_CRAWL_LEAST_DELAY=0 FORAGE_CRAWL_SITE_BUDGET=0 FORAGE_CRAWL_BACKFILL=yes
set -f # two names end in a star

expect 0 forage policies
live=$(sed -n 's/^\([^ ]*\) (discovery\(, refresh\)\{0,1\})$/\1/p' "$scratch/out")
blind=$(sed -n 's/^\([^ ]*\) (discovery; for the lab only)$/\1/p' "$scratch/out")
# shellcheck disable=SC2086
[ "$(printf '%s\n' $live $blind | sort -u | wc -l)" -eq "$(grep -c '^[^ ].* (.*discovery' "$scratch/out")" ] ||
    flunk "not every policy was found in the list"

refreshers=$(sed -n 's/^\([^ ]*\) (\(discovery, \)\{0,1\}refresh)$/\1/p' "$scratch/out")
expect 4 forage watch -w lab --quiet --time-limit 1s --policy-refresh clairvoyant http://127.0.0.1:9/
complains "policy.refresh: 'clairvoyant' has to see the future and is for the lab only"
# refresher NUMBER: the one whose turn it is.
refresher() {
    # shellcheck disable=SC2086
    printf '%s\n' $refreshers | sed -n "$((($1 - 1) % $(printf '%s\n' $refreshers | wc -l) + 1))p"
}

for policy in $blind; do
    expect 4 forage watch -w lab --quiet --time-limit 1s --policy-discovery "$policy" http://127.0.0.1:9/
    complains "policy.discovery: '$policy' has to see the future and is for the lab only"
done
printf 'policy.discovery: greedy\n' >greedy.yaml
expect 4 forage watch --config greedy.yaml -w lab --time-limit 1s http://127.0.0.1:9/
complains "'greedy' has to see the future"

# Ten simulated hours a second.
anchor=$(date -u +%Y-%m-%dT%H:%M:%SZ)
forage simulate --for 300s --sites 2 --speed 36000 --anchor "$anchor" >urls 2>"$scratch/err" &
web=$!
trap 'kill $web 2>/dev/null; rm -rf "$scratch"' EXIT
within 30 test -s urls
urls=$(cat urls)

# crawl NUMBER POLICY FETCHES: with a workspace of its own; the time is only a guard. When the
# machine has much to do, time runs away: all fetches may go to pages that were there before,
# and the crawl goes on.
crawl() {
    mkdir -p "$1"
    printf 'policy:\n  discovery: "%s"\n  refresh: "%s"\n' "$2" "$(refresher "$1")" >"$1/forage.yaml"
    before=$(cat "$1/found" 2>/dev/null || echo 0)
    for _ in 1 2 3 4; do
        # shellcheck disable=SC2086
        forage watch -w "$1" --quiet --no-fetch-http2 --net-allow-private loopback --fetch-delay 0 \
            --fetch-concurrency 4 --crawl-tick 1h --crawl-explore 20 --crawl-budget 20 --clock-speed 36000 \
            --clock-anchor "$anchor" --fetch-limit "$3" --time-limit 90s $urls >>"$1/events" 2>>"$1/log"
        echo $? >"$1/code"
        [ "$(cat "$1/code")" -ne 14 ] || [ "$(wc -l <"$1/events")" -gt "$before" ] && return
    done
}
# crawl_all FETCHES: some at a time; they mostly wait for the clock.
crawl_all() {
    n=0 crawls=
    for policy in $live; do
        n=$((n + 1))
        crawl $n "$policy" "$1" &
        crawls="$crawls $!"
        [ $((n % 9)) -eq 0 ] || continue
        # shellcheck disable=SC2086
        wait $crawls
        crawls=
    done
    # shellcheck disable=SC2086
    [ -z "$crawls" ] || wait $crawls
}
# check_all: each ended at its limit, without a word, and has found more than before.
check_all() {
    n=0
    for policy in $live; do
        n=$((n + 1))
        [ "$(cat $n/code)" -eq 14 ] || flunk "$policy: exit code $(cat $n/code): $(head -n 3 $n/log)"
        [ -s $n/log ] && flunk "$policy is not quiet: $(head -n 3 $n/log)"
        found=$(wc -l <$n/events)
        [ "$found" -gt "$(cat $n/found 2>/dev/null || echo 0)" ] || flunk "$policy found nothing new: $found"
        echo "$found" >$n/found
    done
}
crawl_all 200
check_all
crawl_all 500
check_all

# It is the policy that was asked for, and it has something to say about a source.
n=0
for policy in $live; do
    n=$((n + 1))
    expect 0 forage status -w $n --json
    value "d['crawl']['discovery_policy'], d['crawl']['refresh_policy'], d['crawl']['ended']" \
        "('$policy', '$(refresher $n)', 'fetch limit')"
    expect 0 forage why -w $n --json "$(head -n 1 urls)"
    value "d['is'], d['policy'], d['is_known_to_policy']" "('source', '$policy', True)"
done
done_testing
