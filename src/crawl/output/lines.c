/* A file is written exactly once a line, by three rules. Where our lines begin is on disk
 * before the first of them is written; lines are on disk before the store hears that they
 * were delivered; and at the start whatever stands behind the known end and reads like
 * the lines to come is cut off, to come again. Lines of somebody else are left alone. */
#include "crawl/output/lines.h"

#include "base/buf.h"
#include "base/memory.h"
#include "base/plain.h"
#include "base/vec.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

enum { AT_ONCE = 512, MOST_TEXT = 64 << 20 };
static const uint64_t not_noted = UINT64_MAX;

struct output {
    char *name; /* of a file: its full path */
    int fd;
    bool is_file;    /* has a position, and is ours to close */
    bool is_unheard; /* a pipe whose reader has gone */
    bool is_terminal;
    uint64_t number, position;
};

struct fg_outbox {
    struct fg_store *store;
    FG_VEC(struct output) outputs;
    FG_VEC(const char *) left_out; /* kinds of events */
    struct fg_buf text;
};

struct fg_outbox *fg_outbox_new(struct fg_store *store)
{
    struct fg_outbox *outbox = fg_zeroed(1, sizeof *outbox);
    outbox->store = store;
    fg_buf_init(&outbox->text, MOST_TEXT);
    return outbox;
}

void fg_outbox_free(struct fg_outbox *outbox)
{
    if (!outbox)
        return;
    for (size_t i = 0; i < outbox->outputs.len; i++) {
        if (outbox->outputs.at[i].is_file && outbox->outputs.at[i].fd >= 0)
            close(outbox->outputs.at[i].fd);
        free(outbox->outputs.at[i].name);
    }
    fg_vec_clear(&outbox->outputs);
    fg_vec_clear(&outbox->left_out);
    fg_buf_clear(&outbox->text);
    free(outbox);
}

void fg_outbox_leave_out(struct fg_outbox *outbox, const char *kind)
{
    fg_vec_push(&outbox->left_out, kind);
}

static bool is_left_out(const struct fg_outbox *outbox, const struct fg_event_row *event)
{
    for (size_t i = 0; i < outbox->left_out.len; i++)
        if (fg_str_eq(event->kind, fg_str_from(outbox->left_out.at[i])))
            return true;
    return false;
}

static bool take_number(void *context, const struct fg_event_row *event)
{
    *(uint64_t *)context = event->number;
    return true;
}

static enum fg_status newest_event(struct fg_outbox *outbox, uint64_t *number,
                                   struct fg_err *err)
{
    return fg_store_events(outbox->store, 0, *number, FG_NEVER, SIZE_MAX, take_number,
                           number, err);
}

/* --- writing --- */

static enum fg_status failed_to_write(const struct output *output, struct fg_err *err)
{
    return fg_fail(err, errno == ENOSPC || errno == EDQUOT ? FG_EFULL : FG_EIO,
                   "cannot write to '%s': %s", output->name, strerror(errno));
}

static enum fg_status write_lines(struct output *output, struct fg_str text,
                                  struct fg_err *err)
{
    while (text.len) {
        ssize_t n = write(output->fd, text.at, text.len);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0 && errno == EAGAIN) {
            poll(&(struct pollfd){.fd = output->fd, .events = POLLOUT}, 1, -1);
            continue;
        }
        if (n < 0 && errno == EPIPE) {
            output->is_unheard = true;
            return FG_OK;
        }
        if (n < 0)
            return failed_to_write(output, err);
        output->position += (uint64_t)n;
        text = fg_str_skip(text, (size_t)n);
    }
    return FG_OK;
}

/* A line that was cut off by a crash, or by an editor, must not swallow our first one. */
static enum fg_status end_last_line(struct output *output, int readable, uint64_t size,
                                    struct fg_err *err)
{
    char last;
    if (!size || pread(readable, &last, 1, (off_t)size - 1) != 1 || last == '\n')
        return FG_OK;
    return write_lines(output, FG_STR("\n"), err);
}

static uint64_t note(struct fg_outbox *outbox, const struct output *output)
{
    struct fg_batch *batch = fg_batch_new(outbox->store);
    fg_batch_delivered(batch, output->name, output->number, output->position);
    return fg_store_submit(outbox->store, batch);
}

