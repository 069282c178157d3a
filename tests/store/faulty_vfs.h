/* faulty_vfs.h - a disk that fails when told, and remembers what was never synced
 *
 *     faulty_install();                      every connection from now on goes through it
 *     faulty.write_code = SQLITE_FULL;       writes fail with this from now on
 *     faulty.fail_in = 7;                    or only the seventh write or sync from here
 *
 * What a power cut can take is what has been written but not synced. So it keeps a mark
 * per file: `journal_dirty`, `file_dirty`. The journal may only start over while the file
 * itself is clean; `journal_lost` counts the times it did not wait for that. */
#ifndef FG_TESTS_STORE_FAULTY_VFS_H
#define FG_TESTS_STORE_FAULTY_VFS_H

#include <sqlite3.h>
#include <stdatomic.h>
#include <string.h>

static struct {
    atomic_int write_code, sync_code;
    atomic_int fail_in, fail_code; /* fail_in 0: never */
    atomic_bool journal_dirty, file_dirty;
    atomic_int journal_lost, journal_syncs;
} faulty;

struct faulty_file {
    sqlite3_file base;
    int flags;
    sqlite3_file *real; /* behind this struct */
};

static sqlite3_vfs faulty_vfs, *faulty_below;

static inline sqlite3_file *real_of(sqlite3_file *file)
{
    return ((struct faulty_file *)file)->real;
}

static inline int faulty_draw(int standing)
{
    if (standing)
        return standing;
    int left = atomic_load(&faulty.fail_in);
    if (left > 0 && atomic_fetch_sub(&faulty.fail_in, 1) == 1)
        return atomic_load(&faulty.fail_code);
    return SQLITE_OK;
}

static int faulty_close(sqlite3_file *file)
{
    return real_of(file)->pMethods->xClose(real_of(file));
}
static int faulty_read(sqlite3_file *file, void *out, int n, sqlite3_int64 at)
{
    return real_of(file)->pMethods->xRead(real_of(file), out, n, at);
}
static int faulty_write(sqlite3_file *file, const void *in, int n, sqlite3_int64 at)
{
    int code = faulty_draw(atomic_load(&faulty.write_code));
    if (code)
        return code;
    int flags = ((struct faulty_file *)file)->flags;
    if (flags & SQLITE_OPEN_WAL) {
        if (at == 0 && atomic_load(&faulty.file_dirty))
            atomic_fetch_add(&faulty.journal_lost, 1);
        atomic_store(&faulty.journal_dirty, 1);
    } else if (flags & SQLITE_OPEN_MAIN_DB) {
        atomic_store(&faulty.file_dirty, 1);
    }
    return real_of(file)->pMethods->xWrite(real_of(file), in, n, at);
}
static int faulty_truncate(sqlite3_file *file, sqlite3_int64 size)
{
    return real_of(file)->pMethods->xTruncate(real_of(file), size);
}
static int faulty_sync(sqlite3_file *file, int how)
{
    int code = faulty_draw(atomic_load(&faulty.sync_code));
    if (!code)
        code = real_of(file)->pMethods->xSync(real_of(file), how);
    if (code)
        return code;
    int flags = ((struct faulty_file *)file)->flags;
    if (flags & SQLITE_OPEN_WAL) {
        atomic_store(&faulty.journal_dirty, 0);
        atomic_fetch_add(&faulty.journal_syncs, 1);
    } else if (flags & SQLITE_OPEN_MAIN_DB) {
        atomic_store(&faulty.file_dirty, 0);
    }
    return SQLITE_OK;
}
static int faulty_size(sqlite3_file *file, sqlite3_int64 *size)
{
    return real_of(file)->pMethods->xFileSize(real_of(file), size);
}
static int faulty_lock(sqlite3_file *file, int how)
{
    return real_of(file)->pMethods->xLock(real_of(file), how);
}
static int faulty_unlock(sqlite3_file *file, int how)
{
    return real_of(file)->pMethods->xUnlock(real_of(file), how);
}
static int faulty_reserved(sqlite3_file *file, int *is)
{
    return real_of(file)->pMethods->xCheckReservedLock(real_of(file), is);
}
static int faulty_control(sqlite3_file *file, int op, void *arg)
{
    return real_of(file)->pMethods->xFileControl(real_of(file), op, arg);
}
static int faulty_sector(sqlite3_file *file)
{
    return real_of(file)->pMethods->xSectorSize(real_of(file));
}
static int faulty_traits(sqlite3_file *file)
{
    return real_of(file)->pMethods->xDeviceCharacteristics(real_of(file));
}
static int faulty_shm_map(sqlite3_file *file, int page, int size, int extend,
                          void volatile **at)
{
    return real_of(file)->pMethods->xShmMap(real_of(file), page, size, extend, at);
}
static int faulty_shm_lock(sqlite3_file *file, int offset, int n, int flags)
{
    return real_of(file)->pMethods->xShmLock(real_of(file), offset, n, flags);
}
static void faulty_shm_barrier(sqlite3_file *file)
{
    real_of(file)->pMethods->xShmBarrier(real_of(file));
}
static int faulty_shm_unmap(sqlite3_file *file, int is_deleted)
{
    return real_of(file)->pMethods->xShmUnmap(real_of(file), is_deleted);
}

static const sqlite3_io_methods faulty_methods = {
    .iVersion = 2,
    .xClose = faulty_close,
    .xRead = faulty_read,
    .xWrite = faulty_write,
    .xTruncate = faulty_truncate,
    .xSync = faulty_sync,
    .xFileSize = faulty_size,
    .xLock = faulty_lock,
    .xUnlock = faulty_unlock,
    .xCheckReservedLock = faulty_reserved,
    .xFileControl = faulty_control,
    .xSectorSize = faulty_sector,
    .xDeviceCharacteristics = faulty_traits,
    .xShmMap = faulty_shm_map,
    .xShmLock = faulty_shm_lock,
    .xShmBarrier = faulty_shm_barrier,
    .xShmUnmap = faulty_shm_unmap,
};

static int faulty_open(sqlite3_vfs *vfs, const char *name, sqlite3_file *out, int flags,
                       int *out_flags)
{
    (void)vfs;
    struct faulty_file *file = (struct faulty_file *)out;
    *file = (struct faulty_file){.flags = flags, .real = (sqlite3_file *)(file + 1)};
    int code = faulty_below->xOpen(faulty_below, name, file->real, flags, out_flags);
    if (code == SQLITE_OK)
        file->base.pMethods = &faulty_methods;
    return code;
}

/* After fg_store_open has been called once, so that SQLite is set up. */
static inline void faulty_install(void)
{
    if (faulty_below)
        return;
    faulty_below = sqlite3_vfs_find(NULL);
    faulty_vfs = *faulty_below;
    faulty_vfs.zName = "faulty";
    faulty_vfs.szOsFile += (int)sizeof(struct faulty_file);
    faulty_vfs.xOpen = faulty_open;
    sqlite3_vfs_register(&faulty_vfs, 1);
}

#endif
