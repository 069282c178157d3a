# Experiments: the table, the keys of the JSON, mistakes, and going on after a kill -9.
. tests/cli/common

cat >small.yaml <<'END'
name: small
title: A small one
paper: Nobody, 2026
workloads:
  - {name: reports, generate: reports, sites: 5, hours: 72, history: 24}
budgets: [1, 5 %]
policies: [round-robin, thompson]
warm_up: 24
compare:
  - {policy: thompson, with: [round-robin]}
published:
  - {budget: 1, policy: thompson, metric: coverage, value: 0.5, where: Table 9}
  - {budget: 1, policy: thompson, metric: regret, value: 7, at: 36, where: Figure 9}
claims:
  - {budget: 1, policy: round-robin, over: thompson, metric: regret, where: section 9}
  - {budget: 1, policy: thompson, over: round-robin, metric: coverage, by: 3, where: section 8}
figures:
  - {is: Figure 8, chart: Cumulative regret, group: "reports, k = 1"}
  - {is: Figure 9, chart: Cumulative, group: "reports, k"}
  - {is: Figure 10, chart: Nothing of the kind}
remarks: [Just a test.]
END

# --- what is told ---
expect 0 forage lab run small.yaml
silent
says "A small one"
says "Nobody, 2026"
says "reports, budget 1, 5 sites"
says "reports, budget 5 %, 5 sites"
says "(50.0)"
says "Paired by site: reports, budget 1"
says "- Just a test."
says "- Published numbers: Table 9, Figure 9."
says "- coverage on reports at budget 1: 1 of 1 published values are not ours: thompson 68.6 (published 50.0)."
says "Published regret of thompson at 36 hours, Figure 9: 7; here, on reports at budget 1, "
says "Of 2 published values "
says "Of 2 stated orders "
says "Stated in section 9: round-robin is better than thompson in regret."
says "Stated in section 8: thompson is better than round-robin by a factor of 3 in coverage."
[ -e small.journal ] && flunk "the journal was left"
expect 0 forage lab run small.yaml --json out.json --html out.html
cp out.json "$scratch/out"
json
# Every policy, budget and workload, with every figure that is promised.
value "[(r['workload'], r['budget'], r['policy']) for r in d['rows']] == [('reports', b, p) for b in ('1', '5 %') for p in ('round-robin', 'thompson', 'oracle')]" True
value "all(set(r[m]) >= {'mean', 'lo', 'hi'} and r[m]['lo'] <= r[m]['mean'] <= r[m]['hi'] for r in d['rows'] for m in ('coverage', 'overhead', 'htd_p50', 'htd_p90', 'regret'))" True
value "[r['regret']['mean'] for r in d['rows'] if r['policy'] == 'oracle']" "[0, 0]"
value "[r['coverage']['published'] for r in d['rows'] if 'published' in r['coverage']]" "[0.5]"
value "[(p['metric'], p['kind']) for p in d['pairings'] if p['budget'] == '1']" \
    "[('coverage', 'ratio'), ('overhead', 'ratio'), ('htd_p90', 'difference'), ('regret', 'difference')]"
value "[(s['where'], s['budget'], s['what'], s['kind'], s['published']) for s in d['stated']]" \
    "[('Table 9', '1', 'coverage of thompson', 'value', '50.0 %'), ('section 9', '1', 'round-robin is better than thompson in regret', 'order', ''), ('section 8', '1', 'thompson is better than round-robin by a factor of 3 in coverage', 'order', ''), ('Figure 9', '1', 'regret of thompson at 36 hours', 'value', '7.00 %')]"
value "d['name'], d['paper'], d['runs'], d['rows'][0]['sites']" "('small', 'Nobody, 2026', 30, 5)"
value "sorted(set(c['title'] for c in d['charts']))" \
    "['Coverage over time', 'Cumulative regret', 'Hours to discovery', 'New targets an hour', 'Where the visits went']"
value "sorted((c['group'], c['title'], c['figure']) for c in d['charts'] if 'figure' in c)" \
    "[('reports, k = 1', 'Cumulative regret', 'Figure 8, Figure 9')]"
