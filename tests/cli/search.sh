# Searching what was crawled: found the moment it is stored; changed, deleted and unwanted
# pages leave nothing behind; queries and pages that are out to do harm do none.
. tests/cli/common
command -v python3 >/dev/null || { echo "needs python3"; exit 77; }
fast="--fetch-delay 0s --crawl-tick 1s --crawl-budget 0 --net-allow-private loopback --quiet --crawl-site-budget 0 --crawl-at-least 1ms"

# page TITLE LANGUAGE SENTENCE: an article, on standard output
page() {
    echo "<!DOCTYPE html><html lang=$2><title>$1</title><article><h1>$1</h1>"
    for i in $(seq 6); do
        echo "<p>$3 Whoever walks through the woods in autumn looks at the ground and finds more than leaves, part $i."
    done
    echo "</article>"
}
mkdir www
page "Porcini in the woods" en "The porcini risotto of our grandmother needs dried mushrooms." >www/porcini
page "Steinpilze" de "Die Häuser am Waldrand sammeln Pilze; das Haus steht leer." >www/pilze
page "Café opened" en "A new café has opened beside the station and sells cakes." >www/cafe
page "Secret" en "Nobody may find this zanzibar sentence." | sed 's/<title>/<meta name=robots content=noindex><title>/' >www/secret
printf '%s' "<!DOCTYPE html><html lang=en><title>evil $(printf '\033')[2J</title><article><h1>evil</h1>" >www/evil
for i in $(seq 8); do
    printf '<p>A sentence of the quagga with %s[31mcolour and %s%s and \342\200\256 reversed, as long as it takes to be text, number %s.\n' \
        "$(printf '\033')" "$(printf '\007')" "$(printf '\033]0;title\007')" "$i" >>www/evil
done
index() {
    echo "<title>List</title><ul>"
    for name in "$@"; do echo "<li><a href=/$name>words about $name</a>"; done
}
index porcini pilze cafe secret evil >www/index
python3 "$root/tests/cli/small_site.py" >/dev/null 2>&1 &
server=$!
trap 'kill $server; rm -rf "$scratch"' EXIT
within 20 test -e ready
origin=$(cat origins)
seeds="$origin/porcini $origin/pilze $origin/cafe $origin/secret $origin/evil"
crawl() {
    # shellcheck disable=SC2086
    expect 0 forage run -w ws $fast --once "$@"
}
# shellcheck disable=SC2086
expect 0 forage add -w ws --document $seeds
expect 0 forage add -w ws --source "$origin/"
crawl

# finds N WORDS...: so many results
finds() {
    results=$1
    shift
    expect 0 forage search -w ws --json "$@"
    json
    value 'len(d["results"])' "$results"
}
finds 1 porcini
value 'd["results"][0]["title"]' "Porcini in the woods"
value '"porcini risotto" in d["results"][0]["snippet"]' True
finds 1 '"porcini risotto"'
value '"".join(d["results"][0]["snippet_parts"]) == d["results"][0]["snippet"]' True
value '"porcini" in d["results"][0]["snippet_parts"][1::2]' True
finds 0 '"risotto porcini"'
finds 1 'mushroom'
finds 1 'porc*'
finds 1 'haus'
finds 1 'häuser'
finds 1 'cafe'
finds 1 'CAFÉS'
finds 0 'zanzibar'
finds 0 'woods -autumn'
finds 4 'autumn woods quagga'
finds 3 'woods'
finds 1 'woods' --lang de
finds 3 'woods' --site "$origin"
finds 3 "woods site:$origin"
finds 0 "\"woods site:$origin\""
expect 1 forage search -w ws "woods site:unknown.example"
finds 0 'woods' --tag none
finds 3 'woods' --since 1h
finds 0 'porcini' --since 2037-01-01

# a page of results at a time
finds 2 'woods' --limit 2
next=$(python3 -c 'import json,sys; print(json.load(sys.stdin)["next"])' <"$scratch/out")
finds 1 'woods' --limit 2 --after "$next"
value 'd["next"]' None
expect 4 forage search -w ws 'other' --after "$next"
complains "another search"
expect 4 forage search -w ws 'woods' --after "x y"
complains "not a cursor"

# for people: what was found stands out on a terminal only, and nothing acts on it
expect 0 forage search -w ws porcini
says "Porcini in the woods"
grep -q "$(printf '\033')" "$scratch/out" && flunk "colours in a file"
expect 0 forage search -w ws porcini --color always
grep -q "$(printf '\033')\[1mporcini" "$scratch/out" || flunk "nothing is marked"
expect 0 forage search -w ws quagga
says "quagga"
grep -q "$(printf '[\033\007]')" "$scratch/out" && flunk "a page acts on the terminal"
grep -q "$(printf '\342\200\256')" "$scratch/out" && flunk "a page turns the direction"

# the nearest word that is known
expect 0 forage search -w ws porcinni
says "did you mean: Porcini"
expect 0 forage search -w ws 'porcinni mushrooms'
says "no page has all of these words; did you mean: Porcini mushrooms"
expect 0 forage search -w ws xyzzyqwert
says "nothing found"

# hostile queries get a word at once
python3 -c 'print("a b " * 1000000)' >million
quick() {
    expect 4 timeout 5 forage search -w ws "$1"
    complains "$2"
}
quick "$(head -c 100000 million)" "too long"
quick "$(python3 -c 'print(" ".join("w%d" % i for i in range(700)))')" "too many words"
quick " -porcini" "nothing to search for"
quick "   " "nothing to search for"
quick '"""""' "nothing to search for"
quick "p*" "at least 3 letters"
for query in '"porcini NEAR(" (((' 'NEAR(porcini risotto, 5) AND OR NOT' 'title:porcini' '{porcini} : ^ + "' "por'cini\"; DROP TABLE pages; --"; do
    expect 0 timeout 5 forage search -w ws "$query"
done
expect 0 timeout 5 forage search -w ws "$(printf 'porcini\001\033[2J\177')"
says "Porcini"

# searches are counted a day at a time, unless that is not wanted
n=$(sqlite3 ws/forage.db "SELECT sum(times) FROM queries WHERE words = 'porcini'" 2>/dev/null)
[ "${n:-5}" -ge 3 ] || flunk "porcini was counted $n times"
expect 0 forage search -w ws leaves --no-search-log
n=$(sqlite3 ws/forage.db "SELECT count(*) FROM queries WHERE words = 'leaves'" 2>/dev/null)
[ "${n:-0}" -eq 0 ] || flunk "a search was counted"

# what changes, goes or becomes unwanted
page "Porcini in the woods" en "Now it is about chanterelles alone." >www/porcini
echo "STATUS 404" >www/cafe
page "Steinpilze" de "Die Häuser am Waldrand." | sed 's/<title>/<meta name=robots content=noindex><title>/' >www/pilze
crawl
finds 0 risotto
finds 1 chanterelle
finds 0 cakes
finds 0 waldrand
expect 0 forage doctor -w ws
says "search index"

# a page published a moment ago, while a crawl runs
# shellcheck disable=SC2086
forage run -w ws $fast >/dev/null 2>&1 &
crawler=$!
page "Truffles found" en "A truffle of two kilograms was dug out yesterday by a dog." >www/truffle
index porcini pilze secret evil truffle >www/index
found() { forage search -w ws truffle --json | grep -q "Truffles found"; }
stop_when $crawler 60 found

# a site that is removed is not found
expect 0 forage remove -w ws "$origin"
finds 0 chanterelle
exit $bad
