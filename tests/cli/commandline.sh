# What is typed wrong is named, with what was probably meant.
. tests/cli/common

expect 0 forage --version
says "forage "
[ "$(wc -l <"$scratch/out")" -eq 1 ] || flunk "--version is more than one line"
expect 0 forage --version -v
says "libxml2 2."
says "uchardet"
expect 0 forage version --json
json
value "d['name']" forage

expect 4 forage confgi
complains "forage: unknown command 'confgi'; did you mean 'config'?"
expect 4 forage completely-different
complains "'forage help' lists them"
expect 4 forage config show --log-levl debug
complains "unknown flag '--log-levl'; did you mean '--log-level'?"
expect 4 forage config
complains "too few arguments; usage: forage config"
expect 4 forage version more
complains "too many arguments; usage: forage version [FLAG]..."
grep -q ' $' "$scratch/err" && flunk "a blank at the end of the line"
expect 4 forage version -z
complains "unknown flag '-z'"
grep -q "' in '" "$scratch/err" && flunk "'-z' in '-z'"
expect 4 forage version -jz
complains "unknown flag '-z' in '-jz'"
expect 4 forage config shwo
complains "unknown action 'shwo'"
expect 4 forage config show fetch.max-bdy
complains "did you mean 'fetch.max-body'?"
expect 4 forage config show --log-level
complains "--log-level needs a value"
expect 4 forage version --json=perhaps
complains "'perhaps' is not yes or no"

# Flags of settings may stand before the command, too; -- ends the flags.
expect 0 forage --log-level debug config show log.level
says "--log-level"
expect 4 forage config show -- --log-level
complains "unknown key '--log-level'"
expect 0 forage -v config show log.level
says "--verbose"
complains "level=debug area=config"
expect 0 forage -q config show log.level
says "--quiet"
expect 0 forage -q --log-level info config show log.level
says "info"

# An escape in an argument does not reach the terminal.
expect 4 forage "$(printf '\033[31mx\ny')"
complains '\u001b[31mx\ny'
[ "$(wc -l <"$scratch/err")" -eq 1 ] || flunk "an argument forged a line"
done_testing
