#!/bin/bash
# A whole experiment: the 53 sites and seven weeks of thompson-2023, 654 million link
# observations, six policies and three budgets. Asked: under five minutes on two cores, and
# a workload of 500 million observations in under 2 GB. SITES=6 runs fewer
# of the sites and multiplies the time.
set -u
forage=$(cd "${1:-build/release}/.." && pwd)/forage
[ -x "$forage" ] || { echo "forage is not built, left out"; exit 0; }
command -v python3 >/dev/null || { echo "python3 is not installed, left out"; exit 0; }
python3 - "$forage" "${SITES:-53}" <<'PY'
import os, resource, subprocess, sys, tempfile, time
forage, sites, all_sites = sys.argv[1], int(sys.argv[2]), 53
with tempfile.TemporaryDirectory() as folder:
    start = time.monotonic()
    subprocess.run([forage, "lab", "run", "thompson-2023", "--sites", str(sites), "--threads", "2",
                    "--json", os.path.join(folder, "out.json")], check=True, stdout=subprocess.DEVNULL)
    took = (time.monotonic() - start) * all_sites / sites
used = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
def met(value, most):
    return "reached" if value <= most else "NOT reached"
what = "thompson-2023 on two threads" + ("" if sites == all_sites else f", from {sites} of its sites")
print(f"{what:<44} {took:9.0f} s (asked at most 300: {met(took, 300)})")
print(f"{'654 M link observations, memory at most':<44} {used:9.0f} MB (asked at most 2048: {met(used, 2048)})")
PY
