# The doctor finds what is wrong and says so in its exit code.
. tests/cli/common

expect 0 forage doctor
says "ok       configuration"
says ", uchardet, "
expect 0 forage doctor --json
json
value "sorted({c['verdict'] for c in d} - {'warning'})" "['ok']"
[ -z "$(ls -A)" ] || flunk "the doctor left something behind: $(ls -A)"

expect 1 forage doctor --workspace /nonexistent
complains "1 of "
says "FAILED   workspace"
(ulimit -n 100 && expect 0 forage doctor && says "warning  open files" && exit "$bad") || bad=1
expect 0 env LC_ALL=de_DE.UTF-8 forage doctor
says "ok       text"
done_testing
