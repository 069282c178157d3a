# docs/limits.md names tests that are there, and defaults that are the program's.
. tests/cli/common
page=$root/docs/limits.md
sed -n 's/.*| \(.*\) |$/\1/p' "$page" | grep -o '`[^`]*`' | tr -d '`' | sort -u >tests
[ "$(wc -l <tests)" -gt 20 ] || flunk "no tests in docs/limits.md"
while read -r name; do
    case $name in
    tests/*) [ -e "$root/$name" ] || flunk "docs/limits.md: there is no $name" ;;
    *) grep -rqE "^static void $name\(" "$root"/tests/*/test_*.c || flunk "docs/limits.md: there is no test $name" ;;
    esac
done <tests
expect 0 forage config show
sed -n 's/^| `\([a-z0-9-]*\.[a-z0-9-]*\)` | \([^ ]*\) |.*/\1 \2/p' "$page" >settings
[ "$(wc -l <settings)" -gt 10 ] || flunk "no settings in docs/limits.md"
while read -r name value; do
    awk -v name="$name" -v value="$value" '$1 == name && $2 == value { found = 1 }
        END { exit !found }' "$scratch/out" || flunk "docs/limits.md: $name is not $value"
done <settings
done_testing
