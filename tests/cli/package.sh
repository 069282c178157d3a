# The Debian package: built, installed into a throw-away copy of this system (an overlay,
# so that nothing here is touched), its service run and stopped as systemd would, removed
# and purged without a trace. And make install, make uninstall.
. tests/cli/common

[ "$(id -u)" -eq 0 ] || { echo "only root can install a package"; exit 77; }
for tool in dpkg-deb dpkg-shlibdeps strip unshare setpriv python3 adduser git; do
    command -v $tool >/dev/null || { echo "no $tool"; exit 77; }
done
cd "$root" || exit 1
export MAKEFLAGS= GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=safe.directory GIT_CONFIG_VALUE_0="$root"

# --- make install, make uninstall ---
expect 0 make -s install DESTDIR="$scratch/stage" PREFIX=/opt/forage
for file in bin/forage share/man/man1/forage.1 share/man/man5/forage.yaml.5 share/man/man7/forage-policies.7 \
    share/bash-completion/completions/forage share/zsh/site-functions/_forage \
    share/fish/vendor_completions.d/forage.fish lib/systemd/system/forage.service \
    share/forage/experiments/quick.yaml share/doc/forage/LICENSE; do
    [ -f "$scratch/stage/opt/forage/$file" ] || flunk "make install: no $file"
done
grep -q '^ExecStart=/opt/forage/bin/forage run --wait$' "$scratch/stage/opt/forage/lib/systemd/system/forage.service" ||
    flunk "the unit does not start what was installed"
(cd / && "$scratch/stage/opt/forage/bin/forage" lab list) | grep -q '^ *quick ' ||
    flunk "the installed program does not find its experiments"
expect 0 make -s uninstall DESTDIR="$scratch/stage" PREFIX=/opt/forage
left=$(find "$scratch/stage" -type f -o -type d -name forage ! -path '*/opt/forage' | head -n 3)
[ -z "$left" ] || flunk "make uninstall leaves: $left"

# --- the package ---
expect 0 make -s deb
deb=$root/$(tail -n 1 "$scratch/out")
[ -f "$deb" ] || { flunk "no package was built"; done_testing; }
if command -v lintian >/dev/null; then
    expect 0 lintian --allow-root --fail-on error --suppress-tags bogus-mail-host "$deb"
fi
dpkg-deb -f "$deb" Depends | grep -q 'libc6 (>= .*libsqlite3-0' || flunk "no dependencies: $(dpkg-deb -f "$deb" Depends)"
[ "$(dpkg-deb --ctrl-tarfile "$deb" | tar -xO ./conffiles)" = /etc/forage/forage.yaml ] || flunk "other conffiles"
dpkg-deb --fsys-tarfile "$deb" | tar -tv | awk '$2 != "root/root"' >"$scratch/owners"
[ -s "$scratch/owners" ] && flunk "files of somebody else: $(head -n 2 "$scratch/owners")"

# --- installed, run, removed: in a mount namespace of its own ---
dpkg-query -W forage >/dev/null 2>&1 && { echo "forage is installed here already"; exit 77; }
mkdir "$scratch/room"
cat >"$scratch/inside" <<'END'
set -u
scratch=$1 deb=$2 root=$3 program=$4
room=$scratch/room
mount -t tmpfs tmpfs "$room" || exit 77
mkdir "$room/upper" "$room/work" "$room/sys"
mount -t overlay overlay -o "lowerdir=/,upperdir=$room/upper,workdir=$room/work" "$room/sys" || exit 77
mount --bind /dev "$room/sys/dev" && mount -t proc proc "$room/sys/proc" || exit 77
mount -t tmpfs tmpfs "$room/sys/tmp" && mount -t tmpfs tmpfs "$room/sys/run" || exit 77
cp "$deb" "$room/sys/tmp/forage.deb"
inside() { chroot "$room/sys" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin LC_ALL=C DEBIAN_FRONTEND=noninteractive "$@"; }
# What differs from the system below, the diaries and caches of dpkg and adduser aside.
differs() {
    (cd "$room/upper" && find . ! -type d -o -type c | sort |
        grep -vE '^\./(var/lib/dpkg|var/log|var/cache|tmp|run|root|dev|proc|etc/(passwd|group|shadow|gshadow|subuid|subgid|\.pwd\.lock)|etc/ld\.so\.cache)')
}
fine=0
wrong() { echo "$*"; fine=1; }

