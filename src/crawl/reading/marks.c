#include "crawl/reading/marks.h"

#include "base/log.h"
#include "base/memory.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { SUSPECTS = 64, URL_SHOWN = 480, SET_ASIDE_AFTER = 2, LONGEST_SHIFT = 5 };

static const char magic[8] = {'F', 'G', 'M', 'A', 'R', 'K', '1', '\n'};

/* What is being read at a place; no page if the fingerprint is 0. */
struct mark {
    uint64_t fingerprint;
    fg_time since;  /* monotonic */
    uint16_t shown; /* bytes of url */
    char url[URL_SHOWN];
};

struct suspect {
    struct mark mark;
    uint32_t times; /* that its reading did not end */
    fg_time last;
};

/* The file, as it stands on disk. */
struct file {
    char magic[8];
    fg_time alive; /* monotonic: the last beat */
    uint64_t is_fault;
    struct mark marks[FG_MARKS_PLACES];
    struct suspect suspects[SUSPECTS];
};

/* Whoever reads holds the lock with others, or alone if it is a suspect: so suspects are
 * only ever changed by somebody who is alone. */
struct fg_marks {
    int fd;
    char *path;
    pthread_rwlock_t lock;
    struct file file;
};

static struct fg_str url_of(const struct mark *mark)
{
    return (struct fg_str){mark->url, mark->shown < URL_SHOWN ? mark->shown : URL_SHOWN};
}

/* The disk may be full: then the page is read without a mark. */
static void write_part(const struct fg_marks *marks, const void *part, size_t bytes)
{
    off_t at = (const char *)part - (const char *)&marks->file;
    ssize_t n = pwrite(marks->fd, part, bytes, at);
    (void)n;
}

static struct suspect *suspect_of(struct fg_marks *marks, uint64_t fingerprint)
{
    for (size_t i = 0; i < SUSPECTS; i++)
        if (marks->file.suspects[i].mark.fingerprint == fingerprint)
            return &marks->file.suspects[i];
    return NULL;
}

static fg_time set_aside_until(const struct suspect *suspect)
{
    if (suspect->times < SET_ASIDE_AFTER)
        return 0;
    uint32_t shift = suspect->times - SET_ASIDE_AFTER;
    return suspect->last + (FG_DAY << (shift < LONGEST_SHIFT ? shift : LONGEST_SHIFT));
}

/* If there are too many the one that has been quiet for longest makes room. */
static struct suspect *accuse(struct fg_marks *marks, const struct mark *mark)
{
    struct suspect *suspect = suspect_of(marks, mark->fingerprint), *oldest = NULL;
    for (size_t i = 0; !suspect && i < SUSPECTS; i++)
        if (!oldest || marks->file.suspects[i].last < oldest->last)
            oldest = &marks->file.suspects[i];
    if (!suspect) {
        suspect = oldest;
        *suspect = (struct suspect){.mark = *mark};
    }
    suspect->times++;
    suspect->last = fg_time_now();
    return suspect;
}

static struct fg_str until_of(char text[FG_TIME_TEXT], const struct suspect *suspect)
{
    if (suspect->times < SET_ASIDE_AFTER)
        return FG_STR("no");
    fg_time_format(text, set_aside_until(suspect));
    return fg_str_from(text);
}

static bool is_suspicious(struct fg_marks *marks, const struct mark *mark)
{
    static const fg_time long_enough = 2 * FG_SECOND;
    return mark->fingerprint &&
           (marks->file.is_fault || marks->file.alive - mark->since >= long_enough ||
            suspect_of(marks, mark->fingerprint));
}

static bool read_file(struct fg_marks *marks)
{
    ssize_t n = pread(marks->fd, &marks->file, sizeof marks->file, 0);
    return n == sizeof marks->file && memcmp(marks->file.magic, magic, sizeof magic) == 0;
}

static void tell_of(const struct suspect *suspect)
{
    char until[FG_TIME_TEXT];
    fg_log_warn("crawl", "a page was being read when the crawl ended",
                FG_F("url", url_of(&suspect->mark)), FG_F("times", suspect->times),
                FG_F("set_aside_until", until_of(until, suspect)));
}

static void take_stock(struct fg_marks *marks)
{
    if (!read_file(marks))
        memset(&marks->file, 0, sizeof marks->file);
    for (size_t i = 0; i < FG_MARKS_PLACES; i++)
        if (is_suspicious(marks, &marks->file.marks[i]))
            tell_of(accuse(marks, &marks->file.marks[i]));
    memset(marks->file.marks, 0, sizeof marks->file.marks);
    memcpy(marks->file.magic, magic, sizeof magic);
    marks->file.alive = 0;
    marks->file.is_fault = 0;
    write_part(marks, &marks->file, sizeof marks->file);
}

/* A suspect gets its turn while others go on reading. */
static void init_lock(pthread_rwlock_t *lock)
{
    pthread_rwlockattr_t kind;
    pthread_rwlockattr_init(&kind);
    pthread_rwlockattr_setkind_np(&kind, PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP);
    pthread_rwlock_init(lock, &kind);
    pthread_rwlockattr_destroy(&kind);
}

/* --- the end by a fault --- */

