# libforage: only its own names are seen, and the examples run as a stranger would build them.
. tests/cli/common
for tool in cc pkg-config nm make; do
    command -v $tool >/dev/null || { echo "no $tool"; exit 77; }
done
(cd "$root" && make -s lib) >"$scratch/out" 2>&1 || flunk "make lib"
lib=$root/build/lib
mkdir include
cp "$root/src/libforage/forage.h" include/

nm -D --defined-only "$lib/libforage.so.0" | awk '$2 != "A" {print $3}' | grep -v '^forage_' >"$scratch/out"
[ -s "$scratch/out" ] && flunk "the shared library shows more than its own"
nm -g --defined-only "$lib/libforage.a" 2>/dev/null | awk 'NF == 3 {print $3}' | grep -v '^forage_' >"$scratch/out"
[ -s "$scratch/out" ] && flunk "the static library shows more than its own"
# What is in the header is in the library, and the other way round.
sed -n 's/^.*[ *]\(forage_[a-z_]*\)(.*$/\1/p' include/forage.h | grep -v '^forage_$' | sort -u >wanted
nm -D --defined-only "$lib/libforage.so.0" | awk '$2 == "T" {sub("@.*", "", $3); print $3}' | sort -u >there
cmp -s wanted there || { diff wanted there >"$scratch/out"; flunk "header and library differ"; }
# It does nothing but compute: no file, no socket, no clock, no thread.
nm -D -u "$lib/libforage.so.0" | awk '{sub("@.*", "", $2); print $2}' |
    grep -xE 'f?open(at)?|read|socket|connect|send|recv|fopen|fwrite|printf|puts|time|clock_gettime|gettimeofday|pthread_create|getenv|system' >"$scratch/out"
[ -s "$scratch/out" ] && flunk "the library reaches outside"

# Found by pkg-config, as after an installation.
mkdir pc
sed "s|@PREFIX@|$PWD/prefix|; s|@VERSION@|0|" "$root/packaging/forage.pc" >pc/forage.pc
mkdir -p prefix/include prefix/lib
cp include/forage.h prefix/include/ && cp "$lib"/libforage.a "$lib"/libforage.so.0 prefix/lib/
ln -s libforage.so.0 prefix/lib/libforage.so
flags=$(PKG_CONFIG_PATH=pc pkg-config --cflags --libs forage)
# shellcheck disable=SC2086
expect 0 cc -std=c99 -Wall -Wextra -Werror -o schedule "$root/examples/schedule.c" $flags
LD_LIBRARY_PATH=prefix/lib expect 0 ./schedule
says "found as learnt"
cp "$scratch/out" shared
rm prefix/lib/libforage.so*
flags=$(PKG_CONFIG_PATH=pc pkg-config --static --cflags --libs forage)
# shellcheck disable=SC2086
expect 0 cc -std=c99 -Wall -Wextra -Werror -o schedule "$root/examples/schedule.c" $flags
expect 0 ./schedule
cmp -s "$scratch/out" shared || flunk "shared and static choose differently"
if command -v c++ >/dev/null; then
    echo '#include "forage.h"' >header.cc
    expect 0 c++ -fsyntax-only -Wall -Wextra -Werror -Iinclude header.cc
    cp "$root/src/policy/forage_plugin.h" include/ && echo '#include "forage_plugin.h"' >header.cc
    expect 0 c++ -fsyntax-only -Wall -Wextra -Werror -Iinclude header.cc
fi
if command -v python3 >/dev/null; then
    LIBFORAGE=$lib/libforage.so.0 expect 0 python3 "$root/examples/schedule.py"
    says "articles found"
    # A policy in Python, among the others.
    LIBFORAGE=$lib/libforage.so.0 expect 0 python3 "$root/examples/policy.py"
    says "waiting: "
fi
done_testing
