# The simulated web can be as ugly as a real one, and says what it published; the demo
# crawls that one unless it is asked not to.
. tests/cli/common

forage simulate --for 60s --ugly --published truth.jsonl >urls 2>"$scratch/err" &
web=$!
trap 'kill $web 2>/dev/null; rm -rf "$scratch"' EXIT
within 20 test -s urls
[ "$(wc -l <urls)" -eq 4 ] || flunk "not four sites"
home=$(sed -n 1p urls)
loopback="--net-allow-private loopback --fetch-delay 0"
# shellcheck disable=SC2086
expect 0 forage fetch $loopback "${home}page/2/" --json
value "d['status']" 200
article=$(head -n 1 truth.jsonl | sed 's/.*"url":"\([^"]*\)".*/\1/')
# shellcheck disable=SC2086
expect 0 forage fetch $loopback "$article" --json
value "d['status']" 200
# shellcheck disable=SC2086
expect 0 forage fetch $loopback "${home}?p=0" --json
value "d['url'].endswith('-0.html')" True
kill $web

# A web whose time runs ahead of ours says what time it is: articles of its today are not to
# come.
forage simulate --for 60s --sites 1 --speed 10 --anchor "$(date -u -d '1 day ago' +%Y-%m-%dT%H:%M:%SZ)" >ahead 2>"$scratch/err" &
web=$!
within 20 test -s ahead
# shellcheck disable=SC2086
expect 0 forage fetch $loopback "$(sed -n 1p ahead)" --json
value "(__import__('email.utils').utils.parsedate_to_datetime(dict(d['headers'])['Date']).timestamp() - $(date +%s)) // 86400 in (8, 9)" True
kill $web

expect 0 forage demo --for 2s --sites 1 --offers 0 --plain
says "published  reported precision    recall median delay  90 % within   fetches"
says "forage  "
says "round-robin"
done_testing