/* The file, for a signal that may come at any moment; the last opened, -1: none. */
static volatile sig_atomic_t fault_fd = -1;
static const int faults[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};
enum { FAULTS = sizeof faults / sizeof *faults };
static struct sigaction before[FAULTS];

static void note_fault(void)
{
    static const uint64_t yes = 1;
    ssize_t n = pwrite(fault_fd, &yes, sizeof yes, offsetof(struct file, is_fault));
    (void)n;
}

/* Whoever had the signal before us has it again, and gets it. */
static void on_fault(int number)
{
    note_fault();
    for (size_t i = 0; i < FAULTS; i++)
        if (faults[i] == number)
            sigaction(number, &before[i], NULL);
    raise(number);
}

static void heed_faults(int fd)
{
    struct sigaction ours = {.sa_handler = on_fault};
    bool is_first = fault_fd < 0;
    fault_fd = fd;
    fg_on_out_of_memory(note_fault);
    for (size_t i = 0; is_first && i < FAULTS; i++)
        sigaction(faults[i], &ours, &before[i]);
}

static void heed_no_faults(int fd)
{
    if (fault_fd != fd)
        return;
    fault_fd = -1;
    fg_on_out_of_memory(NULL);
    for (size_t i = 0; i < FAULTS; i++)
        sigaction(faults[i], &before[i], NULL);
}

enum fg_status fg_marks_open(struct fg_marks **result, const char *path,
                             struct fg_err *err)
{
    *result = NULL;
    if (!path)
        return FG_OK;
    int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0666);
    if (fd < 0)
        return fg_fail(err, FG_EIO, "cannot open '%s': %s", path, strerror(errno));
    struct fg_marks *marks = fg_zeroed(1, sizeof *marks);
    marks->fd = fd;
    marks->path = strdup(path);
    if (!marks->path)
        fg_out_of_memory();
    init_lock(&marks->lock);
    take_stock(marks);
    heed_faults(fd);
    *result = marks;
    return FG_OK;
}

/* Without suspects there is nothing to remember. */
void fg_marks_close(struct fg_marks *marks)
{
    if (!marks)
        return;
    bool has_suspects = false;
    for (size_t i = 0; i < SUSPECTS; i++)
        has_suspects |= marks->file.suspects[i].mark.fingerprint != 0;
    if (!has_suspects && marks->path)
        unlink(marks->path);
    heed_no_faults(marks->fd);
    close(marks->fd);
    pthread_rwlock_destroy(&marks->lock);
    free(marks->path);
    free(marks);
}

static void mark_of(struct mark *mark, struct fg_str url)
{
    mark->fingerprint = fg_str_hash(url) | 1;
    mark->since = fg_time_monotonic();
    mark->shown = (uint16_t)(url.len < URL_SHOWN ? url.len : URL_SHOWN);
    memcpy(mark->url, url.at, mark->shown);
}

void fg_marks_set_aside(struct fg_marks *marks, struct fg_str url)
{
    struct mark mark = {0};
    if (!marks)
        return;
    mark_of(&mark, url);
    pthread_rwlock_wrlock(&marks->lock);
    struct suspect *suspect = accuse(marks, &mark);
    if (suspect->times < SET_ASIDE_AFTER)
        suspect->times = SET_ASIDE_AFTER;
    char until[FG_TIME_TEXT];
    fg_log_warn("crawl", "a page is set aside", FG_F("url", url),
                FG_F("until", until_of(until, suspect)));
    write_part(marks, suspect, sizeof *suspect);
    pthread_rwlock_unlock(&marks->lock);
}

bool fg_marks_begin(struct fg_marks *marks, unsigned place, struct fg_str url)
{
    if (!marks)
        return true;
    uint64_t fingerprint = fg_str_hash(url) | 1;
    pthread_rwlock_rdlock(&marks->lock);
    if (suspect_of(marks, fingerprint)) {
        pthread_rwlock_unlock(&marks->lock);
        pthread_rwlock_wrlock(&marks->lock);
        const struct suspect *suspect = suspect_of(marks, fingerprint);
        if (suspect && set_aside_until(suspect) > fg_time_now()) {
            pthread_rwlock_unlock(&marks->lock);
            return false;
        }
    }
    struct mark *mark = &marks->file.marks[place];
    mark_of(mark, url);
    write_part(marks, mark, offsetof(struct mark, url) + mark->shown);
    return true;
}

void fg_marks_end(struct fg_marks *marks, unsigned place, bool is_over)
{
    if (!marks)
        return;
    struct mark *mark = &marks->file.marks[place];
    struct suspect *suspect = is_over ? suspect_of(marks, mark->fingerprint) : NULL;
    if (suspect) { /* we are alone: see fg_marks_begin */
        *suspect = (struct suspect){0};
        write_part(marks, suspect, sizeof *suspect);
    }
    mark->fingerprint = 0;
    write_part(marks, mark, sizeof mark->fingerprint);
    pthread_rwlock_unlock(&marks->lock);
}

void fg_marks_beat(struct fg_marks *marks)
{
    if (!marks)
        return;
    marks->file.alive = fg_time_monotonic();
    write_part(marks, &marks->file.alive, sizeof marks->file.alive);
}