grep -q '<a href="#chart-[0-9]*">Figure 8, Figure 9</a>: Cumulative regret, reports, k = 1' out.html || flunk "the figures of the text are not listed"
grep -q '<h4>Figure 8, Figure 9: Cumulative regret</h4>' out.html || flunk "a chart does not say which figure it is"
grep -q "No chart here is Figure 10: there is none called &#39;Nothing of the kind&#39;\|No chart here is Figure 10: there is none called 'Nothing of the kind'" out.html ||
    flunk "a figure that no chart is is not told"
# That of delays ends where there is nothing more to see.
value "[(c['series'][0]['x'][-1] in (168, 20, 22, 24, 30, 36, 42, 48, 60, 72), min(s['y'][-1] for s in c['series']) >= 99) for c in d['charts'] if c['title'] == 'Hours to discovery'][:1]" "[(True, True)]"
grep -q '<html' out.html || flunk "no page was written"
grep -qE 'src="?http|href="?http' out.html && flunk "the page wants something from elsewhere"

# With three budgets of one kind there are charts by budget, with what was published in them.
sed 's/^budgets:.*/budgets: [1, 2, 4]/; /^figures:/,/Figure 10/d' small.yaml >three.yaml
expect 0 forage lab run three.yaml --json -
value "[(s['name'], s['x'], len(s.get('low', []))) for c in d['charts'] if c['title'] == 'By budget: coverage of new targets' for s in c['series']]" \
    "[('round-robin', [1, 2, 4], 3), ('thompson', [1, 2, 4], 3), ('thompson, published', [1], 0), ('oracle', [1, 2, 4], 3)]"
value "[c['title'] for c in d['charts'] if c['group'] == 'reports, by budget']" \
    "['By budget: coverage of new targets', 'By budget: visits for each target found', 'By budget: hours to discovery, 90 %']"

# The same on any number of threads, and printed in place of the table.
for threads in 1 2 5; do
    expect 0 forage lab run small.yaml --threads $threads --json -
    cmp -s "$scratch/out" out.json || flunk "$threads threads give other figures"
done
expect 0 forage lab run small.yaml --sites 2 --seeds 3 --json -
value "[r['sites'] for r in d['rows']][0], d['runs']" "(2, 20)"

# By name, from a folder called experiments; several at once into a folder.
mkdir experiments && sed 's/name: small/name: other/' small.yaml >experiments/other.yaml
expect 0 forage lab run other small.yaml --json reports --html reports
for file in other.json other.html small.json small.html; do
    [ -s "reports/$file" ] || flunk "no reports/$file"
done
cmp -s reports/small.json out.json || flunk "in company it comes out otherwise"
expect 0 sh -c 'forage lab run - --json - <small.yaml'
cmp -s "$scratch/out" out.json || flunk "from standard input it comes out otherwise"

# Too few sites decide nothing, whatever they show, and no interval of theirs has no width.
expect 0 forage lab run small.yaml --sites 1 --json -
value "len(d['stated']), all(s['outcome'].startswith('cannot be decided: too few sites') for s in d['stated'])" "(4, True)"
in_one_line() { tr -s '\n ' ' ' <"$scratch/out" >flat && cp flat "$scratch/out"; }
few="Of 2 stated orders 0 come out, 0 in order but not in size, 0 cannot be decided, 0 do not; 2 rest on too few sites to decide"
expect 0 forage lab run small.yaml --sites 1
grep -E '\[([0-9.-]+), \1\]' "$scratch/out" && flunk "an interval without width"
in_one_line
says "$few"
says "but too few sites decide nothing."
expect 0 forage lab run small.yaml --sites 4
in_one_line
says "$few"
# Days are counted as well: 72 hours of which 24 are not judged are two days.
says "rest on few days: 4 of 4 sites are judged over less than 7 days after the warm-up, the shortest over 2.0."
sed 's/hours: 72/hours: 192/' small.yaml >week.yaml
expect 0 forage lab run week.yaml
grep -q "rest on few days" "$scratch/out" && flunk "a week is called a few days"
# What is over runs keeps its verdict.
cat >runs.yaml <<'END'
name: runs
kind: refresh
workloads: [{name: arms, generate: restless, runs: 3}]
budgets: [1]
policies: [{policy: uniform, groups: 1}, {policy: static, groups: 1}]
charts: none
claims: [{policy: static, over: uniform, metric: reward, where: V}]
END
expect 0 forage lab run runs.yaml
in_one_line
says "Of 1 stated order 1 comes out, 0 in order but not in size, 0 cannot be decided, 0 do not."

