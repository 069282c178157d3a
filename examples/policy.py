#!/usr/bin/env python3
"""policy.py - a scheduling policy written in Python, run by libforage through its C interface

    make lib
    LIBFORAGE=build/lib/libforage.so.0 python3 examples/policy.py

A policy is a table of functions (forage_plugin.h). ctypes makes C functions of Python's, and
forage_add_policy puts the table beside libforage's own policies. Here it is tried on a small
pretended web, against round-robin: ten lists, of which the first gets most of the articles.
"""
import ctypes as c
import os

HOUR, NEVER = 3600 * 10**6, -2**63
TOLD_KINDS, ABI, DISCOVERY = 7, 1, 1


class World(c.Structure):
    _fields_ = [('n', c.c_size_t), ('id', c.POINTER(c.c_uint64)), ('site', c.POINTER(c.c_uint32)),
                ('group', c.POINTER(c.c_uint32)), ('weight', c.POINTER(c.c_float)),
                ('added', c.POINTER(c.c_int64)), ('last_visit', c.POINTER(c.c_int64)),
                ('last_try', c.POINTER(c.c_int64)), ('is_blocked', c.POINTER(c.c_uint8)),
                ('told', c.POINTER(c.c_float) * TOLD_KINDS), ('tick', c.c_int64), ('budget', c.c_double),
                ('random', c.c_uint64)]


class Seen(c.Structure):
    _fields_ = [('page', c.c_size_t), ('now', c.c_int64), ('previous', c.c_int64), ('ok', c.c_int32),
                ('changed', c.c_int32), ('complete', c.c_int32), ('unused', c.c_int32),
                ('links', c.POINTER(c.c_uint64)), ('fresh', c.POINTER(c.c_uint64)),
                ('n_links', c.c_size_t), ('n_fresh', c.c_size_t)]


Begin = c.CFUNCTYPE(c.c_void_p, c.POINTER(c.c_double), c.c_uint64)
End = c.CFUNCTYPE(None, c.c_void_p)
Added = c.CFUNCTYPE(None, c.c_void_p, c.POINTER(World), c.c_size_t)
Removed = c.CFUNCTYPE(None, c.c_void_p, c.c_size_t, c.c_size_t)
Observe = c.CFUNCTYPE(None, c.c_void_p, c.POINTER(World), c.POINTER(Seen))
Score = c.CFUNCTYPE(None, c.c_void_p, c.POINTER(World), c.c_int64, c.POINTER(c.c_float))


class Plugin(c.Structure):
    _fields_ = [('abi', c.c_uint32), ('tasks', c.c_uint32), ('size', c.c_size_t), ('name', c.c_char_p),
                ('summary', c.c_char_p), ('paper', c.c_char_p), ('knobs', c.c_void_p), ('begin', Begin),
                ('end', End), ('added', Added), ('removed', Removed), ('observe', Observe), ('score', Score)]


class Waiting:
    """New links an hour, times the hours waited; what is known is kept by the page's id."""

    def __init__(self):
        self.links, self.hours = {}, {}

    def observe(self, _, world, seen):
        seen, page = seen[0], world[0].id[seen[0].page]
        if seen.ok and seen.previous != NEVER:
            self.links[page] = self.links.get(page, 0) + seen.n_fresh
            self.hours[page] = self.hours.get(page, 0) + (seen.now - seen.previous) / HOUR

    def score(self, _, world, now, out):
        world = world[0]
        for row in range(world.n):
            page, tried = world.id[row], world.last_try[row]
            rate = (self.links.get(page, 0) + .1) / (self.hours.get(page, 0) + 1)
            out[row] = float('inf') if tried == NEVER else rate * (now - tried) / HOUR


def table(policy, name, summary):
    """The functions live as long as the table does: keep it."""
    made = Plugin(abi=ABI, tasks=DISCOVERY, size=c.sizeof(Plugin), name=name.encode(), summary=summary.encode())
    made.observe, made.score = Observe(policy.observe), Score(policy.score)
    return made


class Error(c.Structure):
    _fields_ = [('code', c.c_int), ('text', c.c_char * 508)]


class Lease(c.Structure):
    _fields_ = [('number', c.c_uint64), ('page', c.c_char_p), ('site', c.c_char_p),
                ('not_before', c.c_int64), ('deadline', c.c_int64), ('why', c.c_int32),
                ('score', c.c_float), ('probability', c.c_float), ('explored', c.c_int32)]


class Visit(c.Structure):
    _fields_ = [('outcome', c.c_int32), ('changed', c.c_int32), ('content', c.c_uint64),
                ('is_partial', c.c_int32), ('links', c.POINTER(c.c_char_p)), ('n_links', c.c_size_t),
                ('is_new', c.POINTER(c.c_uint8)), ('n_new', c.c_size_t)]


lib = c.CDLL(os.environ.get('LIBFORAGE', 'libforage.so.0'))
lib.forage_new.restype = c.c_void_p
lib.forage_new.argtypes = [c.c_char_p, c.c_char_p, c.c_uint64, c.POINTER(Error)]
lib.forage_free.argtypes = [c.c_void_p]
lib.forage_set.argtypes = [c.c_void_p, c.c_char_p, c.c_double, c.POINTER(Error)]
lib.forage_add.argtypes = [c.c_void_p, c.c_char_p, c.c_char_p, c.c_int64, c.POINTER(Error)]
lib.forage_next.restype = c.c_size_t
lib.forage_next.argtypes = [c.c_void_p, c.c_int64, c.c_size_t, c.c_int64, c.POINTER(Lease)]
lib.forage_report.argtypes = [c.c_void_p, c.c_int64, c.c_uint64, c.POINTER(Visit)]
lib.forage_add_policy.argtypes = [c.POINTER(Plugin), c.POINTER(Error)]


def shows(page, hour):
    """List k gets an article every 1 + k * k hours, and shows its ten newest."""
    k = int(page.rsplit('/', 1)[1])
    newest = hour // (1 + k * k)
    return [b'https://news.example/%d-%d' % (k, i) for i in range(max(0, newest - 9), newest + 1)]


def crawl(policy, hours=400):
    """One look an hour; how many articles were found."""
    error, lease = Error(), Lease()
    handle = lib.forage_new(policy.encode(), None, 1, c.byref(error))
    if not handle:
        raise SystemExit(error.text.decode())
    for name, value in (b'delay', 0), (b'explore', 0), (b'only-added', 1):
        lib.forage_set(handle, name, value, None)
    for k in range(10):
        lib.forage_add(handle, b'https://news.example/list/%d' % k, None, 0, None)
    found = 0
    for hour in range(hours):
        if not lib.forage_next(handle, hour * HOUR, 1, 0, c.byref(lease)):
            continue
        links = shows(lease.page.decode(), hour)
        visit = Visit(links=(c.c_char_p * len(links))(*links), n_links=len(links))
        lib.forage_report(handle, hour * HOUR, lease.number, c.byref(visit))
        found += visit.n_new
    lib.forage_free(handle)
    return found


if __name__ == '__main__':
    error = Error()
    mine = table(Waiting(), 'waiting', 'new links an hour, times the hours waited')
    if lib.forage_add_policy(c.byref(mine), c.byref(error)):
        raise SystemExit(error.text.decode())
    ours, turns = crawl('waiting'), crawl('round-robin')
    print(f'waiting: {ours} articles, round-robin: {turns}')
    raise SystemExit(0 if ours > turns else 'the policy in Python found no more than taking turns')