/* --- files --- */

struct comparison {
    const struct fg_outbox *outbox;
    int fd;
    uint64_t at, end;
    bool is_same;
};

static bool compare_line(void *context, const struct fg_event_row *event)
{
    struct comparison *c = context;
    char there[4096];
    if (is_left_out(c->outbox, event))
        return true;
    for (size_t done = 0; done <= event->json.len && c->at < c->end && c->is_same;) {
        struct fg_str rest = fg_str_skip(event->json, done);
        struct fg_str piece = rest.len ? rest : FG_STR("\n");
        uint64_t n = piece.len < sizeof there ? piece.len : sizeof there;
        n = n < c->end - c->at ? n : c->end - c->at;
        c->is_same = pread(c->fd, there, n, (off_t)c->at) == (ssize_t)n &&
                     memcmp(there, piece.at, n) == 0;
        c->at += n;
        done += n;
    }
    return c->at < c->end && c->is_same;
}

/* Is all that stands behind the position the beginning of what we are about to write? */
static bool is_our_tail(struct fg_outbox *outbox, const struct output *output,
                        uint64_t size)
{
    struct comparison c = {outbox, output->fd, output->position, size, true};
    return !fg_store_events(outbox->store, 0, output->number, FG_NEVER, SIZE_MAX,
                            compare_line, &c, NULL) &&
           c.is_same && c.at == c.end;
}

