# docs/papers: whatever it names exists, its figures are those that are stored, and small runs
# of the experiments still give what is stored of them. If they do not, a change has moved what
# a paper's experiment gives: `tools/papers` says how to take the figures anew, and
# RENEW=1 writes the small ones.
. tests/cli/common
command -v python3 >/dev/null || exit 77

expect 0 env FORAGE_BUILD="$builds" "$root/tools/papers"
[ -s "$scratch/out" ] && flunk "docs/papers is stale"

# It notices what is stale: a file, a command, an experiment, a parameter, a figure; and a
# row that does not say whether ours is what was published.
cp -r "$root/docs/papers" pages
cat >pages/wrong.md <<'MD'
| what | where | published | ours | remark |
|---|---|---|---|---|
| a | `src/policy/discovery/nothing.c` | | | |
| b | `thompson gamma=1` | | | |
| c | `forage lab run nothing` | | | |
| d | `forage lab run quick --nothing` | | | |
| e | | | 12.3<!-- quick; news; 3; thompson; coverage --> | |
| f | `nothing_of_the_kind` | | |
| g | | 12 % | 12.3<!-- quick; news; 3; thompson; coverage --> | |
MD
expect 1 env FORAGE_BUILD="$builds" PAPERS="$PWD/pages" "$root/tools/papers"
for said in "'src/policy/discovery/nothing.c': no such file" "no parameter gamma of thompson" \
    "no experiment nothing" "no flag --nothing" "no figure is stored for 'quick; news; 3" \
    "'nothing_of_the_kind': nothing of that name" "wrong.md:9: published numbers beside ours, and no remark" "a row that has not five cells"; do
    says "$said"
done

# Small runs: what is stored beside the pages is no older than the program.
for small in "$root"/tests/golden/papers/*.yaml; do
    name=$(basename "$small" .yaml)
    expect 0 forage lab run "$small" --json small.json
    golden=$root/tests/golden/papers/$name.tsv
    python3 - small.json >"$name.tsv" <<'PY'
import json, sys
d = json.load(open(sys.argv[1]))
# What networks on OpenBLAS make is not the same on every processor.
for r in d["rows"]:
    at = [f"{m}={r[m].get('mean', r[m].get('median')):.6g}" for m in d["metrics"]
          if m != "auc" and r.get(m) and r[m].get("mean", r[m].get("median")) is not None]
    if at:
        print(r["workload"], r["budget"], r["policy"], *at, sep="\t")
PY
    [ "${RENEW:-}" = 1 ] && cp "$name.tsv" "$golden"
    cmp -s "$name.tsv" "$golden" || flunk "$name: $(diff "$golden" "$name.tsv" | head -n 4)"
done
done_testing
