"""package_service.py ROOT PROGRAM: start the service that is installed below ROOT as its
unit says and as systemd would, let it crawl a simulated web served by PROGRAM on loopback,
and look at what it tells the manager."""
import ctypes, os, pwd, signal, socket, subprocess, sys, time

root, program = sys.argv[1:3]
DEADLINE = time.monotonic() + 120
WATCHDOG_US = 2000000


def fail(*words):
    print(*words)
    sys.exit(1)


def unit(key):
    with open(root + "/lib/systemd/system/forage.service") as f:
        return [line.split("=", 1)[1].strip() for line in f if line.startswith(key + "=")]


with open(root + "/etc/passwd") as f:
    uid, gid = next(map(int, line.split(":")[2:4]) for line in f if line.startswith(unit("User")[0] + ":"))

web = subprocess.Popen([program, "simulate", "--sites", "1", "--for", "2m"], stdout=subprocess.PIPE, text=True)
url = web.stdout.readline().strip()
if not url.startswith("http://127.0.0.1:"):
    fail("no simulated web:", url)

manager = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
name = "forage-test-%d" % os.getpid()
manager.bind("\0" + name)
manager.settimeout(0.2)
heard = []  # (time, line)


def listen():
    try:
        data = manager.recv(65536).decode()
    except socket.timeout:
        return
    heard.extend((time.monotonic(), line) for line in data.splitlines())


def count(line):
    return sum(1 for _, one in heard if one == line)


def await_(what, test):
    while not test():
        if time.monotonic() > DEADLINE:
            fail("never:", what, heard[-5:])
        if service.poll() is not None:
            fail("ended with", service.returncode, "before:", what)
        listen()


umask, libc = int(unit("UMask")[0], 8), ctypes.CDLL(None)


def confine():
    os.chroot(root)
    os.chdir("/var/lib/forage")
    os.umask(umask)
    os.setgroups([gid])
    os.setgid(gid)
    os.setuid(uid)
    libc.prctl(38, 1, 0, 0, 0)  # NoNewPrivileges
    libc.prctl(65, 1, 0, 0, 0)  # MemoryDenyWriteExecute, where the kernel has PR_SET_MDWE


environment = {
    "PATH": "/usr/bin:/bin",
    "NOTIFY_SOCKET": "@" + name,
    "WATCHDOG_USEC": str(WATCHDOG_US),
    "STATE_DIRECTORY": "/var/lib/forage",
    "CONFIGURATION_DIRECTORY": "/etc/forage",
}
service = subprocess.Popen(unit("ExecStart")[0].split(), env=environment, preexec_fn=confine)
try:
    await_("READY=1", lambda: count("READY=1") == 1)
    if not heard[0][1] == "READY=1" or count("STOPPING=1"):
        fail("READY=1 is not first:", heard)
    await_("a status without sites", lambda: any(line.startswith("STATUS=watching 0 sites") for _, line in heard))

    # A site is added while it runs, by the service's user; it is crawled.
    added = subprocess.run(
        ["chroot", root, "setpriv", "--reuid", str(uid), "--regid", str(gid), "--clear-groups", "env", "-i",
         "/usr/bin/forage", "add", "-w", "/var/lib/forage", url], capture_output=True, text=True)
    if added.returncode:
        fail("forage add:", added.stderr)

    def fetched():
        lines = [line for _, line in heard if line.startswith("STATUS=watching 1 site:")]
        return lines and int(lines[-1].split(":")[1].split()[0])

    await_("20 pages fetched", lambda: (fetched() or 0) >= 20)

    # The watchdog is answered every half of its time, up to what a loaded machine adds.
    await_("the watchdog's answers", lambda: count("WATCHDOG=1") >= 6)
    times = [t for t, line in heard if line == "WATCHDOG=1"]
    gaps = sorted(b - a for a, b in zip(times, times[1:]))
    if gaps[len(gaps) // 2] > WATCHDOG_US / 1e6:
        fail("the watchdog would have struck:", gaps)
    # It is the loop that answers: one that is stuck is not heard.
    service.send_signal(signal.SIGSTOP)
    time.sleep(0.3)
    while True:
        before = len(heard)
        listen()
        if len(heard) == before:
            break
    before = len(heard)
    for _ in range(10):
        listen()
    if len(heard) != before:
        fail("something answers for a stopped loop")
    service.send_signal(signal.SIGCONT)

    # The log is rotated by a signal, and the configuration read again.
    log = root + "/var/lib/forage/forage.log"
    os.rename(log, log + ".1")
    service.send_signal(signal.SIGHUP)
    await_("RELOADING=1, READY=1", lambda: count("RELOADING=1") == 1 and count("READY=1") == 2)
    if not any(line.startswith("MONOTONIC_USEC=") for _, line in heard):
        fail("no time with RELOADING=1")
    if "reloaded" not in open(log).read():
        fail("the log was not opened anew")
    if os.stat(log).st_uid != uid or os.stat(log).st_mode & 0o777 != 0o640:
        fail("the log has owner or mode", os.stat(log))

    service.send_signal(signal.SIGTERM)
    await_("STOPPING=1", lambda: count("STOPPING=1") == 1 or service.poll() is not None)
    code = service.wait(timeout=60)
    listen()
    if count("STOPPING=1") != 1:
        fail("STOPPING=1 was told", count("STOPPING=1"), "times")
    if str(code) not in unit("SuccessExitStatus"):
        fail("exit code", code)
finally:
    if service.poll() is None:
        service.kill()
    web.kill()