# Covers of weekly snapshots are an experiment of another kind, told alike.
printf 'name: weeks\nkind: cover\nworkloads: [{sites: 2, seed: 1, scale: 0.02}]\nremarks: [Tiny.]\n' >weeks.yaml
expect 0 forage lab run weeks.yaml
says "- Tiny."
expect 0 forage lab run weeks.yaml --json -
json
value "d['name'], all(set(r[m]) >= {'mean', 'lo', 'hi'} for r in d['rows'] for m in ('coverage', 'overhead', 'htd_p50', 'htd_p90', 'regret'))" \
    "('weeks', True)"
value "'greedy' in [r['policy'] for r in d['rows']]" True
for threads in 1 2; do
    expect 0 forage lab run weeks.yaml --threads $threads --json weeks-$threads.json
done
cmp -s weeks-1.json weeks-2.json || flunk "covers differ on two threads"

# --- mistakes ---
expect 1 forage lab run nothing
complains "forage lab run: no experiment 'nothing'; 'forage lab list' shows those there are"
expect 4 forage lab run
complains "too few arguments; usage: forage lab run [FLAG]... EXPERIMENT..."
sed 's/^budgets/budgetz/' small.yaml >wrong.yaml
expect 4 forage lab run small.yaml wrong.yaml
complains "forage lab run: wrong.yaml:6: unknown key 'budgetz'; there are: name, title, paper, kind, workloads, budgets, policies, warm_up, seeds, short, compare, published, claims, figures, best_of, arms_at, drawn, remarks, charts"
[ -s "$scratch/out" ] && flunk "work was done before the mistake was found"
sed 's/, thompson\]/, tompson]/; /compare/,$d' small.yaml >wrong.yaml
expect 4 forage lab run wrong.yaml
complains "wrong.yaml:7: no policy 'tompson'; there are: "
sed 's/generate: reports/generate: rapports/' small.yaml >wrong.yaml
expect 4 forage lab run wrong.yaml
complains "wrong.yaml:5: no generator 'rapports'"
sed 's/{name: reports.*/{data: "*"}/' small.yaml >wrong.yaml
expect 1 env FORAGE_DATA=experiments forage lab run wrong.yaml
complains "none of its recordings is here; FORAGE_DATA names the folder they are in"
sed 's/{name: reports.*/{recording: nowhere}/' small.yaml >wrong.yaml
expect 1 forage lab run wrong.yaml
complains "wrong.yaml:5: cannot open 'nowhere/sources.tsv'"
expect 1 forage lab run small.yaml --json /nowhere/x.json
complains "cannot write '/nowhere/x.json.journal'"
expect 4 forage lab run small.yaml other --json out.html
complains "'out.html' must be a folder, since it gets a file for each experiment"

# --- killed, and gone on with ---
cat >long.yaml <<'END'
name: long
workloads:
  - {generate: reports, sites: 40, hours: 400}
budgets: [2, 5]
policies: [round-robin, thompson]
warm_up: 100
charts: none
END
expect 0 forage lab run long.yaml --threads 1 --json whole.json
rm -f part.json
forage lab run long.yaml --threads 2 --json part.json >/dev/null 2>&1 &
pid=$!
within 60 sh -c "[ \$(grep -c ' run ' part.json.journal) -ge 5 ]"
kill -9 $pid 2>/dev/null
wait $pid 2>/dev/null
[ -e part.json ] && flunk "a report of half the work"
done_before=$(grep -c ' run ' part.json.journal)
expect 0 forage lab run long.yaml --resume --json part.json
complains "long: "
complains " of 240 jobs were done before"
cmp -s part.json whole.json || flunk "killed after $done_before jobs and resumed, it comes out otherwise"
[ -e part.json.journal ] && flunk "the journal was left"

