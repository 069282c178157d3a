# The commands that show what the parsers see.
. tests/cli/common
cp "$root"/tests/data/cli/* .
esc=$(printf '\033')

expect 0 forage url --json 'HTTP://Example.org:80/a/../b?utm_source=x&b=2&a=1#top'
json
value "d['canonical']" 'http://example.org/b?a=1&b=2'
value "d['port']" 80
value "d['domain']" example.org
expect 0 forage url --json --no-canonical-sort-query --no-canonical-drop-tracking 'http://a.example/?utm_source=x&b=2&a=1'
value "d['canonical']" 'http://a.example/?utm_source=x&b=2&a=1'
expect 0 forage url --base https://example.org/a/b '../c?d'
says "https://example.org/c?d"
expect 1 forage url ../c
complains "'../c' is not a URL: it has no scheme, such as 'https:'; if it is relative, give --base"
expect 1 forage url http://example.org:99999/
complains "'http://example.org:99999/' is not a URL: its port is above 65535"
grep -q base "$scratch/err" && flunk "--base would not help"
expect 1 forage url --json 'http://[::1/'
value "d['reason']" "the bracket of its host is not closed"
expect 4 forage url --base nonsense x
complains "'nonsense' is not an absolute URL"
printf 'http://a.example\n\nhttp://b.example\nbad\n' >urls
expect 1 forage url --json - <urls
[ "$(wc -l <"$scratch/out")" -eq 3 ] || flunk "not a line for each URL"
expect 1 forage url - <&-
complains "'standard input': cannot read"
expect 1 forage url - <.
for command in links feed sitemap robots "config check"; do
    code=1
    [ "$command" = "config check" ] && code=4
    # shellcheck disable=SC2086
    expect $code forage $command - <.
    complains "cannot read 'standard input': Is a directory"
done

expect 0 forage links page.html --base https://example.org/news/ --json
json
value "d['title']" "The Daily Forager"
value "d['canonical']" "https://example.org/news/"
value "d['robots']" "['noarchive']"
value "[l['url'] for l in d['links'] if l['from'] == 'a']" \
    "['https://example.org/2026/mushrooms?utm_source=front', 'https://ads.example/boots']"
value "[l['feed'] for l in d['links']]" "[False, True, False, False]"
value "'never' in d['text']" False
printf '<title>\033]0;owned\007</title><a href="/\033[2J">\033[31mred</a>' >hostile.html
expect 0 forage links hostile.html
grep -q "$esc" "$scratch/out" && flunk "an escape reached the terminal"
expect 0 forage links hostile.html --json
json
# In a legacy encoding the query of a link is written in that encoding.
printf '<meta charset=windows-1252><a href="/?q=\351">x</a>' >latin.html
expect 0 forage links - --base http://a.example/ <latin.html
says "http://a.example/?q=%E9"
expect 4 forage links page.html --charset klingon
complains "'klingon' is not a known encoding"
expect 14 forage links page.html --fetch-max-body 10B
complains "more than --fetch-max-body allows"
expect 1 forage links missing.html
complains "cannot open 'missing.html'"
expect 1 forage links .

expect 0 forage robots robots.txt --agent mybot --json https://example.org/private/x /private/open/1 /public
json
value "[v['allowed'] for v in d['verdicts']]" "[False, True, True]"
value "[v['rule'] for v in d['verdicts']]" "['Disallow: /private/', 'Allow: /private/open', None]"
value "d['delay_seconds']" 10
value "d['cut']" False
expect 0 forage robots robots.txt /search
says "forbidden  /search  (Disallow: /search)"
says "sitemap    https://example.org/sitemap.xml"
expect 0 forage robots robots.txt --operator-token mybot /search
says "allowed    /search"
expect 4 forage robots robots.txt --agent 'my bot' /
complains "not a robots.txt token"
expect 4 forage robots robots.txt -a '' /
complains "-a: '' is not a robots.txt token"
for word in 'http://[/' foo '' mailto:x; do
    expect 4 forage robots robots.txt /search "$word"
    complains "'$word' is neither a path, which starts with '/', nor the URL of a page: "
    [ -s "$scratch/out" ] && flunk "a verdict beside a word that is wrong"
done
{ cat robots.txt; head -c 600000 /dev/zero | tr '\0' '#'; } >long.txt
expect 0 forage robots long.txt /search --json
value "(d['cut'], d['verdicts'][0]['allowed'])" "(True, False)"
complains "only its beginning was read"

expect 0 forage feed feed.xml --json
json
value "d['kind']" atom
value "[e['link'] for e in d['entries']]" "['https://example.org/2026/mushrooms']"
value "d['entries'][0]['published']" 2026-11-15T18:30:02Z
printf '<rss version="2.0"><channel><title>\033[2J</title><item><link>/x</link></item>' >broken.xml
expect 0 forage feed broken.xml --base https://example.org/
says "https://example.org/x"
says "not well-formed"
grep -q "$esc" "$scratch/out" && flunk "an escape reached the terminal"
says "problem    line 1: an end in the middle"
expect 0 forage feed broken.xml --json
value "[(p['what'], p['line']) for p in d['problems']][0]" "('a character that XML does not allow', 1)"
printf '{"version": "https://jsonfeed.org/version/1",\n"items": [{"id": "1"},' >broken.json
expect 0 forage feed broken.json --json
value "d['about']['published']" None
value "(d['well_formed'], d['problems'][0]['line'])" "(False, 2)"
expect 0 forage feed broken.json
says "problem    line 2: "
says "near end of file"
expect 1 forage feed page.html
complains "'page.html' is not a feed"

expect 0 forage sitemap sitemap.xml --json
json
value "[d['kind']] + [e['url'] for e in d['entries']]" "['urlset', 'https://example.org/', 'https://example.org/about']"
value "d['entries'][0]['lastmod']" 2026-11-15T00:00:00Z
value "d['entries'][1]['priority']" 0.3
printf 'https://example.org/a\nhttps://example.org/b\n' >urls.txt
expect 0 forage sitemap urls.txt
says "https://example.org/b"
says "2 entries"
# The limit is that of the protocol, which is more than a page may have.
{ echo https://example.org/a; head -c 11000000 /dev/zero | tr '\0' '\n'; } >large.txt
expect 0 forage sitemap large.txt
says "1 entry"
expect 4 forage sitemap urls.txt --base ''
complains "'' is not an absolute URL: it is empty"
printf '<urlset>\n<url><loc>https://example.org/a</loc></b></url>' >broken.xml
expect 0 forage sitemap broken.xml
says "urlset, 1 entry, not well-formed"
says "line 2: an end tag that does not fit"
expect 0 forage sitemap broken.xml --json
value "[(i['what'], i['line']) for i in d['issues']]" "[('an end tag that does not fit', 2), ('an end in the middle', 2)]"
gzip -c urls.txt | head -c 30 >cut.gz
expect 1 forage sitemap cut.gz
says "problem              gzip that ends in the middle"
expect 1 forage sitemap page.html
complains "'page.html' is not a sitemap"

expect 0 forage diff old.html new.html --json
json
value "(d['changed'], d['verdict'])" "(False, 'figures only')"
expect 0 forage diff old.html page.html --json
value "d['changed']" True
expect 0 forage diff old.html old.html
says "unchanged"
expect 4 forage diff old.html new.html --threshold 2
complains "'2' is out of range; write 0 to 1"
expect 4 forage diff old.html
done_testing