static enum fg_status open_file(struct output *output, struct fg_err *err)
{
    output->fd = open(output->name, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
    return output->fd < 0 ? failed_to_write(output, err) : FG_OK;
}

static enum fg_status look_at(const struct output *output, struct stat *info,
                              struct fg_err *err)
{
    if (fstat(output->fd, info) == 0)
        return FG_OK;
    return fg_fail(err, FG_EIO, "cannot look at '%s': %s", output->name, strerror(errno));
}

/* Before lines are written: if the file was rotated away, or somebody cut or lengthened
 * it, go on at the end of what is there now, and have that on disk first. */
static enum fg_status make_ready(struct fg_outbox *outbox, struct output *output,
                                 struct fg_err *err)
{
    struct stat held, named;
    enum fg_status st = look_at(output, &held, err);
    if (st || !S_ISREG(held.st_mode))
        return st;
    if (stat(output->name, &named) || named.st_ino != held.st_ino ||
        named.st_dev != held.st_dev) {
        close(output->fd);
        st = open_file(output, err);
        output->position = not_noted;
        if (!st)
            st = look_at(output, &held, err);
    }
    uint64_t size = (uint64_t)held.st_size;
    if (st || output->position == size)
        return st;
    output->position = size;
    st = end_last_line(output, output->fd, size, err);
    return st ? st : fg_store_flush(outbox->store, note(outbox, output), err);
}

/* Two paths to one file are one output. */
static void use_full_path(struct output *output)
{
    char *full = realpath(output->name, NULL);
    if (!full)
        return;
    free(output->name);
    output->name = full;
}

/* Cut off what a delivery left behind that the store never heard of. */
static enum fg_status cut_back(struct fg_outbox *outbox, struct output *output,
                               struct fg_err *err)
{
    struct stat info;
    enum fg_status st = look_at(output, &info, err);
    if (st || (uint64_t)info.st_size <= output->position ||
        !is_our_tail(outbox, output, (uint64_t)info.st_size) ||
        ftruncate(output->fd, (off_t)output->position) == 0)
        return st;
    return fg_fail(err, FG_EIO, "cannot cut '%s': %s", output->name, strerror(errno));
}

enum fg_status fg_outbox_to_file(struct fg_outbox *outbox, const char *path,
                                 struct fg_err *err)
{
    fg_vec_push(&outbox->outputs,
                (struct output){.name = strdup(path), .is_file = true, .fd = -1});
    struct output *output = &outbox->outputs.at[outbox->outputs.len - 1];
    enum fg_status st = open_file(output, err);
    if (st)
        return st;
    use_full_path(output);
    st = fg_store_delivered(outbox->store, output->name, &output->number,
                            &output->position, err);
    if (!st)
        st = cut_back(outbox, output, err);
    else if (st == FG_ENOTFOUND) {
        output->position = not_noted;
        st = FG_OK;
    }
    return st ? st : make_ready(outbox, output, err);
}

/* --- descriptors --- */

/* What a shell opened with >> may end in a line that a kill cut in two. */
static enum fg_status end_line_of_descriptor(struct output *output, struct fg_err *err)
{
    struct stat info;
    if (fstat(output->fd, &info) || !S_ISREG(info.st_mode) ||
        !(fcntl(output->fd, F_GETFL) & O_APPEND))
        return FG_OK;
    char path[32];
    snprintf(path, sizeof path, "/proc/self/fd/%d", output->fd);
    int readable = open(path, O_RDONLY | O_CLOEXEC);
    enum fg_status st = end_last_line(output, readable, (uint64_t)info.st_size, err);
    if (readable >= 0)
        close(readable);
    return st;
}

enum fg_status fg_outbox_to_descriptor(struct fg_outbox *outbox, const char *name, int fd,
                                       bool only_new, struct fg_err *err)
{
    struct output output = {.name = strdup(name), .fd = fd, .is_terminal = isatty(fd)};
    enum fg_status st =
        fg_store_delivered(outbox->store, name, &output.number, &output.position, err);
    if (st == FG_ENOTFOUND)
        st = FG_OK;
    if (!st && only_new)
        st = newest_event(outbox, &output.number, err);
    if (!st)
        st = end_line_of_descriptor(&output, err);
    fg_vec_push(&outbox->outputs, output);
    return st;
}

/* --- delivering --- */

struct delivery {
    const struct fg_outbox *outbox;
    struct fg_buf *text;
    uint64_t number;
    bool is_terminal;
};

static bool take_line(void *context, const struct fg_event_row *event)
{
    struct delivery *delivery = context;
    delivery->number = event->number;
    if (is_left_out(delivery->outbox, event))
        return true;
    if (delivery->is_terminal) /* an older store may have what acts on it */
        fg_plain_pass(delivery->text, event->json);
    else
        fg_buf_add(delivery->text, event->json);
    fg_buf_add_char(delivery->text, '\n');
    return true;
}

/* In order, and the store hears of it when it is done; but it does not wait for that. */
static enum fg_status hand_over(struct fg_outbox *outbox, struct output *output,
                                uint64_t number, struct fg_err *err)
{
    enum fg_status st = output->is_file ? make_ready(outbox, output, err) : FG_OK;
    if (!st)
        st = write_lines(output, fg_buf_str(&outbox->text), err);
    if (st || output->is_unheard)
        return st;
    /* A pipe cannot be synced (EINVAL), and need not be. */
    if (output->is_file && fdatasync(output->fd) != 0 && errno != EINVAL)
        return failed_to_write(output, err);
    output->number = number;
    note(outbox, output);
    return FG_OK;
}

static enum fg_status deliver_to(struct fg_outbox *outbox, struct output *output,
                                 struct fg_err *err)
{
    while (!output->is_unheard) {
        struct delivery delivery = {outbox, &outbox->text, output->number,
                                    output->is_terminal};
        fg_buf_reset(&outbox->text);
        enum fg_status st = fg_store_events(outbox->store, 0, output->number, FG_NEVER,
                                            AT_ONCE, take_line, &delivery, err);
        if (st || delivery.number == output->number)
            return st;
        st = hand_over(outbox, output, delivery.number, err);
        if (st)
            return st;
    }
    return FG_OK;
}

enum fg_status fg_outbox_deliver(struct fg_outbox *outbox, struct fg_err *err)
{
    enum fg_status st = FG_OK;
    for (size_t i = 0; !st && i < outbox->outputs.len; i++)
        st = deliver_to(outbox, &outbox->outputs.at[i], err);
    return st;
}

bool fg_outbox_is_unheard(const struct fg_outbox *outbox)
{
    for (size_t i = 0; i < outbox->outputs.len; i++)
        if (outbox->outputs.at[i].is_unheard)
            return true;
    return false;
}

uint64_t fg_outbox_delivered(const struct fg_outbox *outbox)
{
    uint64_t number = UINT64_MAX;
    for (size_t i = 0; i < outbox->outputs.len; i++)
        if (outbox->outputs.at[i].number < number)
            number = outbox->outputs.at[i].number;
    return number;
}
