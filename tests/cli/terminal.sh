# Words of pages are hostile: nothing that is printed to a terminal acts on it or turns the
# direction of writing, whatever the format.
. tests/cli/common
command -v python3 >/dev/null || { echo "python3 is missing: no server"; exit 77; }
mkdir www
python3 "$root/tests/cli/small_site.py" 127.0.0.1 >"$scratch/server.log" 2>&1 &
server=$!
trap 'kill "$server" 2>/dev/null; rm -rf "$scratch"' EXIT
within 10 test -e ready
a=$(sed -n 1p origins)
evil=$(printf 'safe \302\2332J\342\200\256gpj.exe \342\201\246x\302\205y\033[2Jz')
printf '<title>%s</title><p>some words %s and more of them' "$evil" "$evil" >www/index
forage watch -w ws --quiet --net-allow-private loopback --store-bodies --once "$a/" >"$scratch/events" 2>&1
# terminal COMMAND...: its standard output is one; what it got there is in $scratch/tty.
terminal() {
    python3 - "$scratch/tty" "$@" <<'END'
import os, pty, sys
pid, fd = pty.fork()
if pid == 0:
    os.environ['TERM'] = 'xterm'
    os.execvp(sys.argv[2], sys.argv[2:])
got = b''
while True:
    try:
        piece = os.read(fd, 65536)
    except OSError:
        break
    if not piece:
        break
    got += piece
os.waitpid(pid, 0)
with open(sys.argv[1], 'wb') as f:
    f.write(got)
END
}
harmless() { # COMMAND...: it shows the words, and nothing in them acts
    terminal "$@"
    python3 - "$scratch/tty" <<'END' || flunk "a terminal is acted on by: $*: $(od -c "$scratch/tty" | head -n 30)"
import re, sys
text = open(sys.argv[1], 'rb').read()
text.decode('utf-8')
bad = re.search(rb'\xc2[\x80-\x9f]|\xe2\x80[\xaa-\xae]|\xe2\x81[\xa6-\xa9]|\x1b\[2J', text)
sys.exit(1 if bad or b'safe ' not in text else 0)
END
}
harmless forage page "$a/" -w ws
harmless forage page "$a/" -w ws --json
harmless forage page "$a/" -w ws --body
harmless forage export -w ws --what pages
harmless forage export -w ws --what pages --csv
harmless forage fetch --net-allow-private loopback --operator-contact a@b.example "$a/"
harmless forage fetch --net-allow-private loopback --operator-contact a@b.example --json "$a/"
# To a file or a pipe sheets and bodies go as they are.
forage page "$a/" -w ws --body >"$scratch/body"
cmp -s "$scratch/body" www/index || flunk "a body is not what was stored"
expect 0 forage export -w ws --what pages --csv
says "$evil"
expect 0 forage page "$a/" -w ws --json
value "d['title'] == 'safe \u009b2J\u202egpj.exe \u2066x\u0085y\x1b[2Jz'" True
done_testing
