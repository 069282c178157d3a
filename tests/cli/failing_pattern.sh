# Pages of one pattern that all fail, by an error or by a connection that is dropped, are left
# alone after a few; the site is watched as if they were not there.
. tests/cli/common
command -v python3 >/dev/null || { echo "needs python3"; exit 77; }

days() { grep -c '^/calendar/' requests; }
is_enough() { has 12 grep -x / requests; }
for mode in 500 drop; do
    rm -f url requests
    python3 "$root/tests/cli/failing_pattern.py" $mode >/dev/null 2>&1 &
    server=$!
    trap 'kill $server 2>/dev/null; rm -rf "$scratch"' EXIT
    within 20 test -s url
    forage watch -w $mode --net-allow-private loopback --clock-speed 3600 --fetch-delay 1s \
        "$(cat url)" >"$scratch/out" 2>"$scratch/err" &
    stop_when $! 90 is_enough
    code=$? last="watch ($mode)"
    [ $code -eq 11 ] || flunk "exit code $code"
    [ "$(days)" -ge 1 ] || flunk "$mode: none of the days was tried"
    [ "$(days)" -le 12 ] || flunk "$mode: the days were asked for $(days) times"
    [ "$(grep -c '"type":"discovery"' "$scratch/out")" -ge 1 ] || flunk "$mode: nothing is reported"
    expect 0 forage why -w $mode "$(cat url)"
    says "a source"
    kill $server
    wait $server 2>/dev/null
done
trap 'rm -rf "$scratch"' EXIT
done_testing