# So do covers.
printf 'name: covers\nkind: cover\nworkloads: [{sites: 8, seed: 2, scale: 0.1}]\n' >covers.yaml
expect 0 forage lab run covers.yaml --threads 1 --json whole-covers.json
forage lab run covers.yaml --threads 2 --json covers.json >/dev/null 2>&1 &
pid=$!
within 60 sh -c "[ \$(grep -c ' run ' covers.json.journal) -ge 5 ]"
kill -9 $pid 2>/dev/null
wait $pid 2>/dev/null
[ -e covers.json ] && flunk "a report of half the work"
expect 0 forage lab run covers.yaml --resume --json covers.json
complains " of 512 jobs were done before"
cmp -s covers.json whole-covers.json || flunk "covers killed and resumed come out otherwise"

# Interrupted, it says how to go on, and what is done is done.
forage lab run long.yaml --threads 2 --json part.json >"$scratch/out" 2>"$scratch/err" &
pid=$!
within 60 sh -c "[ \$(grep -c ' run ' part.json.journal) -ge 5 ]"
kill -INT $pid
wait $pid
code=$?
last="forage lab run (interrupted)"
[ $code -eq 11 ] || [ $code -eq 0 ] || flunk "exit code $code after an interrupt"
if [ $code -eq 11 ]; then
    complains " of 240 jobs to do; --resume goes on"
    expect 0 forage lab run long.yaml --resume --json part.json
    complains " of 240 jobs were done before"
fi
cmp -s part.json whole.json || flunk "interrupted and resumed, it comes out otherwise"
# Without --resume it starts anew, and a changed experiment does not take the old runs.
forage lab run long.yaml --threads 1 --json part.json >/dev/null 2>&1 &
pid=$!
within 60 sh -c "[ \$(grep -c ' run ' part.json.journal) -ge 5 ]"
kill -9 $pid 2>/dev/null
wait $pid 2>/dev/null
sed -i 's/hours: 400/hours: 401/' long.yaml
expect 0 forage lab run long.yaml --resume --sites 1 --json part.json
grep -q "were done before" "$scratch/err" && flunk "runs of another experiment were taken"
complains "long: cannot resume: 'part.json.journal' is of another experiment, other data or another build of forage; all jobs are run"

# --- words mistyped, data in place of an experiment, and one workload of two with figures ---
expect 1 forage lab run quik
complains "no experiment 'quik'; did you mean 'quick'?"
expect 1 forage policies thomson
complains "there is no policy 'thomson'; did you mean 'thompson'?"
printf 'time,page,link\n' >log.csv
expect 1 forage lab run log.csv
complains "'log.csv' is not an experiment"
cat >figures.yaml <<'END'
name: figures
workloads:
  - {generate: news, sites: 1, hours: 30, history: 10}
  - {generate: reports, sites: 1, hours: 30, history: 10}
budgets: [1]
policies: [round-robin]
warm_up: 5
figures: [{is: Figure 1, chart: Cumulative regret, group: reports}]
END
expect 0 forage lab run figures.yaml --only news
grep -q "No chart here" "$scratch/out" && flunk "--only left the chart out, and it is missed"

# --- a recording of which a preparation leaves nothing, and what cannot be prepared ---
for site in 1 2 3 4; do
    for page in a b c; do
        for hour in 0 1 2 3 4 5 6 7 8 9; do
            printf '%d\tsite%d.example/%s\thttps://site%d.example/%s/%d\n' $((1700000000 + hour * 3600)) $site $page $site $page $hour
        done
    done
done | sed '1i time\tpage\tlink' >looked.tsv
expect 0 forage lab import looked.tsv -o looked
prepared() {
    printf 'name: p\nworkloads: [{%s, prepare: {density: 0.9, top: 100, least: %d}}]\nbudgets: [1]\npolicies: [round-robin]\nwarm_up: 2\n' "$1" "$2" >prepared.yaml
}
prepared 'recording: looked' 40
expect 4 forage lab run prepared.yaml
complains "'prepare' leaves no site of 'looked': none has 40 sources that were fetched in 90 % of the hours"
prepared 'recording: looked' 3
expect 0 forage lab run prepared.yaml
says "looked, budget 1, 4 sites"
prepared 'generate: news, sites: 1' 3
expect 4 forage lab run prepared.yaml
complains "'prepare' is for recordings"
done_testing
