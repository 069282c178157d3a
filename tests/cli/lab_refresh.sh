# Experiments about refreshing: from a history to the table, the keys of the JSON and the
# page; the generators and figures of pages to refresh.
. tests/cli/common

mkdir -p data/brisk data/calm data/news
for set in brisk calm; do
    awk -v set=$set 'BEGIN {
        for (i = 0; i < 120; i++)
            printf "%d\t0\t2592000\t0\tsection-%d/page-%d\t%d\n", i, i % 4, i, 1 + i % 9
    }' >data/$set/pages.tsv
    awk -v set=$set 'BEGIN {
        period = set == "brisk" ? 90000 : 400000
        for (i = 0; i < 120; i++)
            for (t = period + i * 700; t < 2592000; t += period + i * 700)
                printf "%d\t%d\n", i, t
    }' >data/$set/changes.tsv
done
printf '0\tnews.example/a\n1\tnews.example/b\n2\tnews.example/c\n' >data/news/sources.tsv
awk 'BEGIN {
    for (h = 0; h < 200; h++)
        for (s = 0; s < 3; s++)
            printf "%d\t%d\t%d\t%d\n", s, h * 3 + s, h * 3600, h * 3600 + 7200
}' >data/news/intervals.tsv
export FORAGE_DATA=data

cat >fresh.yaml <<'END'
name: fresh
kind: refresh
title: A small one
paper: Nobody, 2026
workloads:
  - {name: slow, changes: ["*"], weights: [equal, weighted]}
  - {changes: [news], step: 30m, budgets: [300 %]}
  - {generate: restless, setting: 1, runs: 3, budgets: [1], policies: [uniform, kab5]}
budgets: [20 %, 100 %]
policies: [uniform, round-robin, lambda, kab5]
compare:
  - {policy: kab5, with: [uniform], metrics: [click_freshness, page_freshness, stale]}
best_of: {name: best published, policies: [uniform, lambda]}
published:
  - {workload: calm equal, budget: 20 %, policy: lambda, metric: page_freshness, value: 0.5, where: Table 9}
arms_at: [20 %]
END

# --- what is told ---
expect 0 forage lab run fresh.yaml
silent
says "A small one"
says "Medians over days of click_freshness and page_freshness, means otherwise [95 % interval] (published)."
says "brisk equal, budget 20 %, 20 days"
says "calm own, budget 100 %, 20 days"
says "news equal, budget 300 %, 5 days"
says "restless-1, budget 1, 1000 days"
says "(50.00)"
says "kab5 to uniform"
says "In pairs: brisk equal, budget 20 %"
says "slow, equal weights: geometric mean of 2, budget 20 %"
says "kab5 to best published"
says "which is "
says "- On brisk equal, kab5 is level with uniform or better in click_freshness at "
says "- Published numbers: Table 9."
[ -e fresh.journal ] && flunk "the journal was left"

expect 0 forage lab run fresh.yaml --json out.json --html out.html
cp out.json "$scratch/out"
json
for metric in click_freshness page_freshness; do
    value "all(set(r['$metric']) >= {'median', 'lo', 'hi'} and r['$metric']['lo'] <= r['$metric']['median'] <= r['$metric']['hi'] for r in d['rows'])" True
done
value "all(set(r['reward']) >= {'mean', 'lo', 'hi'} for r in d['rows'])" True
value "[(r['policy'], r['reward']['lo'] <= r['reward']['mean'] <= r['reward']['hi']) for r in d['rows'] if r['workload'] == 'restless-1']" \
    "[('uniform', True), ('kab5', True)]"
value "sorted(set(r['workload'] for r in d['rows']))" \
    "['brisk equal', 'brisk own', 'calm equal', 'calm own', 'news equal', 'restless-1']"
