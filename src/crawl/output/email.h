/* email.h - what was found, as an e-mail
 *
 *     struct fg_email digest;
 *     fg_email_init(&digest);
 *     fg_email_gather(&digest, store, after, since, items, err);
 *     fg_email_write(&buf, &digest, &settings, now);
 *     fg_mailer_start(&mailer, command, FG_MINUTE, fg_buf_str(&buf), err);
 *     ...
 *     while (fg_mailer_state(&mailer) == FG_MAILER_RUNS) ...
 *
 * The command is started without a shell, with the message on its standard input and a
 * time limit; nobody waits for it. How far the last digest that was taken went is kept in
 * the store under the output "digest", with its time: what could not be sent is in the
 * next one. */
#ifndef FG_CRAWL_OUTPUT_EMAIL_H
#define FG_CRAWL_OUTPUT_EMAIL_H

#include "base/buf.h"
#include "base/err.h"
#include "base/opt.h"
#include "crawl/output/output.h"
#include "store/store.h"

#include <sys/types.h>

#define FG_DIGEST_OUTPUT "digest"

struct fg_digest_settings {
    struct fg_opt_list to;
    struct fg_str from, command;
    fg_time every, timeout;
    int64_t items;
};

extern const struct fg_output_kind fg_output_digest; /* digest.c; with these settings */

struct fg_email {
    size_t n_new, n_changed, n_alarms;
    uint64_t last; /* the number of the newest event in it */
    struct fg_buf subject, text;
};

void fg_email_init(struct fg_email *digest);
void fg_email_clear(struct fg_email *digest);
/* The events after `after` and not before `since`; at most `items` of each kind are
 * listed, all are counted. */
enum fg_status fg_email_gather(struct fg_email *digest, struct fg_store *store,
                               uint64_t after, fg_time since, size_t items,
                               struct fg_err *err);
/* The message with its headers. */
void fg_email_write(struct fg_buf *out, const struct fg_email *digest,
                    const struct fg_digest_settings *settings, fg_time now);

enum fg_mailer_state { FG_MAILER_RUNS, FG_MAILER_SENT, FG_MAILER_FAILED };

struct fg_mailer {
    pid_t pid;     /* 0: none runs */
    fg_time until; /* monotonic */
    char why[120]; /* it failed */
};

enum fg_status fg_mailer_start(struct fg_mailer *mailer, struct fg_str command,
                               fg_time timeout, struct fg_str message,
                               struct fg_err *err);
/* Ask until it does not run any more. One that takes too long is killed. */
enum fg_mailer_state fg_mailer_state(struct fg_mailer *mailer);
void fg_mailer_kill(struct fg_mailer *mailer);

#endif
