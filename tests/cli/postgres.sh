# A crawl in PostgreSQL: the same events as in a file, all commands, and a server that is
# killed in the middle of it.
server=$PWD/tests/support/postgres
. tests/cli/common
pg=/tmp/forage-pg-$$
address=$("$server" start "$pg") || { code=$?; echo "$address"; exit $code; }
trap '"$server" stop "$pg"; rm -rf "$scratch"' EXIT

# A small site; what is found on it later is news.
mkdir www www/news
page() { # file title links...
    file=$1 title=$2
    shift 2
    {
        printf '<html lang="en"><head><title>%s</title></head><body><h1>%s</h1>' "$title" "$title"
        for link in "$@"; do printf '<p><a href="/%s">%s</a></p>' "$link" "$link"; done
        printf '<p>%s was written about mushrooms, cakes and tea in the garden.</p></body></html>' "$title"
    } >"www/$file"
}
old=$(for i in 1 2 3 4 5 6; do echo "news/old$i"; done)
all=$(for i in 1 2 3 4 5 6 7 8; do echo "news/new$i"; done)
for name in $old; do page "$name" "title of $name"; done
# shellcheck disable=SC2086
page index front $old
python3 "$root/tests/cli/small_site.py" 127.0.0.1 >/dev/null 2>&1 &
web=$!
within 20 test -e ready
origin=$(head -n 1 origins)

crawl() { # workspace words...: the old site, then the new one
    workspace=$1
    shift
    # shellcheck disable=SC2086
    page index front $old
    forage watch -w "$workspace" --quiet --fetch-delay 5ms --net-allow-private loopback --clock-speed 600 \
        --crawl-tick 1m --crawl-budget 3000 --time-limit 6s "$@" "$origin/" >"$workspace.events" 2>"$workspace.err" &
    crawl=$!
    within 20 sh -c 'test "$(grep -c "/\$" requests)" -ge 3'
    for name in $all; do page "$name" "title of $name"; done
    # shellcheck disable=SC2086
    page index front $old $all
}
crawl file
wait $crawl
: >requests
rm -f www/news/new*
crawl base --store-place "$address#crawl"
within 5 grep -q "/news/new" requests
"$server" kill "$pg"
sleep 1
"$server" again "$pg"
wait $crawl
code=$?
[ "$code" -eq 0 ] || { cat base.err; flunk "the crawl ends with $code, not with its time limit"; }
kill $web

events() { python3 -c '
import json, sys
print("\n".join(sorted(json.loads(line)["type"] + " " + json.loads(line)["url"] for line in open(sys.argv[1]))))' "$1"; }
events file.events >file.urls
events base.events >base.urls
[ "$(grep -c /news/new file.urls)" -ge 4 ] || flunk "few events in a file: $(cat file.urls)"
diff file.urls base.urls || flunk "other events in PostgreSQL than in a file"
[ "$(sort base.urls | uniq -d | wc -l)" -eq 0 ] || flunk "an event was told twice"

# Looking at it, from this process and over a copy.
export FORAGE_STORE_PLACE="$address#crawl"
expect 0 forage status -w base --json
value "d['is_running'], d['totals']['events'] > 0" "(False, True)"
expect 0 forage search -w base mushrooms
says "title of"
expect 0 forage doctor -w base
expect 0 forage new -w base --limit 1000
cp "$scratch/out" new.base
unset FORAGE_STORE_PLACE
expect 0 forage store copy "$address#crawl" copy.db
says "copied "
expect 0 forage store copy copy.db "$address#again"
expect 0 forage new -w base --store-place "$address#again" --limit 1000
cmp "$scratch/out" new.base || flunk "a copy tells other news"
expect 4 forage store copy copy.db "$address#again"
complains "not empty"
expect 4 forage status -w base --store-place "postgresql://me:sesame@db.example/web"
complains "has a password in it"
if grep -q sesame "$scratch/err"; then flunk "a password is shown"; fi
done_testing
