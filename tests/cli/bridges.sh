# Scrapy, Crawlee and a shell script crawl the demo web with Forage choosing, beside their own order:
# as many fetches, at the same pace. Then they are killed and started again, and no lease is lost.
# Crawlee only with ./test --long, for it is installed first. That makes the figures of
# docs/scheduler.md.
long=${FORAGE_LONG:-} # common takes it away
. tests/cli/common
python=python3
"$python" -c 'import scrapy' 2>/dev/null || python=/usr/bin/python3
"$python" -c 'import scrapy' 2>/dev/null || { echo "needs python3-scrapy"; exit 77; }
fetches=${FETCHES:-${long:+400}} speed=3600
fetches=${fetches:-100}
anchor=$(date -u +%Y-%m-%dT%H:%M:%SZ)
address_in() { sed -n 's/^dashboard: \([^ ]*\).*/\1/p' "$1"; }
serving() { grep -q '^dashboard: ' "$1"; }
count() { if [ -f "$2" ]; then grep -c "$1" "$2"; else echo 0; fi; }
fetched() { [ "$(count '"fetched"' "$1")" -ge "$2" ]; }

forage simulate --sites 4 --speed $speed --anchor "$anchor" --published published >addresses 2>simulate.err &
web=$!
has_sites() { [ "$(wc -l <addresses)" -eq 4 ]; }
within 30 has_sites
urls=$(paste -sd, addresses)
for name in scrapy crawlee shell; do
    mkdir $name
    printf 'clock: {speed: %s, anchor: "%s"}\nfetch: {delay: 0s}\nscheduler: {lease: 4h}\n' $speed "$anchor" >$name/forage.yaml
    forage next -w $name >/dev/null || flunk "no workspace"
    : >$name.err
    forage serve -w $name --listen 127.0.0.1:0 2>$name.err &
    eval "server_$name=$!"
done
for name in scrapy crawlee shell; do within 30 serving $name.err; done

spider() { # FOUND FETCHES SETTING...
    found=$1 most=$2
    shift 2
    exec "$python" -m scrapy runspider "$root/bridges/scrapy/news.py" -a "urls=$urls" \
        -a "found=$found" -s CLOSESPIDER_PAGECOUNT="$most" -s DOWNLOAD_DELAY=0.06 -s RANDOMIZE_DOWNLOAD_DELAY=False \
        -s LOG_LEVEL=ERROR "$@" >>"$found.log" 2>&1
}

# Asked for Forage's order without an address of Forage, it does not crawl in another.
"$python" -m scrapy runspider "$root/bridges/scrapy/news.py" -a "urls=$urls" -a found=refused -a by=forage -s LOG_LEVEL=ERROR >refused.log 2>&1
[ $? -ne 0 ] && grep -q 'by=forage needs -s FORAGE_URL' refused.log && [ ! -s refused ] || flunk "no FORAGE_URL: $(cat refused.log)"

modules=$builds/npm-crawlee
has_crawlee=
if [ -n "$long" ] && command -v node >/dev/null && command -v npm >/dev/null; then
    [ -d "$modules/node_modules/@crawlee/cheerio" ] ||
        (mkdir -p "$modules" && cd "$modules" && timeout 100 npm install --silent --no-audit --no-fund @crawlee/cheerio@3.18) >/dev/null 2>&1
    [ -d "$modules/node_modules/@crawlee/cheerio" ] && has_crawlee=yes
fi
[ -n "$has_crawlee" ] || echo "Crawlee is left out: it needs node, npm and ./test --long"
crawlee() { # FOUND FETCHES BY
    cp "$root"/bridges/crawlee/*.mjs "$modules/"
    # shellcheck disable=SC2046
    exec node "$modules/news.mjs" "$PWD/$1" "$2" 1000 "$3" $(cat addresses) >>"$1.log" 2>&1
}

# All beside each other, on one web.
with_forage() { # NAME FETCHES
    case $1 in
    scrapy) (spider scrapy-$3 "$2" -s FORAGE_URL="$(address_in scrapy.err)") & ;;
    crawlee) (crawlee crawlee-$3 "$2" "$(address_in crawlee.err)") & ;;
    esac
    eval "running_$1=$!"
}
ends() { eval "wait \$running_$1" || flunk "$1 with forage: $(tail -n 5 "$1-$2.log")"; }
all="scrapy ${has_crawlee:+crawlee}"
(spider scrapy-own "$fetches" -a by=scrapy) &
own=$!
[ -z "$has_crawlee" ] || { (crawlee crawlee-own "$fetches" own) & }
own_crawlee=$!
for name in $all; do with_forage $name "$fetches" forage; done
sh "$root/bridges/shell/crawl.sh" "$(address_in shell.err)" 40 $(cat addresses) >shell.out 2>shell.log || flunk "crawl.sh: $(cat shell.log)"
for name in $all; do ends $name forage; done
wait $own || flunk "scrapy by itself: $(tail -n 5 scrapy-own.log)"
[ -z "$has_crawlee" ] || wait $own_crawlee || flunk "crawlee by itself: $(tail -n 5 crawlee-own.log)"

# More new pages a fetch, by a fifth and more.
for name in $all; do
    expect 0 python3 "$root/bridges/compare.py" published "$anchor" $speed forage=$name-forage own=$name-own
    cat "$scratch/out"
    value "d['forage']['fetches'] >= $fetches - 20 and d['forage']['new'] >= 10" True
    value "d['forage']['share'] >= 1.2 * d['own']['share']" True # of what was published meanwhile
    value "d['forage']['a_fetch'] >= 1.2 * d['own']['a_fetch']" True
done
grep -q '"new":[1-9]' shell.out || flunk "crawl.sh found nothing: $(cat shell.out)"

# Killed in the middle, and started again.
for name in $all; do with_forage $name 1000 killed; done
for name in $all; do
    within 60 fetched $name-killed 20
    eval "kill -KILL \$running_$name; wait \$running_$name" 2>/dev/null
done
for name in $all; do with_forage $name 20 after; done
for name in $all; do ends $name after; done

# No lease is lost: whatever is open is handed out again after its deadline.
sleep 5
for name in $all shell; do
    eval "kill -KILL \$server_$name; wait \$server_$name" 2>/dev/null
    expect 0 sh -c "forage next -w $name -n 10000 --jsonl >handed"
    expect 0 forage schedule status -w $name
    value "d['leases']" "$(wc -l <handed | tr -d ' ')"
    value "d['reports'] > 30" True
done
kill $web
wait $web
done_testing
