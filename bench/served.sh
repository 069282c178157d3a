# For benches that crawl a site served by nginx: a folder and a server that go away with the
# script, the program, and the site. Sourced with the arguments of the bench.
bench=$(cd "$(dirname "$0")" && pwd)
forage=$(cd "${1:-build/release}/.." && pwd)/forage
folder=$(mktemp -d /tmp/forage-bench-XXXXXX)
server=
stop() {
    [ -n "$server" ] && kill "$server" && wait "$server"
    rm -rf "$folder"
} 2>/dev/null
trap stop EXIT
trap 'exit 1' INT TERM
say() { printf '%-44s %s\n' "$1" "$2"; }
has() {
    command -v "$1" >/dev/null && return
    say "$1" "not installed, left out"
    return 1
}
# make_site PAGES: in $folder/site; without what a bench needs it ends here.
make_site() {
    export PATH=$PATH:/usr/sbin
    has nginx && has python3 || exit 0
    [ -x "$forage" ] || { say forage "not built, left out" && exit 0; }
    python3 "$bench/site.py" "$folder/site" "$1" || exit 1
}
