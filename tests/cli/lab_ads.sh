# Experiments about advertisements: the orders of Figures 6.3 and 6.4 in seconds, the same
# on any number of threads, and messages that say what is wrong.
. tests/cli/common

cat >ads.yaml <<'YAML'
name: ads
kind: ads
workloads:
  - {name: A, generate: market-a, markets: 3, seed: 101, scale: 0.006, days: 4}
  - {name: more, generate: market-b, seed: 101, scale: 0.004, days: 3, budgets: [1, 2, 3]}
  - {name: short, generate: market-a, seed: 1, scale: 0.002, days: 6, first_day: 3, lifetime: 2, policies: [bmix-e, paced-index]}
  - {name: long, generate: market-a, seed: 1, scale: 0.002, days: 6, first_day: 3, lifetime: 5, policies: [bmix-e, paced-index]}
  - {name: optimum, generate: small, markets: 2, queries: 40, policies: [bmix, paced-index]}
budgets: [1]
policies: [greedy, bmix, bmix-e, {policy: bpol, label: exp3, bandit: 1}, paced-index, known-paced]
compare:
  - {policy: paced-index, with: [bmix-e, greedy], metrics: [share, last_day]}
YAML

expect 0 forage lab run ads.yaml --threads 1 --json one.json --html ads.html
says "A, 1 ads a query: bmix-e earns more than bmix on 4 of 4 days, as published."
says "paced-index to bmix-e"
expect 0 forage lab run ads.yaml --threads 3 --json three.json
cp one.json "$scratch/out"
json
value "len([r for r in d['rows'] if r['workload'] == 'A'])" 6
value "all(r['overspent']['mean'] == 0 for r in d['rows'])" True
value "all(0 < r['share']['mean'] < 1.2 for r in d['rows'])" True
value "[p['wins'] for p in d['pairings'] if p['workload'] == 'A' and p['reference'] == 'bmix-e' and p['metric'] == 'share']" "[3]"
grep -q "Figure 6.3" ads.html || flunk "no Figure 6.3"
grep -q "Figure 6.4" ads.html || flunk "no Figure 6.4"
grep -q "Figure 6.6" ads.html || flunk "no Figure 6.6"
python3 - <<'PY' || flunk "another number of threads, other figures"
import json
one, three = json.load(open("one.json")), json.load(open("three.json"))
assert one["rows"] == three["rows"] and one["pairings"] == three["pairings"]
PY

sed 's/greedy, bmix, bmix-e/greedy, {policy: greedi, label: bmix}, bmix-e/' ads.yaml >wrong.yaml
expect 4 forage lab run wrong.yaml
complains "no policy for advertisements 'greedi'"
sed 's/bandit: 1/bandit: 7/' ads.yaml >wrong.yaml
expect 4 forage lab run wrong.yaml
complains "'bpol' has no knob 'bandit' that may be 7"
sed 's/generate: small/generate: smal/' ads.yaml >wrong.yaml
expect 4 forage lab run wrong.yaml
complains "no market 'smal'"
done_testing