value "[r['reward']['mean'] for r in d['rows'] if r['workload'] == 'news equal']" "[None, None, None, None]"
# Pairs that are all equal have no chance to tell.
value "all(0 <= p['p'] <= 1 if 'p' in p else p['lo'] == p['hi'] == 1 for p in d['pairings'] if p['metric'] == 'click_freshness')" True
value "sorted(set(p.get('chosen') for p in d['pairings'] if p['reference'] == 'best published' and 'geometric' not in p['workload']) - {'uniform', 'lambda'})" "[]"
value "sorted(set(c['title'] for c in d['charts']))" \
    "['Arms of kab5', 'Click-weighted freshness', 'Click-weighted freshness against uniform', 'Fresh pages at midnight', 'Fresh pages at midnight against uniform', 'Moving average of the reward, 200 steps', 'Regret among arms', 'Running average of the reward']"
value "sorted(set(c['group'] for c in d['charts'] if c['title'] == 'Arms of kab5'))[:2]" \
    "['brisk equal, budget 20 %', 'brisk own, budget 20 %']"
value "[s['name'] for c in d['charts'] if c['title'] == 'Arms of kab5' for s in c['series']][:5]" \
    "['uniform', 'change', 'click', 'impression', 'lambda']"
grep -q '<html' out.html || flunk "no page was written"

# The same on any number of threads.
for threads in 1 3; do
    expect 0 forage lab run fresh.yaml --threads $threads --json -
    cmp -s "$scratch/out" out.json || flunk "$threads threads give other figures"
done

# --- going on after a kill -9 ---
# Jobs of seconds, so that there is something to kill; the first are done by then.
cat >slow.yaml <<'END'
name: slow
kind: refresh
workloads: [{generate: restless, setting: 2, runs: 40}]
budgets: [1]
policies: [uniform, kab5]
END
expect 0 forage lab run slow.yaml --json whole.json
forage lab run slow.yaml --json resumed.json --threads 1 >/dev/null 2>&1 &
victim=$!
tries=0
while [ "$(cat resumed.json.journal 2>/dev/null | wc -l)" -lt 2 ] && [ $tries -lt 200 ]; do
    sleep 0.05
    tries=$((tries + 1))
done
kill -9 $victim 2>/dev/null
wait $victim 2>/dev/null
if [ -s resumed.json.journal ]; then
    expect 0 forage lab run slow.yaml --json resumed.json --resume
    complains "jobs were done before"
fi
cmp -s whole.json resumed.json || flunk "a resumed run gives other figures"

# --- mistakes ---
printf 'name: a\nkind: refresh\nworkloads: [{changes: [nothing]}]\nbudgets: [1]\npolicies: [uniform]\n' >none.yaml
expect 1 forage lab run none.yaml
complains "none.yaml: none of its histories is here; FORAGE_DATA names the folder they are in"
printf 'name: a\nkind: refresh\nworkloads: [{generate: dreams}]\nbudgets: [1]\npolicies: [uniform]\n' >wrong.yaml
expect 4 forage lab run wrong.yaml
complains "wrong.yaml:3: no generator 'dreams' of pages to refresh"
printf '0\tx\n' >>data/calm/changes.tsv
expect 1 forage lab run fresh.yaml
complains "'data/calm/changes.tsv', line "
complains "expected a page, a tab and the time of a change"

# --- generators, figures and the list ---
expect 0 forage lab gen restless --setting 2 --seed 7 -o data/slots
says "data/slots: 100 pages, "
expect 0 forage lab gen restless --setting 2 --seed 7 -o again
for file in pages.tsv.gz changes.tsv.gz; do
    cmp -s "data/slots/$file" "again/$file" || flunk "the same seed gave another $file"
done
expect 0 forage lab stats slots --json
json
value "[(t['name'], t['pages'], t['days']) for t in d['timelines']]" "[('slots', 100, 5000)]"
expect 0 forage lab stats data/brisk
says "changes a page and day"
expect 0 forage lab list --json
json
value "[h['name'] for h in d['histories']]" "['brisk', 'calm', 'slots']"
value "{'restless', 'offers'} <= {g['name'] for g in d['generators']}" True
value "{'uniform', 'kab5', 'lambda'} <= {p['name'] for p in d['refresh_policies']}" True
