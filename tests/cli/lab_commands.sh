# The actions of `forage lab` one by one: list, gen, import, stats; and their help.
. tests/cli/common

# --- the frame of actions ---
expect 0 forage lab --help
silent
says "Usage: forage lab [FLAG]... ACTION ..."
for action in list run merge gen import stats; do
    says "  $action"
    expect 0 forage lab $action --help
    silent
    says "Usage: forage lab $action [FLAG]..."
    cp "$scratch/out" "$scratch/page"
    [ "$(awk 'length > 80' "$scratch/page" | grep -cv '^  [#ft]')" -eq 0 ] ||
        flunk "help of lab $action is wider than 80 columns"
    expect 0 forage help lab $action
    cmp -s "$scratch/out" "$scratch/page" || flunk "two kinds of help for lab $action"
    expect 0 forage lab --help
done
expect 4 forage lab
complains "forage lab: missing action; use one of: list, run, merge, gen, import, stats"
expect 4 forage lab dance
complains "forage lab: unknown action 'dance'; use one of: list, run, merge, gen, import, stats"
expect 4 forage help lab dance
complains "no help on 'dance'"
expect 4 forage lab list too many
complains "forage lab list: too many arguments; usage: forage lab list [FLAG]..."
expect 0 forage help --json
value "[c['name'] for c in d['commands'] if c['name'].startswith('lab') and c['name'] != 'label']" \
    "['lab', 'lab list', 'lab run', 'lab merge', 'lab gen', 'lab import', 'lab stats']"

# --- examples run as they stand ---
workspace .
cp "$root"/tests/data/cli/* .
for action in list run merge gen import stats; do
    forage lab $action --help | sed -n '/^Examples/,$s/^  \([^# ].*\)/\1/p' >"$scratch/examples"
    [ -s "$scratch/examples" ] || flunk "lab $action has no examples"
    while IFS= read -r line; do
        expect 0 sh -c "$line" </dev/null
        [ -s "$scratch/out" ] || flunk "the example prints nothing: $line"
    done <"$scratch/examples"
done
[ -s quick.json ] && [ -s quick.html ] || flunk "no reports were written"
# An experiment that has ended leaves no journal; the parts that were merged stay, as what they were.
[ -e quick.journal ] && flunk "a journal was left"
[ -s quick-1-of-1.journal ] || flunk "merging took a part away"

# The small experiment has the policy that a crawl takes unless told otherwise, and compares it.
default=$(cd / && forage config show policy.discovery | awk '$1 == "policy.discovery" {print $2}')
grep -q "^policies:.*[ ,]$default[],]" "$root/experiments/quick.yaml" || flunk "quick lacks the default policy, '$default'"
grep -q "{policy: $default, with:" "$root/experiments/quick.yaml" || flunk "quick does not compare '$default'"

# --- list ---
expect 0 forage lab list
silent
for word in quick thompson-2023 news reports round-robin oracle; do says "  $word"; done
says "none; FORAGE_DATA names a folder of recordings"
mkdir -p data/one data/two experiments
printf '0\t0\t1700000000\t1700003600\n' >data/one/intervals.tsv
printf 'name: mine\ntitle: My own\nworkloads: [{generate: news}]\nbudgets: [1]\npolicies: [thompson]\n' \
    >experiments/mine.yaml
echo 'nam: broken' >experiments/broken.yaml
export FORAGE_DATA=data
expect 0 forage lab list --json
json
value "[r['name'] for r in d['recordings']]" "['one']"
value "[e['title'] for e in d['experiments'] if e['name'] == 'mine']" "['My own']"
value "[e['title'][:27] for e in d['experiments'] if e['name'] == 'broken']" "[\"(broken:1: unknown key 'nam\"]"
value "'thompson' in [p['name'] for p in d['policies']]" True
unset FORAGE_DATA
rm -r experiments

# --- gen ---
expect 0 forage lab gen news --sites 2 --hours 48 --seed 5 -o first
says "first: "
expect 0 forage lab gen news --sites 2 --hours 48 --seed 5 -o second
for file in sources.tsv intervals.tsv.gz snapshots.tsv.gz; do
    cmp -s "first/$file" "second/$file" || flunk "the same seed gave another $file"
done
[ "$(zcat first/snapshots.tsv.gz | wc -l)" -eq 48 ] || flunk "not one snapshot an hour"
[ "$(cut -f 2 first/sources.tsv | sed 's,/.*,,' | sort -u | tr '\n' ' ')" = "news-00.example news-01.example " ] ||
    flunk "two sites were asked for"
[ -e first/relevant.tsv.gz ] && flunk "relevance nobody asked for"
expect 0 forage lab gen reports --relevant 0.5 --hours 48 -o focused
targets=$(sed 's/.* sources, \([0-9]*\) targets.*/\1/' "$scratch/out")
relevant=$(zcat focused/relevant.tsv.gz | wc -l)
[ "$relevant" -gt $((targets / 10)) ] && [ "$relevant" -lt $((targets * 9 / 10)) ] ||
    flunk "$relevant of $targets targets are relevant"
