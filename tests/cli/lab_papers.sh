# forage lab run papers: the experiments of all papers, one page that leads to their reports,
# and going on where it was stopped. Small stand-ins of the same names lie in ./experiments.
. tests/cli/common

expect 0 forage lab list --json
json
value "[e['title'].split(': ')[1] for e in d['experiments'] if e['name'] == 'papers'] != []" True
names=$(forage lab list --json | python3 -c "
import json, sys
print([e['title'] for e in json.load(sys.stdin)['experiments'] if e['name'] == 'papers'][0].split(': ')[1].replace(',', ''))")
# The list lacks no experiment that says it is of a paper, and has no other.
of_papers=$(cd "$root/experiments" && grep -l '^paper:' ./*.yaml | sed 's,^\./,,; s,\.yaml$,,' | sort | tr '\n' ' ')
[ "$(echo "$names" | tr ' ' '\n' | sort | tr '\n' ' ')" = "$of_papers" ] || flunk "the list has $names, papers have $of_papers"

mkdir experiments
for name in $names; do
    printf 'name: %s\nworkloads: [{generate: reports, sites: 5, hours: 48, history: 24}]\nbudgets: [1]\npolicies: [round-robin]\nwarm_up: 12\ncharts: none\npublished: [{policy: round-robin, metric: coverage, value: 2, where: Table 1}]\nclaims: [{policy: round-robin, over: oracle, metric: regret, where: page 2}]\n' \
        "$name" >"experiments/$name.yaml"
done
expect 0 forage lab run papers
complains "drl-2021: experiment 13 of 13"
for name in $names; do
    [ -s "papers/$name.html" ] && [ -s "papers/$name.json" ] || flunk "no report of $name"
    grep -q "<a href=\"$name.html\">$name</a>.*<a href=\"./$name.json\">JSON</a>.*done" papers/index.html ||
        flunk "the page does not lead to $name"
done
# What the texts state is on the page itself, one by one, with what came of it.
grep -q 'thompson-2023.json">JSON</a></td><td class="num">0 of 1</td><td class="num">0 of 1</td><td>done' papers/index.html ||
    flunk "the page does not count what comes out"
[ "$(grep -c '<td>Table 1</td><td>reports, budget 1</td><td>coverage of round-robin</td><td class="num">200.0 %</td>.*does not come out' papers/index.html)" -eq 13 ] ||
    flunk "the page does not say which values are not ours"
[ "$(grep -c '<td>page 2</td>.*<td>round-robin is better than oracle in regret</td>.*does not come out' papers/index.html)" -eq 13 ] ||
    flunk "the page does not say which orders do not come out"
grep -qE 'src="?http|href="?http' papers/index.html && flunk "the page wants something from elsewhere"
ls papers/*.journal >/dev/null 2>&1 && flunk "a journal was left"

# One fails: the others are run, the page says which, and the rest need not be run again.
sed -i 's/generate: reports.*}]/recording: nowhere}]/' experiments/kab-2020.yaml
expect 1 forage lab run papers --json figures --html pages
complains "cannot open 'nowhere/sources.tsv'"
[ "$(grep -c 'done;' pages/index.html)" -eq 12 ] || flunk "not twelve are done"
grep -q 'kab-2020</td><td></td>.*<td>failed: .*nowhere' pages/index.html || flunk "the page hides what failed"
cp figures/thompson-2023.json before.json
cp experiments/kab-readings.yaml experiments/kab-2020.yaml
sed -i 's/kab-readings/kab-2020/' experiments/kab-2020.yaml
expect 0 forage lab run papers --json figures --html pages --resume
complains "thompson-2023: 10 of 10 jobs were done before"
grep -q "^kab-2020: .*done before" "$scratch/err" && flunk "what failed was taken for done"
cmp -s before.json figures/thompson-2023.json || flunk "resumed it comes out otherwise"
ls figures/*.journal >/dev/null 2>&1 && flunk "a journal was left"
[ "$(grep -c 'done;' pages/index.html)" -eq 13 ] || flunk "not all are done"
expect 4 forage lab run papers --json -
complains "the reports of the papers go to folders"

# Each is cut as it says, unless --full is given, and a single one is cut with --short.
printf 'short: {sites: 1}\n' >>experiments/thompson-2023.yaml
sites() { python3 -c "import json; print(json.load(open('$1'))['rows'][0]['sites'])"; }
expect 0 forage lab run papers --html cut
[ "$(sites cut/thompson-2023.json)" = 1 ] || flunk "papers did not cut thompson-2023"
grep -q "This is the short form of the experiment" cut/thompson-2023.html || flunk "the report hides that it is cut"
grep -q "forage lab run thompson-2023 --short" cut/thompson-2023.html || flunk "the command does not give the same again"
grep -q "This is the short form" cut/drl-2021.html && flunk "what is not cut is called short"
expect 0 forage lab run papers --full --html whole
[ "$(sites whole/thompson-2023.json)" = 5 ] || flunk "--full cut thompson-2023"
expect 0 forage lab run thompson-2023 --short --json one.json
cmp -s one.json cut/thompson-2023.json || flunk "--short is not what papers does"
expect 0 forage lab run thompson-2023 --json two.json
[ "$(sites two.json)" = 5 ] || flunk "it was cut unasked"
expect 4 forage lab run papers --only reports
complains "--only is for one experiment"
printf 'name: two\nworkloads:\n  - {name: some, generate: reports, sites: 2, hours: 48, history: 24}\n  - {name: more, generate: reports, sites: 3, hours: 48, history: 24}\nbudgets: [1]\npolicies: [round-robin]\nwarm_up: 12\n' >two.yaml
expect 0 forage lab run two.yaml --only more --json more.json --html more.html
[ "$(python3 -c "import json; print({r['workload'] for r in json.load(open('more.json'))['rows']})")" = "{'more'}" ] || flunk "--only ran others"
grep -q "forage lab run two.yaml --only &#39;more&#39;\|forage lab run two.yaml --only 'more'" more.html || flunk "the command lacks --only"
expect 4 forage lab run two.yaml --only most
complains "no workload 'most' in 'two'; there are: 'some', 'more'"
expect 4 forage lab run thompson-2023 --full
complains "--full is for 'papers'"
done_testing
