# What searchers would miss steers a crawl: of two documents that change as often, the one whose
# changes matter to what is searched for is visited more, by `quality` and by `stake`.
. tests/cli/common
command -v python3 >/dev/null || { echo "no python3"; exit 77; }
export FORAGE_CRAWL_LEAST_DELAY=0 FORAGE_CRAWL_SITE_BUDGET=0
fast="--quiet --fetch-delay 0s --net-allow-private loopback --documents-admit all --no-fetch-http2"

python3 "$root/tests/cli/searchers.py" requests >port 2>/dev/null &
server=$!
trap 'kill $server; rm -rf "$scratch"' EXIT
within 20 test -s port
origin=http://127.0.0.1:$(cat port)
anchor=$(date -u +%Y-%m-%dT%H:%M:%SZ)

# visits PAGE: requests for it since the last run began
visits() { grep -cx "/$1.html" requests; }

# run POLICY SECONDS
run() {
    : >requests
    # shellcheck disable=SC2086
    forage run -w "$1" $fast --crawl-tick 1h --crawl-budget 3 --crawl-worth shop \
        --clock-speed 7200 --clock-anchor "$anchor" --policy-refresh "$1" --time-limit "$2" >/dev/null 2>"$scratch/err" ||
        flunk "$1: exit code $?"
}
# measured WORKSPACE: how many pages have changes whose worth is kept
measured() {
    python3 -c "import sqlite3; print(sqlite3.connect('$1/forage.db').execute(\"SELECT count(*) FROM page_extras WHERE kind = 'worths'\").fetchone()[0])"
}

for policy in quality stake; do
    # shellcheck disable=SC2086
    expect 0 forage watch -w $policy $fast --once --crawl-explore 30 --crawl-budget 0 "$origin/"
    printf '900\tporcini mushrooms\n100\tporcini\n' >queries.tsv
    expect 0 forage import queries -w $policy queries.tsv
    run $policy 8s
    [ "$(measured $policy)" -ge 1 ] || flunk "$policy: nothing was measured"
    run $policy 8s # and on, by what it has learnt
    matters=$(visits matters) noise=$(visits noise)
    [ "$matters" -gt "$((noise * 3 / 2))" ] || flunk "$policy: $matters visits of what matters, $noise of noise"
done

# Without a search nothing is measured.
# shellcheck disable=SC2086
expect 0 forage watch -w sbr $fast --once --crawl-explore 30 --crawl-budget 0 "$origin/"
run sbr 4s
[ "$(measured sbr)" -eq 0 ] || flunk "it measures what nobody searches"
expect 0 forage doctor -w quality
exit $bad
