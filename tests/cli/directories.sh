# Which workspace is used where nobody names one, and where settings are looked for.
. tests/cli/common

home=$scratch/state/forage
# used FOLDER BY: the workspace of the current folder, and what decided.
used() {
    expect 0 forage config show workspace --json
    value "d['settings']['workspace']['value']" "$1"
    value "d['settings']['workspace']['from'].get('name', d['settings']['workspace']['from']['layer'])" "$2"
}

used . default
expect 0 forage init --user --operator-contact you@example.org
says "made $scratch/xdg/forage/forage.yaml"
[ -d "$home" ] || flunk "no $home"
[ -z "$(ls -A)" ] || flunk "something was made here: $(ls -A)"
expect 1 forage init --user
complains "is there already; nothing was changed"
expect 4 forage init --user somewhere
complains "--user has a folder of its own"

used "$home" XDG_STATE_HOME
expect 0 forage add http://127.0.0.1:9/
[ -f "$home/forage.db" ] || flunk "the store is not in $home"
[ -z "$(ls -A)" ] || flunk "something was made here: $(ls -A)"
expect 0 forage status --json
expect 0 forage doctor
says "'$home' can be written to (by XDG_STATE_HOME)"
says "1 of 3 possible files found, '$scratch/xdg/forage/forage.yaml'"
expect 0 forage config show operator.contact
says "$scratch/xdg/forage/forage.yaml:"

# The state folder of the user may have settings of its own; they win over the user's.
echo 'operator: {contact: me@example.org}' >"$home/forage.yaml"
expect 0 forage config show operator.contact
says "$home/forage.yaml:1"
rm "$home/forage.yaml"

# A service has folders of its own; a relative name is ignored, of several the first counts.
mkdir service
export STATE_DIRECTORY="$PWD/service:$PWD/other"
used "$PWD/service" STATE_DIRECTORY
STATE_DIRECTORY=service
used "$home" XDG_STATE_HOME
unset STATE_DIRECTORY
mkdir etc
echo 'crawl: {budget: 77}' >etc/forage.yaml
expect 0 env CONFIGURATION_DIRECTORY="$PWD/etc" forage config show crawl.budget
says "$PWD/etc/forage.yaml:1"

# A workspace that one stands in, or names, always wins.
expect 0 forage init
[ -f forage.yaml ] || flunk "init without a name does not mean this folder"
used . default
export STATE_DIRECTORY="$PWD/service"
used . default
expect 0 forage config show workspace --workspace etc
says "etc "
expect 0 env FORAGE_WORKSPACE=etc forage config show workspace
says FORAGE_WORKSPACE
rm forage.yaml
: >forage.db
used . default
rm forage.db
used "$PWD/service" STATE_DIRECTORY
unset STATE_DIRECTORY

# Without any home there is the current folder.
expect 0 env -u HOME -u XDG_STATE_HOME -u XDG_CONFIG_HOME forage config show workspace
says "workspace                .                  default"
expect 4 env -u HOME -u XDG_STATE_HOME -u XDG_CONFIG_HOME forage init --user
complains "HOME is not set"
done_testing
