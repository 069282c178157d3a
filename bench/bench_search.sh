#!/bin/bash
# bench/bench_search.sh BUILD: the index beside plain FTS5 and beside Xapian.
#
# TEXTS texts (100000) of real length: passages of the manual pages, documentation and
# programs of this machine, strung together, with names of their own so that the vocabulary
# grows as it does on the web. Queries are one to three words of a text. Each engine indexes
# all texts, keeps them for snippets, and answers every query with ten results and their
# snippets. Asked: at least 0.8 of the speed of plain FTS5 at indexing, and a 99th percentile
# of queries not above that of Xapian, and 20 ms at a million texts. TEXTS=1000000 takes
# three minutes of a processor with ENGINES=forage, and 20 GB with all of them, half an hour.
#
# With FOLDER=DIR texts, indexes and figures stay there, and STEPS ("texts index ask") says
# what is done this time: index by night, ask once the machine is quiet. Processor time is
# what counts in both.
set -u
TEXTS=${TEXTS:-100000} QUERIES=${QUERIES:-2000} ENGINES=${ENGINES:-forage fts5 xapian}
bench=$(cd "$(dirname "$0")" && pwd)
build=$(cd "${1:-build/release}" && pwd)
STEPS=${STEPS:-texts index ask}
if [ -n "${FOLDER:-}" ]; then
    mkdir -p "$FOLDER" && folder=$(cd "$FOLDER" && pwd) || exit 1
else
    folder=$(mktemp -d /tmp/forage-bench-XXXXXX)
    trap 'rm -rf "$folder"' EXIT
    trap 'exit 1' INT TERM
fi

does() {
    case " $STEPS " in *" $1 "*) true ;; *) false ;; esac
}

# Figures go into a file an engine and step.
run_engine() {
    case $1 in
    xapian) "$folder/run_xapian" "$2" "$folder" ;;
    *) "$build/bench/run_search" "$1" "$2" "$folder" ;;
    esac >"$folder/$1.$2"
}

make_texts() {
    python3 - "$TEXTS" "$QUERIES" "$folder" <<'END'
import glob, gzip, random, re, sys
texts, queries, folder = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3]
random.seed(7)
pool, size = [], 0
names = sorted(glob.glob('/usr/share/man/man*/*.gz') + glob.glob('/usr/share/doc/*/copyright') +
               glob.glob('/usr/share/perl/**/*.pod', recursive=True) + glob.glob('/usr/lib/python3*/**/*.py', recursive=True))
random.shuffle(names)
for name in names:
    try:
        raw = (gzip.open if name.endswith('.gz') else open)(name, 'rb').read(400000)
    except OSError:
        continue
    words = re.findall(r"[A-Za-z][A-Za-z']+[.,;:]?|\d{1,4}", raw.decode('utf-8', 'replace'))
    if len(words) > 200:
        pool.append(words)
        size += len(words)
    if size > 6000000:
        break
def passage(n):
    words = random.choice(pool)
    at = random.randrange(max(1, len(words) - n))
    return words[at:at + n]
chosen = []
with open(folder + '/texts', 'w') as out:
    for i in range(texts):
        words = []
        for _ in range(3):
            words += passage(max(20, int(random.lognormvariate(4.6, .6))))
        for _ in range(4):
            at = random.randrange(len(words))
            words.insert(at, 'n%x' % int(random.paretovariate(.6) * 100 % 1e9))
        title = ' '.join(words[:6])
        out.write(title + '\t' + ' '.join(words) + '\n')
        if random.random() < 4 * queries / texts and len(chosen) < queries:
            content = sorted({w.strip('.,;:').lower() for w in words if len(w) > 3 and "'" not in w})
            if len(content) > 3:
                chosen.append(' '.join(random.sample(content, random.choice((1, 2, 2, 3)))))
open(folder + '/queries', 'w').write('\n'.join(chosen) + '\n')
END
}

if does texts; then
    make_texts || exit 1
fi
engines=
for engine in $ENGINES; do
    if [ "$engine" = xapian ]; then
        if ! command -v xapian-config >/dev/null; then
            echo "Xapian is not installed (libxapian-dev), left out"
            continue
        fi
        # shellcheck disable=SC2046
        c++ -O2 -std=c++17 -o "$folder/run_xapian" $(xapian-config --cxxflags) "$bench/run_xapian.cc" $(xapian-config --libs) || exit 1
    fi
    for step in index ask; do
        if does $step; then
            run_engine "$engine" $step || exit 1
        fi
    done
    engines="$engines $engine"
done
does ask || exit 0
python3 - "$folder" $engines <<'END'
import sys
folder, found = sys.argv[1], {}
for name in sys.argv[2:]:
    found[name] = {k: float(v) for k, v in (p.split('=') for step in ('.index', '.ask') for p in open(folder + '/' + name + step).read().split())}
print('%-12s %8s %8s %10s %8s %8s %8s %8s %8s' % ('', 'MB/s', 'queries', 'bytes/byte', 'qps', 'p50 ms', 'p90 ms', 'p99 ms', 'max ms'))
for name, f in found.items():
    print('%-12s %8.1f %8d %10.2f %8.0f %8.2f %8.2f %8.2f %8.2f' % (
        name, f['bytes'] / 1e6 / f['index_s'], f['queries'], f['file'] / f['bytes'], f['qps'],
        f['p50'] / 1e3, f['p90'] / 1e3, f['p99'] / 1e3, f['max'] / 1e3))
    if 'all_p99' in f:
        print('%-12s %8s %8d %10s %8.0f %8.2f %8.2f %8.2f %8.2f' % (
            '  all words', '', f['all_queries'], '', f['all_qps'], f['all_p50'] / 1e3, f['all_p90'] / 1e3,
            f['all_p99'] / 1e3, f['all_max'] / 1e3))
ours = found['forage']
if 'fts5' in found:
    print('indexing, beside plain FTS5 (asked: 0.8)     %.2f' % (found['fts5']['index_s'] / ours['index_s']))
if 'xapian' in found:
    print('p99, of that of Xapian (asked: at most 1)    %.2f' % (ours['p99'] / found['xapian']['p99']))
if ours['texts'] >= 1e6:
    print('p99 (asked: below 20 ms)                     %.1f ms' % (ours['p99'] / 1e3))
print('texts %d, %.0f bytes each; memory %.0f MB, %.0f MB after the queries; load average %s' % (
    ours['texts'], ours['bytes'] / ours['texts'], ours['memory_kb'] / 1e3, ours['memory_asked_kb'] / 1e3,
    open('/proc/loadavg').read().split()[0]))
END