inside dpkg -i --no-triggers /tmp/forage.deb >"$scratch/dpkg" 2>&1 || { cat "$scratch/dpkg"; exit 1; }
differs | grep -q '^\./usr/bin/forage$' || wrong "not installed"
[ "$(inside stat -c '%U %G %a' /var/lib/forage)" = "forage forage 750" ] || wrong "state folder: $(inside stat -c '%U %G %a' /var/lib/forage)"
[ "$(inside getent passwd forage | cut -d: -f 6,7)" = /var/lib/forage:/usr/sbin/nologin ] || wrong "user: $(inside getent passwd forage)"
[ -e "$room/sys/etc/systemd/system/multi-user.target.wants/forage.service" ] && wrong "the service was enabled"
inside man -w forage forage.yaml forage-policies >/dev/null 2>&1 || wrong "no manual pages"
inside forage doctor -w /tmp >"$scratch/doctor" 2>&1 || { cat "$scratch/doctor"; wrong "the doctor is not content"; }
if inside sh -c 'command -v systemd-analyze' >/dev/null; then
    inside systemd-analyze verify /lib/systemd/system/forage.service >"$scratch/verify" 2>&1 || wrong "verify fails"
    grep -v 'Failed to .*dbus' "$scratch/verify" | grep . && wrong "systemd-analyze complains of the unit"
    inside systemd-analyze security --offline=yes --threshold=25 /lib/systemd/system/forage.service >"$scratch/security" 2>&1 ||
        wrong "the unit is exposed: $(tail -n 1 "$scratch/security")"
fi

cat >>"$room/sys/etc/forage/forage.yaml" <<'YAML'
net: {allow-private: loopback}
crawl: {budget: 0, tick: 1s}
fetch: {delay: 10ms}
log: {file: /var/lib/forage/forage.log}
YAML
python3 "$root/tests/cli/package_service.py" "$room/sys" "$program" || wrong "the service does not behave"

inside dpkg -r --no-triggers forage >"$scratch/dpkg" 2>&1 || { cat "$scratch/dpkg"; wrong "not removed"; }
left=$(differs | grep -vE '^\./(etc/forage/forage\.yaml|var/lib/forage/)')
[ -z "$left" ] || wrong "removing leaves: $left"
[ -f "$room/sys/etc/forage/forage.yaml" ] && [ -f "$room/sys/var/lib/forage/forage.db" ] || wrong "removing took settings or crawl"
inside dpkg -P --no-triggers forage >"$scratch/dpkg" 2>&1 || { cat "$scratch/dpkg"; wrong "not purged"; }
left=$(differs)
[ -z "$left" ] || wrong "purging leaves: $left"
for file in passwd group; do
    cmp -s "/etc/$file" "$room/sys/etc/$file" || wrong "/etc/$file: $(diff "/etc/$file" "$room/sys/etc/$file")"
done
[ -e "$room/sys/var/lib/forage" ] || [ -e "$room/sys/etc/forage" ] && wrong "folders are left"
exit $fine
END
unshare --mount --propagation private sh "$scratch/inside" "$scratch" "$deb" "$root" "$root/build/forage" >"$scratch/log" 2>&1
case $? in
0) ;;
77) tail -n 2 "$scratch/log"; echo "no overlay can be mounted here: not installed"; exit 77 ;;
*) cat "$scratch/log"; flunk "the package does not do as it should" ;;
esac
done_testing
