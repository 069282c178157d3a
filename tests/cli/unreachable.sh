# A crawl that can reach nothing says so, and why; a demo that is stopped tells what it
# has and leaves nothing behind.
. tests/cli/common

expect 0 forage watch --time-limit 1s http://127.0.0.1:9/
complains "nothing is asked of a host while its robots.txt cannot be had"
complains "the address is not public"
expect 0 forage status
says "its address is not public, so it is not asked"
expect 0 forage why http://127.0.0.1:9/
says "its robots.txt could not be fetched"
# Another setting counts from the next start on, and no longer wait is left from before.
expect 0 forage run --net-allow-private loopback --time-limit 7s
complains "Failed to connect"
expect 0 forage status
says "robots.txt cannot be fetched, next try in"
expect 0 forage why 127.0.0.1:9
says "its robots.txt could not be fetched"
expect 0 forage explain 127.0.0.1:9/x
says "127.0.0.1:9/x"
# Of what is paused nothing is expected.
expect 0 forage pause 127.0.0.1:9
expect 0 forage status
says "paused"
grep -q alarm "$scratch/out" && flunk "an alarm of a site that is paused"

expect 0 forage watch -w refused --net-allow-private loopback --time-limit 1s http://127.0.0.1:9/
complains "nothing is asked of a host"

expect 4 forage demo --for 2s --policy oracle
complains "has to see the future"
mkdir tmp
forage demo --for 60s --json >demo.json 2>demo.err &
demo=$!
sleep 4
kill -TERM $demo
wait $demo
code=$?
[ $code -eq 11 ] || flunk "a demo that was stopped ends with $code: $(cat demo.err)"
grep -q '"round_robin"' demo.json || flunk "a demo that was stopped tells nothing"
done_testing
