# Every command explains itself, and every example in its help really runs.
. tests/cli/common

expect 0 forage
says "Usage: forage COMMAND"
cp "$scratch/out" "$scratch/overview"
expect 0 forage help
cmp -s "$scratch/out" "$scratch/overview" || flunk "'forage' and 'forage help' differ"
expect 0 forage --help
cmp -s "$scratch/out" "$scratch/overview" || flunk "'forage' and 'forage --help' differ"

commands=$(sed -n '/^More/q; s/^  \([a-z]*\) .*/\1/p' "$scratch/overview")
[ -n "$commands" ] || flunk "no commands found"
# Each stands in one group, and all are there.
forage help --json | python3 -c '
import json, sys
print("\n".join(sorted(c["name"] for c in json.load(sys.stdin)["commands"] if " " not in c["name"])))' >"$scratch/all"
echo "$commands" | LC_ALL=C sort >"$scratch/listed"
cmp -s "$scratch/all" "$scratch/listed" || flunk "not listed once each: $(diff "$scratch/all" "$scratch/listed")"
# Examples run in a workspace that a crawl has left.
workspace .
cp "$root"/tests/data/cli/* .
# Commands of two words as well: "lab run" is written lab+run here.
actions=$(for command in $commands; do
    forage "$command" --help | sed -n "/^Actions/,/^\$/s/^  \([a-z][a-z-]*\).*/$command+\1/p"
done)
for name in $commands $actions; do
    command=$(echo "$name" | tr + ' ')
    # shellcheck disable=SC2086
    expect 0 forage $command --help
    silent
    says "Usage: forage $command [FLAG]..."
    says "-h, --help"
    cp "$scratch/out" "$scratch/page"
    [ "$(awk 'length > 80' "$scratch/page" | grep -cv '^  [#fep]')" -eq 0 ] ||
        flunk "help of $command is wider than 80 columns"
    # shellcheck disable=SC2086
    expect 0 forage help $command
    cmp -s "$scratch/out" "$scratch/page" || flunk "two kinds of help for $command"

    sed -n '/^Examples/,$s/^  \([^# ].*\)/\1/p' "$scratch/page" >"$scratch/examples"
    [ -s "$scratch/examples" ] || flunk "$command has no examples"
    # lab_commands.sh runs those, beside its data, workers.sh and move.sh others, and test_past.c
    # those that need the log of some days
    case $name in lab+* | workers | move | whatif | budget) continue ;; esac
    while IFS= read -r line; do
        expect 0 sh -c "$line" </dev/null
        case $line in *'>'* | *--time-limit*) continue ;; esac # to a file; perhaps nothing
        [ -s "$scratch/out" ] || flunk "the example prints nothing: $line"
    done <"$scratch/examples"
done

# Few flags at first, all on request.
for command in watch run explain label fetch; do
    expect 0 forage $command --help
    [ "$(wc -l <"$scratch/out")" -le 65 ] || flunk "the help of $command is long: $(wc -l <"$scratch/out") lines"
    says "more: forage $command --help all"
    says "Examples"
    expect 0 forage $command --help all
    cp "$scratch/out" "$scratch/all"
    grep -q "help all\$" "$scratch/out" && flunk "'$command --help all' is not all"
    expect 0 forage help $command all
    cmp -s "$scratch/out" "$scratch/all" || flunk "two kinds of help for all of $command"
done
expect 0 forage watch --help all
says "--digest-timeout"
says "--clock-speed"
expect 0 forage help lab run all
expect 4 forage help lab run everything

expect 0 forage help exit-codes
for code in 0 1 3 4 11 13 14 18; do
    grep -q "^ *$code  " "$scratch/out" || flunk "exit code $code is not explained"
done
# The man page has the same codes with the same words.
while read -r code words; do
    meaning=$(printf '%s' "$words" | sed 's/^.*  *//')
    grep -q "^\.It $code\$" "$root/docs/man/forage.1" || flunk "man page: no exit code $code ($meaning)"
done <"$scratch/out"
for name in $commands $actions; do
    command=$(echo "$name" | tr + ' ')
    grep -q "^\.It Cm $command" "$root/docs/man/forage.1" ||
        case " $actions" in *" $command+"*) ;; *) flunk "man page: no command $command" ;; esac
done

expect 0 forage help settings
for key in $(forage config show | sed 's/ .*//'); do
    says "$key"
    grep -q "^\.It Cm $key\$" "$root/docs/man/forage.yaml.5" || flunk "man page: no key $key"
done
expect 0 forage help --json
json
value "sorted(d)" "['commands', 'exit_codes', 'settings']"
expect 0 forage help settings --json
value "sorted(d)" "['settings']"
expect 0 forage help exit-codes --json
value "sorted(d)" "['exit_codes']"
expect 0 forage help url --json
value "[c['name'] for c in d['commands']] + sorted(d)" "['url', 'commands']"
expect 4 forage help nothing --json
expect 0 forage help --json
value "[c['name'] for c in d['commands']][:1] and d['exit_codes'][3]['code']" 4

# The table in the manual is the one the program prints.
forage help settings --markdown >"$scratch/table"
while IFS= read -r line; do
    grep -qxF -- "$line" "$root/docs/configuration.md" || flunk "docs/configuration.md lacks: $line"
done <"$scratch/table"

expect 4 forage help nothing
complains "no help on 'nothing'"
done_testing
