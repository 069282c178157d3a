# forage lab run --part and lab merge: an experiment in parts comes out as one that was not split.
. tests/cli/common

cat >small.yaml <<'END'
name: small
workloads:
  - {name: reports, generate: reports, sites: 3, hours: 72, history: 24}
budgets: [1, 5 %]
policies: [round-robin, thompson]
warm_up: 24
END
expect 0 forage lab run small.yaml --json whole.json
for part in 1 2 3; do
    expect 0 forage lab run small.yaml --part $part/3 --json small.json
    says "small: part $part/3 is done, 6 of 18 jobs, in small.json-$part-of-3.journal"
done
[ -e small.json ] && flunk "a part made a report"
# In any order; a part that is missing is run at the end.
expect 0 forage lab merge small.json-3-of-3.journal small.json-1-of-3.journal small.json-2-of-3.journal -o small.json.journal
says "small.json.journal: "
expect 0 forage lab run small.yaml --resume --json small.json
complains "small: 18 of 18 jobs were done before"
sed 's/--json small.json/--json whole.json/' small.json | cmp -s - whole.json || flunk "merged it comes out otherwise"
expect 0 forage lab merge small.json-3-of-3.journal small.json-1-of-3.journal -o small.json.journal
expect 0 forage lab run small.yaml --resume --json small.json
sed 's/--json small.json/--json whole.json/' small.json | cmp -s - whole.json || flunk "with a lost part it comes out otherwise"

expect 0 forage lab run small.yaml --part 1/2 --sites 2 --json small.json
expect 1 forage lab merge small.json-1-of-3.journal small.json-1-of-2.journal -o mixed.journal
complains "'small.json-1-of-2.journal' is of another experiment, other data or another build than the journals before it"
[ -e mixed.journal ] && flunk "a journal of two experiments was written"
: >empty.journal
expect 1 forage lab merge empty.journal -o mixed.journal
complains "'empty.journal' has no finished job in it"
for wrong in 0/3 4/3 2 a/b 1/0; do
    expect 4 forage lab run small.yaml --part $wrong
    complains "--part is I/N, such as 1/3, not '$wrong'"
done
expect 4 forage lab merge small.json-1-of-3.journal
complains "-o FILE says where to write it"
done_testing