expect 4 forage lab gen nonsense -o x
complains "forage lab gen: no generator 'nonsense'; 'forage lab list' shows those there are"
expect 4 forage lab gen news
complains "-o FOLDER says where to write it"
expect 1 forage lab gen news --hours 24 -o /dev/null/x
complains "cannot make the folder '/dev/null/x'"

# What is generated and what is written and read again are the same sites.
cat >same.yaml <<'END'
name: same
workloads:
  - {name: made, generate: news, sites: 2, hours: 48, seed: 5}
  - {name: read, recording: first}
budgets: [2]
policies: [thompson]
warm_up: 12
END
expect 0 forage lab run same.yaml --json -
json
value "[{k: v for k, v in r.items() if k != 'workload'} for r in d['rows'] if r['workload'] == 'made'] == \
    [{k: v for k, v in r.items() if k != 'workload'} for r in d['rows'] if r['workload'] == 'read']" True

# --- import ---
# The same four links in every form that is understood.
printf 'p.example/a\tx\t1772409600\t1772413200\np.example/a\ty\t1772413200\t1772416800\np.example/b\tx\t1772413200\t1772413200\np.example/c\tz\t1772409600\t1772416800\n' >plain.tsv
expect 0 forage lab import plain.tsv -o plain
says "plain: 3 sources, 3 targets, 4 intervals"
sed -e 's/1772409600/2026-03-02T00:00:00Z/g' -e 's/1772413200/2026-03-02T01:00:00Z/g' \
    -e 's/1772416800/2026-03-02T02:00:00Z/g' -e 's,^,https://,' plain.tsv >iso.tsv
sed -e 's/\(1772[0-9]*\)/\1000/g' plain.tsv >millis.tsv
awk -F '\t' '{print $4 "\tignored\t" $2 "\t" $1 "\t" $3}' plain.tsv >turned.tsv
{ printf 'last_seen\tnote\turl\tsource\tfirst_seen\n' && cat turned.tsv; } >headed.tsv
gzip -k iso.tsv && mv iso.tsv.gz zipped.tsv.gz
for form in iso millis headed zipped; do
    expect 0 forage lab import $form.tsv -o other
    cmp -s plain/sources.tsv other/sources.tsv || flunk "$form: other sources"
    [ "$(zcat plain/intervals.tsv.gz)" = "$(zcat other/intervals.tsv.gz)" ] || flunk "$form: other intervals"
done
expect 0 forage lab import turned.tsv -c last,note,target,source,first -o other
[ "$(zcat plain/intervals.tsv.gz)" = "$(zcat other/intervals.tsv.gz)" ] || flunk "named columns: other intervals"
expect 0 sh -c 'forage lab import - -o other <plain.tsv'
# Figures that are missing say why: nothing appears on these pages after the first hour.
printf 'a\tx\t0\t36000\nb\ty\t0\t36000\n' >still.tsv
expect 0 forage lab import still.tsv -o still
printf 'name: empty\nworkloads: [{recording: still}]\nbudgets: [1]\npolicies: [round-robin]\nwarm_up: 3\n' >empty.yaml
expect 0 forage lab run empty.yaml --html empty.html
says "- No coverage on still at budget 1: no target appeared after the warm-up."
says "- No htd_p90 on still at budget 1: no target that appeared after the warm-up was found."
grep -q "Empty: no run of any policy has a value" empty.html || flunk "an empty chart does not say why"

# A folder comes out as it went in, names and snapshots and all.
expect 0 forage lab import first -o again
expect 0 forage lab run same.yaml --json -
cp "$scratch/out" "$scratch/before"
sed -i 's/recording: first/recording: again/' same.yaml
expect 0 forage lab run same.yaml --json -
cmp -s "$scratch/out" "$scratch/before" || flunk "an imported folder is not the same sites"
# A folder without names of sources.
mkdir bare && zcat first/intervals.tsv.gz >bare/intervals.tsv
expect 0 forage lab import bare -o named
says "named: "

# CSV with a row of names: the same stays; and the looks that they came from.
{ echo 'page,note,link,first seen,last seen' && awk -F '\t' '{print "\"" $1 "\",\"a \"\"note\"\", of two\"," $2 "," $3 "," $4}' plain.tsv; } >stays.csv
expect 0 forage lab import stays.csv -o other
cmp -s plain/sources.tsv other/sources.tsv || flunk "CSV: other sources"
[ "$(zcat plain/intervals.tsv.gz)" = "$(zcat other/intervals.tsv.gz)" ] || flunk "CSV: other intervals"
# Looks at a: x; x and y; y; x again. At b, at other times: z throughout. By hand that is x twice, y and z.
printf '%s\n' time,page,link 3600,https://p.example/a,x 7200,https://p.example/a,x '7200,https://p.example/a,"y, ""2"""' \
    9000,https://p.example/b,z 10800,https://p.example/a,'"y, ""2"""' 14400,https://p.example/a,x \
    12600,https://p.example/b,z >looks.csv
