# Lists of which there is no end, lists that begin anew elsewhere, and pages that are heard of
# before they are there, lists with numbers that do not begin anew, and headlines that are
# changed: ninety minutes of five small sites of rules_of_news.py.
. tests/cli/common
command -v python3 >/dev/null || { echo "python3 is missing: no server"; exit 77; }
speed=540
python3 "$root/tests/cli/rules_of_news.py" $speed maze volumes chain bylines edited >"$scratch/server.log" 2>&1 &
server=$!
trap 'kill "$server" 2>/dev/null; rm -rf "$scratch"' EXIT
within 20 test -s sites
. ./sites
forage watch -w ws --quiet --net-allow-private loopback --clock-speed $speed --clock-anchor "$anchor" --fetch-delay 1s \
    --time-limit 10s "$maze_seed" "$volumes_seed" "$chain_seed" "$bylines_seed" "$edited_seed" >events 2>"$scratch/err"
: >"$scratch/out"
kill "$server"

# told SITE PATH FIRST LAST: so many of these are.
told() {
    n=0
    for i in $(seq "$3" "$4"); do
        # shellcheck disable=SC2059
        grep -qF "\"url\":\"$1$(printf "$2" "$i")\"" events && n=$((n + 1))
    done
    echo $n
}

# A maze of filters is asked thirty times and then once a day; the list beside it goes on.
asked=$(grep -c ' maze /filter' requests)
{ [ "$asked" -ge 3 ] && [ "$asked" -le 60 ]; } || flunk "the maze was asked $asked times"
[ "$(told "$maze" /thing/made-of-many-%d 32 35)" -ge 3 ] || flunk "of the list beside the maze $(told "$maze" /thing/made-of-many-%d 32 35) are told"
expect 0 forage explain -w ws "$maze/filter?a=1&b=2&c=3&d=4"
says 'family         /filter?*'
says 'a trap: one request a day'

# The volume that begins after twenty minutes is read to its end, and so is the next one.
[ "$(told "$volumes" /v013/msg%05d.html 0 7)" -ge 7 ] || flunk "of a new volume $(told "$volumes" /v013/msg%05d.html 0 7) are told"
[ "$(told "$volumes" /v014/msg%05d.html 0 2)" -ge 2 ] || flunk "of the next volume $(told "$volumes" /v014/msg%05d.html 0 2) are told"

# The page of an author that is met beside her next story holds those of many years.
[ "$(told "$bylines" /stories/story-of-number-%d 1 300)" -eq 0 ] || flunk "of old stories $(told "$bylines" /stories/story-of-number-%d 1 300) are told"
[ "$(told "$bylines" /stories/story-of-number-%d 302 314)" -ge 12 ] || flunk "of new stories $(told "$bylines" /stories/story-of-number-%d 302 314) are told"

# A headline that is changed makes no other page, and what stands beside it is one.
[ "$(told "$edited" /news/first-words-%d 10431 10438)" -ge 7 ] || flunk "of the news $(told "$edited" /news/first-words-%d 10431 10438) are told"
[ "$(told "$edited" /news/other-words-%d 10400 10440)" -eq 0 ] || flunk "under other words $(told "$edited" /news/other-words-%d 10400 10440) are told again"
[ "$(told "$edited" /news/in-red-%d 20500 20500)$(told "$edited" /news/in-blue-%d 20500 20500)" = 11 ] || flunk "two of one number are taken for one"

# What the page before it led to is told all the same.
[ "$(told "$chain" /report?id=%d 132 139)" -ge 7 ] || flunk "of a chain $(told "$chain" /report?id=%d 132 139) are told"

# And so is what was asked for and not there.
grep ' chain /announced/' requests | awk '$1 < 2400 { n++ } END { exit !n }' || flunk "what is announced was not asked for"
[ "$(told "$chain" /announced/ 1 1)" -eq 1 ] || flunk "what was not there at first is not told"
done_testing
