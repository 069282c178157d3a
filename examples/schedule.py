#!/usr/bin/env python3
"""schedule.py - libforage from Python, through ctypes: add, next, report, save and restore

    make lib
    LIBFORAGE=build/lib/libforage.so.0 python3 examples/schedule.py

Three lists are watched; the first gets an article every ten minutes, the others none.
"""
import ctypes as c
import os

HOUR = 3600 * 10**6


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
lib.forage_version.restype = c.c_char_p
lib.forage_policy_name.restype = c.c_char_p
lib.forage_policy_name.argtypes = [c.c_size_t]
for make in lib.forage_new, lib.forage_restore, lib.forage_save:
    make.restype = c.c_void_p
lib.forage_new.argtypes = [c.c_char_p, c.c_char_p, c.c_uint64, c.POINTER(Error)]
lib.forage_restore.argtypes = [c.c_char_p, c.c_char_p, c.c_uint64, c.c_void_p, c.c_size_t, c.POINTER(Error)]
lib.forage_save.argtypes = [c.c_void_p, c.POINTER(c.c_size_t)]
lib.forage_free_bytes.argtypes = [c.c_void_p]
lib.forage_free.argtypes = [c.c_void_p]
lib.forage_set.argtypes = [c.c_void_p, c.c_char_p, c.c_double, c.POINTER(Error)]
lib.forage_add.argtypes = [c.c_void_p, c.c_char_p, c.c_char_p, c.c_int64, c.POINTER(Error)]
lib.forage_next.restype = c.c_size_t
lib.forage_next.argtypes = [c.c_void_p, c.c_int64, c.c_size_t, c.c_int64, c.POINTER(Lease)]
lib.forage_report.argtypes = [c.c_void_p, c.c_int64, c.c_uint64, c.POINTER(Visit)]


class Scheduler:
    """A handle, and errors as exceptions."""

    def __init__(self, policy='link-types', parameters='', seed=1, state=None):
        error = Error()
        self.made = policy.encode(), parameters.encode(), seed
        if state is None:
            self.handle = lib.forage_new(*self.made, c.byref(error))
        else:
            self.handle = lib.forage_restore(*self.made, state, len(state), c.byref(error))
        if not self.handle:
            raise ValueError(error.text.decode())

    def __del__(self):
        if getattr(self, 'handle', None):
            lib.forage_free(self.handle)

    def check(self, code, error):
        if code < 0:
            raise ValueError(error.text.decode())
        return code

    def set(self, name, value):
        error = Error()
        self.check(lib.forage_set(self.handle, name.encode(), value, c.byref(error)), error)

    def add(self, page, now, site=None):
        error = Error()
        site = site.encode() if site else None
        return bool(self.check(lib.forage_add(self.handle, page.encode(), site, now, c.byref(error)), error))

    def next(self, now, n, ahead=0):
        leases = (Lease * n)()
        given = lib.forage_next(self.handle, now, n, ahead, leases)
        return [(lease.number, lease.page.decode()) for lease in leases[:given]]

    def report(self, now, lease, links, outcome=0):
        """What became of it (0: counted), and the links that are new."""
        names = (c.c_char_p * (len(links) + 1))(*[link.encode() for link in links])
        is_new = (c.c_uint8 * (len(links) + 1))()
        visit = Visit(outcome=outcome, links=names, n_links=len(links), is_new=is_new)
        fate = lib.forage_report(self.handle, now, lease, c.byref(visit))
        return fate, [link for link, new in zip(links, is_new) if new]

    def save(self):
        n = c.c_size_t()
        at = lib.forage_save(self.handle, c.byref(n))
        state = c.string_at(at, n.value)
        lib.forage_free_bytes(at)
        return state


def shown(page, now):
    """The five newest articles of a list."""
    newest = now * 6 // HOUR if page.endswith('/busy') else 5
    return [f'{page}/article-{newest - i}' for i in range(5)]


def main():
    site = 'https://news.example'
    scheduler = Scheduler()
    scheduler.set('delay', 0)
    scheduler.set('only-added', 1)
    for name in 'busy', 'slow', 'still':
        assert scheduler.add(f'{site}/{name}', now=0)
        assert not scheduler.add(f'{site}/{name}', now=0)
    visits, found = {}, 0
    for turn in range(1, 97):
        now = turn * HOUR // 4
        if turn == 48:  # as after a restart
            leases = scheduler.next(now, 1)
            scheduler = Scheduler(state=scheduler.save())
        else:
            leases = scheduler.next(now, 1)
        for lease, page in leases:
            fate, new = scheduler.report(now, lease, shown(page, now))
            assert fate == 0, 'a lease that was handed out is known, after a restart too'
            assert scheduler.report(now, lease, [])[0] == 1, 'a report counts once'
            visits[page] = visits.get(page, 0) + 1
            found += len(new)
    busy = visits[f'{site}/busy']
    print(f'libforage {lib.forage_version().decode()}: {found} articles found; '
          f'the busy list was visited {busy} times of {sum(visits.values())}')
    assert busy > 48
    try:
        Scheduler('no-such-policy')
    except ValueError as wrong:
        assert 'no-such-policy' in str(wrong)
    else:
        raise AssertionError('a policy that is not there')


if __name__ == '__main__':
    main()