tr ',' '\t' <looks.csv | sed 's/"y.*/y/' >looks.tsv
for form in csv tsv; do
    expect 0 forage lab import looks.$form -o looked
    says "looked: 2 sources, 3 targets, 4 intervals"
    [ "$(zcat looked/intervals.tsv.gz | sort | tr '\n\t' ';,')" = "0,0,14400,14400;0,0,3600,7200;0,1,7200,10800;1,2,9000,12600;" ] ||
        flunk "looks as $form: $(zcat looked/intervals.tsv.gz | tr '\n\t' ';,')"
    [ "$(zcat looked/snapshots.tsv.gz | wc -l)" -eq 6 ] || flunk "not every look is there"
done
# As spreadsheets save it: with a byte-order mark, and semicolons where commas are for decimals.
{ printf '\357\273\277' && cat looks.csv; } >marked.csv
{ printf '\357\273\277' && sed 's/"y, ""2"""/"y; ""2"""/; s/,/;/g' looks.csv; } >semicolons.csv
for form in marked semicolons; do
    expect 0 forage lab import $form.csv -o looked
    says "looked: 2 sources, 3 targets, 4 intervals"
done
printf 'time;page;link\n1;a\n' >bad.csv
expect 1 forage lab import bad.csv -o x
complains "'bad.csv', line 2: expected time, page and link, with semicolons between"
printf 'time,page,link\n1,a,b\nsoon,a,b\n' >bad.csv
expect 1 forage lab import bad.csv -o x
complains "'bad.csv', line 3: expected times in Unix seconds or as 2026-11-15T21:02:18Z"
printf 'time,page,link\n1,"a,b\n' >bad.csv
expect 1 forage lab import bad.csv -o x
complains "'bad.csv', line 2: expected a quote that ends before a comma or the line's end"
printf 'time,page,link\n1,a\n' >bad.csv
expect 1 forage lab import bad.csv -o x
complains "'bad.csv', line 2: expected time, page and link, with commas between"
printf 'page,link\na,b\n' >bad.csv
expect 1 forage lab import bad.csv -o x
complains "'bad.csv', line 1: expected a first row that names the columns: time, page and link, or page, link, first and last"

expect 1 forage lab import nowhere.tsv -o x
complains "cannot open 'nowhere.tsv'"
expect 1 forage lab import data -o x
complains "'data' has neither an intervals.tsv nor a forage.db"
printf 'a\tb\tsoon\tlater\n' >bad.tsv
expect 1 forage lab import bad.tsv -o x
complains "'bad.tsv', line 1: expected times in Unix seconds or as 2026-11-15T21:02:18Z"
printf '# a comment\n\na\tb\t5\t4\n' >bad.tsv
expect 1 forage lab import bad.tsv -o x
complains "'bad.tsv', line 3: expected a link last seen no earlier than first seen"
printf 'a\tb\n' >bad.tsv
expect 1 forage lab import bad.tsv -o x
complains "'bad.tsv', line 1: expected source, target, first and last, with tabs between"
: >bad.tsv
expect 1 forage lab import bad.tsv -o x
complains "'bad.tsv' has no link in it"
expect 4 forage lab import plain.tsv -c source,target -o x
complains "the columns 'source,target' lack one of source, target, first and last"
expect 4 forage lab import plain.tsv
complains "-o FOLDER says where to write it"
[ -e x ] && flunk "a folder was made for nothing"

# The live store: what the crawl saw, under the names of its pages.
workspace ws
expect 0 forage lab import ws -o live
grep -q 'news.example/' live/sources.tsv || flunk "the store's sources are not there"
expect 0 forage lab import ws --fill 0 -o unfilled
[ "$(zcat live/snapshots.tsv.gz | wc -l)" -gt "$(zcat unfilled/snapshots.tsv.gz | wc -l)" ] ||
    flunk "nothing was filled"

# --- stats ---
expect 1 forage lab stats nowhere
complains "no workload 'nowhere': it is neither a generator nor a folder with a recording or a crawl"
expect 0 forage lab stats first --json
json
value "[s['name'] for s in d['sites']], d['sites'][0]['hours'], 'mean' in d" \
    "(['news-00.example', 'news-01.example', 'first'], 48, False)"
value "d['sites'][0]['sources'] + d['sites'][1]['sources'] == d['sites'][2]['sources']" True
expect 0 forage lab stats news --sites 2 --json
value "len(d['sites']), d['mean']['hours'], d['mean']['sources'] == (d['sites'][0]['sources'] + d['sites'][1]['sources']) / 2" \
    "(2, 1176, True)"
expect 0 forage lab stats ws
says "link observations"
done_testing
