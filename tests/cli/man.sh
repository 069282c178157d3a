# The manual pages say what the program says, and no formatter finds fault with them.
. tests/cli/common
pages=$root/docs/man

# section FILE NAME: from its heading to the next.
section() { awk -v heading=".Sh $2" '/^\.Sh / { on = $0 == heading } on' "$1"; }
expect 0 forage help --man
silent
section "$pages/forage.1" FLAGS >flags
cmp -s "$scratch/out" flags || flunk "forage(1), FLAGS: 'make man' renews it"
expect 0 forage policies --man
cmp -s "$scratch/out" "$pages/forage-policies.7" || flunk "forage-policies(7): 'make man' renews it"

# Every flag of every command is there, and every policy with every parameter.
if command -v python3 >/dev/null; then
    forage help --json >help.json
    forage policies --json >policies.json
    python3 - "$pages" >missing <<'END'
import json, re, sys
page = open(sys.argv[1] + "/forage.1").read()
for c in json.load(open("help.json"))["commands"]:
    part = re.search(r"^\.Ss forage %s\n(.*?)^\.S" % re.escape(c["name"]), page, re.M | re.S)
    for flag in c["flags"]:
        long = flag["flag"][2:]
        own = part and re.search(r"^\.It (Fl \S , )?Fl Fl %s( |$)" % re.escape(long), part[1], re.M)
        if not own and long not in ("help", "verbose", "quiet"):
            print(c["name"], flag["flag"])
page = open(sys.argv[1] + "/forage-policies.7").read()
for p in json.load(open("policies.json")):
    bound = " Pq upper bound" if p["lab_only"] else ""
    parts = page.split(".It Cm \\&%s%s\n" % (p["name"], bound))[1:]
    if not parts:
        print(p["name"])
    for q in p["parameters"]:
        if not any(".It Cm \\&%s = " % q["name"] in part for part in parts):
            print(p["name"], q["name"])
END
    [ -s missing ] && flunk "not in the manual: $(head -n 5 missing | tr '\n' ';')"
fi

tried=0
for page in "$pages"/*; do
    if command -v mandoc >/dev/null; then
        expect 0 mandoc -T lint -W warning "$page"
        tried=1
    fi
    # man-db's own check: everything groff warns of.
    if command -v man >/dev/null && command -v groff >/dev/null; then
        expect 0 env LC_ALL=C.UTF-8 MANROFFSEQ= MANWIDTH=80 man --warnings -E UTF-8 -l -Tutf8 -Z "$page"
        silent
        tried=1
    fi
done
[ $tried -eq 1 ] || echo "neither mandoc nor man is here: the pages were not linted"
done_testing
