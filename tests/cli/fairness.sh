# Sites that are alike get alike, also where the budget is too short for all of them: at most
# half as many requests again as any other. A new page comes to each every twenty minutes; an
# hour has 60 requests for 15 sites, which would use twice as many.
. tests/cli/common
command -v python3 >/dev/null || { echo "python3 is missing: no server"; exit 77; }
python3 "$root/tests/cli/fairness_server.py" 15 >"$scratch/server.log" 2>&1 &
server=$!
trap 'kill $server 2>/dev/null; rm -rf "$scratch"' EXIT
within 20 test -s seeds
forage watch -w ws --quiet --net-allow-private loopback --clock-speed 1200 --crawl-tick 1m \
    --crawl-budget 60 $(cat seeds) >/dev/null 2>"$scratch/err" &
stop_when $! 60 has 260 cat requests
shares=$(sort requests | uniq -c | awk '{ print $1 }' | sort -n | tr '\n' ' ')
echo "$shares" | awk '{ exit !(NF == 15 && $NF <= 1.5 * $1) }' ||
    flunk "sites that are alike get $shares requests"
done_testing
