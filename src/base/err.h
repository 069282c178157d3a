/* err.h - how a failure travels
 *
 *     if (!f)
 *         return fg_fail(err, FG_EIO, "cannot open '%s': %s", path, strerror(errno));
 *
 * A function that can fail returns a status and takes a `struct fg_err *` as its last
 * argument. The message is written once, where the facts are known; callers only pass
 * the status up. `err` may be NULL for a caller who does not want the words.
 *
 * What the web does to us (a 404, a timeout, a broken page) is not a failure but an
 * outcome, and is a field of a result. A bug is an assert. */
#ifndef FG_BASE_ERR_H
#define FG_BASE_ERR_H

enum fg_status {
    FG_OK = 0,
    FG_EIO,      /* the operating system said no; the message has its words */
    FG_EFULL,    /* the disk, or a quota, is full */
    FG_EINPUT,   /* the input is malformed: what and where is in the message */
    FG_ECONFIG,  /* the user's configuration or command line is wrong */
    FG_ELIMIT,   /* a stated maximum was reached */
    FG_ENOTFOUND /* what was asked for does not exist */
};

struct fg_err {
    enum fg_status status;
    char text[512];
};

/* Write the message and return `status`. */
enum fg_status fg_fail(struct fg_err *err, enum fg_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Put words in front of a message that is passing by, such as the name of a file:
 * "line 3: no such key" becomes "forage.yaml: line 3: no such key". */
enum fg_status fg_err_within(struct fg_err *err, enum fg_status status,
                             const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Out of memory ends the program here and nowhere else. Every size that comes from the
 * network has a maximum before it is allocated, so this is a machine that is too small,
 * not a page that is too large. */
_Noreturn void fg_out_of_memory(void);
/* Called before that, in whatever state things are: as from a signal. NULL: nothing. */
void fg_on_out_of_memory(void (*hook)(void));

#endif
