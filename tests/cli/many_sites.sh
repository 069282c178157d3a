# Looking at a crawl of very many sites takes memory in proportion to them, and needs no
# right to write anything, a log least of all.
. tests/cli/common
command -v python3 >/dev/null || { echo "no python3"; exit 77; }
python3 -c "
for i in range(8000): print('http://127.1.%d.%d/' % (1 + i // 250, 1 + i % 250))" >seeds
expect 0 forage add -w ws --net-allow-private loopback --seeds seeds
python3 - <<'END' || flunk "status takes more memory than 8,000 sites can need"
import resource, subprocess
for words in (['status', '--json'], ['new'], ['why', 'http://127.1.1.1/']):
    subprocess.run(['forage', *words, '-w', 'ws'], check=True, stdout=subprocess.DEVNULL)
raise SystemExit(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss > 500 << 10)
END
expect 0 forage status -w ws --log-file "$scratch/nowhere/at/all.log"
grep -q '^MemoryMax=' "$root/packaging/forage.service" || flunk "the unit has no MemoryMax"
done_testing
