# A feed that is followed alone: nothing is asked for but robots.txt, the feed and its
# entries, wherever they lie; a site that is added later is explored.
. tests/cli/common
command -v python3 >/dev/null || { echo "python3 is missing: no server"; exit 77; }
mkdir www
python3 "$root/tests/cli/small_site.py" 127.0.0.1 127.0.0.2 >"$scratch/server.log" 2>&1 &
server=$!
trap 'kill "$server" 2>/dev/null; rm -rf "$scratch"' EXIT
within 30 test -e ready
a=$(sed -n 1p origins) b=$(sed -n 2p origins)
fast="--quiet --net-allow-private loopback --crawl-budget 0 --fetch-delay 1ms --crawl-tick 1s --crawl-least-delay 0 --crawl-site-budget 0"
links=
for i in 1 2 3 4 5 6 7 8 9; do
    links="$links<a href=/x$i>more</a> "
    printf '<title>%s</title><p>text %s' "$i" "$i" >www/x$i
done
for i in 1 2 3 4 5; do printf '<title>entry %s</title><p>entry %s %s' $i $i "$links" >www/e$i; done
printf '<title>home</title>%s' "$links" >www/index
printf 'Sitemap: %s/sitemap.xml\n' "$a" >www/robots.txt
printf '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><url><loc>%s/x1</loc></url></urlset>' \
    "$a" >www/sitemap.xml
feed() {
    {
        printf '<rss version="2.0"><channel><title>f</title><link>%s/</link>' "$a"
        for url; do printf '<item><title>t</title><link>%s</link></item>' "$url"; done
        printf '</channel></rss>'
    } >feed.tmp
    mv feed.tmp www/feed.rss
}
# crawl SECONDS CONDITION COMMAND...: so long at least, and until the condition holds.
crawl() {
    seconds=$1 condition=$2
    shift 2
    # shellcheck disable=SC2086
    forage "$@" $fast >events 2>"$scratch/err" &
    pid=$!
    sleep "$seconds"
    stop_when $pid 30 sh -c "$condition"
}
paths() { sed 's/:[0-9]*//' requests | sort -u | tr '\n' ' '; }
# The first entries are stock: they are known, and need not be fetched.
alone="127.0.0.1/feed.rss 127.0.0.1/robots.txt "
feed "$a/e1" "$a/e2" "$b/e3"

# Named as a feed, on the command line, in a file, by watch; and one that turns out to be one.
printf '%s/feed.rss\ttype=feed\n' "$a" >seeds
expect 0 forage add -w named --feed "$a/feed.rss"
expect 0 forage add -w file seeds
expect 0 forage add -w found "$a/feed.rss"
for ws in named file found; do
    rm -f requests
    crawl 2 'grep /feed.rss requests' run -w $ws --events
    [ "$(paths)" = "$alone" ] || flunk "$ws asks for: $(paths)"
    [ -s events ] && flunk "$ws reports the first entries: $(cat events)"
    expect 0 forage status -w $ws --json
    value "[s['state'] for s in d['sites']]" "['pages', 'pages']"
done
rm -f requests
quiet=$fast fast=${fast#--quiet }
crawl 1 "grep 'watching since' $scratch/err" watch -w watched --feed "$a/feed.rss"
fast=$quiet
[ "$(paths)" = "$alone" ] || flunk "watch --feed asks for: $(paths)"
grep -q ": watching since .* UTC; new entries of its feed are reported" "$scratch/err" || flunk "a feed is not said to be watched"

# New entries are new pages, also behind a redirect to another host; each is fetched once.
printf 'LOCATION %s/e5\n' "$b" >www/e6
feed "$b/e4" "$a/e6" "$a/e1" "$a/e2" "$b/e3"
rm -f requests
crawl 2 '[ $(wc -l <events) -ge 2 ]' run -w found --events
grep -qF "\"url\":\"$b/e4\"" events || flunk "a new entry is not reported: $(cat events)"
grep -qF "\"url\":\"$b/e5\"" events || flunk "a new entry that redirects is not reported: $(cat events)"
[ "$(wc -l <events)" -eq 2 ] || flunk "events: $(cat events)"
[ "$(paths)" = "127.0.0.1/e6 127.0.0.1/feed.rss 127.0.0.2/e4 127.0.0.2/e5 127.0.0.2/robots.txt " ] || flunk "asks for: $(paths)"
expect 0 forage explain "$b/e4" -w found --json
value "d['verdict']" fetched
expect 0 forage explain "$b/x1" -w found --json
value "d['verdict']" pages-only

# Removed, it is asked for no more; added again, it is followed again.
expect 0 forage remove "$a/feed.rss" -w named
says "$a  site removed"

# Added as a site it is explored.
rm -f requests
expect 0 forage add -w found "$a/"
crawl 3 'grep 1:[0-9]*/$ requests && grep sitemap requests && grep /x requests' run -w found
for path in "127.0.0.1/ " "127.0.0.1/sitemap.xml " 127.0.0.1/x; do
    case " $(paths)" in *" $path"*) ;; *) flunk "not explored: $path of $(paths)" ;; esac
done
# Two addresses of a site are a site.
rm -f requests
expect 0 forage add -w both "$a/" "$a/feed.rss"
crawl 3 'grep /x requests' run -w both
case " $(paths)" in *" 127.0.0.1/x"*) ;; *) flunk "a site with its feed is not explored" ;; esac
expect 4 forage add --feed --document "$a/feed.rss"
done_testing
