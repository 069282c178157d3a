"""many_sites.py FORAGE N...: start, status, ticks, memory and the cost of an answer with N sites.

Every site is an address of its own in 127.0.0.0/8, all served by one process with a page of five
links, so that N sites need no names. Forage runs as it always does, its delay a second, its budget off;
an address is none of those that share a pace (loopback). Measured are:
- add: wall time to add N sites from a file, and most memory;
- status: wall time and most memory of `forage status --json`;
- start: from the start of a run to its first request, a second of which is the delay;
- answer: processor time for a request and all that comes of it, over 15 s;
- turn: the longest turn of the main loop, ticks included, as the crawl itself measured it;
- memory: most of that run;
- fairness: how many page requests sites get, at a budget of nine a site over 18 ticks; what is open at the end is missing. A run cut
  off sooner ends in the middle of a turn: looks at front pages and pages of the stock have turns of their own."""
import asyncio, collections, json, multiprocessing, os, resource, shutil, subprocess, sys, tempfile, time

BODY = b'<title>x</title>' + b''.join(b'<p><a href=/p%d>page %d</a> with some words' % (i, i) for i in range(5))
PAGE = b'HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: %d\r\n\r\n' % len(BODY) + BODY
NONE = b'HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n'

class Peer(asyncio.Protocol):
    def connection_made(self, transport):
        self.transport = transport
    def data_received(self, data):
        path = data.split(b' ', 2)[1]
        if seen['first'] is None:
            seen['first'] = time.monotonic()
        if path == b'/robots.txt':
            seen['robots'] += 1
            self.transport.write(NONE)
        else:
            sites[self.transport.get_extra_info('sockname')[0]] += 1
            self.transport.write(PAGE)

def serve(port_out, command, answer):
    global seen, sites
    seen, sites = {'first': None, 'robots': 0}, collections.Counter()
    resource.setrlimit(resource.RLIMIT_NOFILE, (resource.getrlimit(resource.RLIMIT_NOFILE)[1],) * 2)
    async def main():
        loop = asyncio.get_running_loop()
        server = await loop.create_server(Peer, '0.0.0.0', 0, backlog=4096)
        port_out.put(server.sockets[0].getsockname()[1])
        while True:
            await loop.run_in_executor(None, command.get)
            counts = list(sites.values())
            answer.put((seen['first'], seen['robots'], sum(counts), len(counts), collections.Counter(counts)))
            seen.update(first=None, robots=0)
            sites.clear()
    asyncio.run(main())

def run(*words):
    began = time.monotonic()
    process = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment)
    out, err = process.stdout.read(), process.stderr.read()
    _, status, usage = os.wait4(process.pid, 0)
    if status:
        sys.exit(f'{" ".join(words)}: {err.decode()[-500:]}')
    return time.monotonic() - began, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024, out, began

def address(i):
    return f'127.{1 + i // 62500}.{1 + i // 250 % 250}.{1 + i % 250}'

def measure(n):
    workspace = os.path.join(folder, 'ws')
    shutil.rmtree(workspace, ignore_errors=True)
    seeds = os.path.join(folder, 'seeds')
    with open(seeds, 'w') as f:
        f.writelines(f'http://{address(i)}:{port}/\n' for i in range(n))
    flags = ['-w', workspace, '--net-allow-private', 'loopback']
    quiet = flags + ['--quiet', '--log-level', 'error', '--no-server', '--fetch-delay', '1s', '--crawl-budget', '0', '--crawl-site-budget', '0']
    def requests():
        command.put(1)
        return answer.get()
    add, _, add_mb, _, _ = run(forage, 'add', *flags, '--seeds', seeds)
    status, _, status_mb, _, _ = run(forage, 'status', '--json', *flags[:2])
    _, _, _, _, began = run(forage, 'run', *quiet, '--time-limit', '3s')
    first, before, pages, _, _ = requests()
    before += pages
    _, cpu, mb, _, _ = run(forage, 'run', *quiet, '--time-limit', '15s')
    _, robots, pages, _, _ = requests()
    told = json.loads(run(forage, 'status', '--json', *flags[:2])[3])
    made = robots + pages
    cost = cpu / made * 1e6 if made else float('nan')
    print(f'{n} sites', flush=True)
    print(f'  add            {add:.2f} s, {add_mb:.0f} MB')
    print(f'  status         {status:.2f} s, {status_mb:.0f} MB')
    print(f'  start          {first - began if first else float("nan"):.2f} s to the first request')
    print(f'  answer         {cost:.0f} us of processor time, the start included ({made} requests after {before})')
    print(f'  turn           {told["crawl"]["loop_latency_s"] * 1e3:.0f} ms at most')
    print(f'  memory         {mb:.0f} MB', flush=True)
    if n > 5000:
        return
    shutil.rmtree(workspace, ignore_errors=True)
    run(forage, 'add', *flags, '--seeds', seeds)
    ticks, seconds = 18, 90
    per_hour = int(9 * n / seconds * 3600)
    run(forage, 'run', *flags, '--quiet', '--log-level', 'error', '--no-server', '--fetch-delay', '1s', '--crawl-tick', f'{seconds // ticks}s',
        '--crawl-budget', str(per_hour), '--crawl-site-budget', '0', '--time-limit', f'{seconds}s')
    _, robots, pages, asked, shares = requests()
    shares[0] += n - asked
    spread = ', '.join(f'{shares[k]} sites {k}' for k in sorted(shares) if shares[k])
    print(f'  fairness       {pages} page requests; {spread}', flush=True)

forage = os.path.abspath(sys.argv[1])
folder = tempfile.mkdtemp(prefix='forage-bench-')
environment = {k: v for k, v in os.environ.items() if not k.startswith('FORAGE_')}
environment.update(HOME=folder, XDG_CONFIG_HOME=folder, XDG_STATE_HOME=folder)
port_out, command, answer = (multiprocessing.Queue() for _ in range(3))
server = multiprocessing.Process(target=serve, args=(port_out, command, answer), daemon=True)
server.start()
port = port_out.get()
try:
    for n in sys.argv[2:]:
        measure(int(n))
finally:
    server.kill()
    shutil.rmtree(folder, ignore_errors=True)
