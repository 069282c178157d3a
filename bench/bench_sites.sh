#!/bin/sh
# bench/bench_sites.sh BUILD: what very many sites cost, and whether each has its turn.
# SITES="400 4000 40000" chooses how many; see many_sites.py.
command -v python3 >/dev/null || { echo "python3 is not installed, left out"; exit 0; }
exec python3 "$(dirname "$0")/many_sites.py" "$(dirname "${1:-build/release}")/forage" ${SITES:-400 4000 40000}
