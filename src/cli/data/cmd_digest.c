/* cmd_digest.c - forage digest: the next e-mail, to look at or to send */
#include "cli/crawling.h"
#include "cli/showing.h"
#include "crawl/output/email.h"

#include <unistd.h>

struct options {
    struct fg_str since;
    bool send, raw;
};

static const struct fg_opt options[] = {
    {"since", FG_STRING(struct options, since), .letter = 's', .arg = "SPAN|DATE",
     .help = "what was found since then, instead of since the last digest"},
    {"send", FG_BOOL(struct options, send),
     .help = "hand it to digest.command now, and begin the next one here"},
    {"raw", FG_BOOL(struct options, raw), .help = "print the message as it is sent"},
    {0},
};

static const struct fg_digest_settings *settings_of(const struct fg_cli *cli)
{
    return fg_output_settings_of(&cli->settings.crawl.outputs, &fg_output_digest);
}

static void print_text(struct fg_out *out, const struct fg_email *digest)
{
    struct fg_str rest = fg_buf_str(&digest->text), line;
    fg_out_puts(out, "Forage: ");
    fg_out_text(out, fg_buf_str(&digest->subject));
    fg_out_puts(out, "\n\n");
    while (rest.len && fg_str_cut(&rest, '\n', &line)) {
        fg_out_text(out, line);
        fg_out_puts(out, "\n");
    }
}

static enum fg_status wait_for(struct fg_mailer *mailer, struct fg_err *err)
{
    enum fg_mailer_state state;
    while ((state = fg_mailer_state(mailer)) == FG_MAILER_RUNS)
        usleep(10000);
    return state == FG_MAILER_SENT
               ? FG_OK
               : fg_fail(err, FG_EIO,
                         "digest.command did not take the message: %s; nothing is lost, "
                         "it will be in the next one",
                         mailer->why);
}

static enum fg_status send_now(struct fg_cli *cli, const struct fg_email *digest,
                               struct fg_str message, fg_time now, struct fg_err *err)
{
    const struct fg_digest_settings *settings = settings_of(cli);
    struct fg_store *store;
    struct fg_mailer mailer;
    if (!settings->to.len)
        return fg_fail(err, FG_ECONFIG, "no recipient: set digest.to");
    if (!digest->n_new && !digest->n_changed && !digest->n_alarms) {
        fg_out_puts(&cli->out, "nothing to send\n");
        return FG_OK;
    }
    enum fg_status st = fg_cli_store(cli, false, &store, err);
    if (st)
        return st;
    st = fg_mailer_start(&mailer, settings->command, settings->timeout, message, err);
    if (!st)
        st = wait_for(&mailer, err);
    if (!st) {
        struct fg_batch *batch = fg_batch_new(store);
        fg_batch_delivered(batch, FG_DIGEST_OUTPUT, digest->last, (uint64_t)now);
        fg_store_submit(store, batch);
    }
    enum fg_status closed = fg_store_close(store, st ? NULL : err);
    if (!st && !closed)
        fg_out_printf(&cli->out, "sent: %.*s\n", FG_ARG(fg_buf_str(&digest->subject)));
    return st ? st : closed;
}

/* Since the last digest; if there was none, of the time that one would cover. */
static enum fg_status gather(const struct options *o, struct fg_look *look,
                             struct fg_email *digest, struct fg_err *err)
{
    const struct fg_digest_settings *settings =
        fg_output_settings_of(&look->place.settings->outputs, &fg_output_digest);
    uint64_t after = 0, time;
    fg_time since = FG_NEVER;
    enum fg_status st = FG_OK;
    if (o->since.len)
        st = fg_look_since(look, "--since", o->since, &since, err);
    else if (fg_store_delivered(look->store, FG_DIGEST_OUTPUT, &after, &time, NULL))
        since = look->now - settings->every;
    return st ? st
              : fg_email_gather(digest, look->store, after, since,
                                (size_t)settings->items, err);
}

static enum fg_status run(struct fg_cli *cli, struct fg_err *err)
{
    const struct options *o = cli->options;
    struct fg_look look;
    struct fg_email digest;
    struct fg_buf message;
    if (o->send && o->since.len)
        return fg_fail(err, FG_ECONFIG,
                       "--send with --since would leave out for good what lies before; "
                       "use --raw with --since and send that");
    enum fg_status st = fg_cli_look(cli, &look, err);
    if (st)
        return st;
    fg_email_init(&digest);
    fg_buf_init(&message, SIZE_MAX);
    st = gather(o, &look, &digest, err);
    fg_time now = look.now;
    fg_cli_look_close(&look);
    if (!st)
        fg_email_write(&message, &digest, settings_of(cli), fg_time_now());
    if (!st && o->send)
        st = send_now(cli, &digest, fg_buf_str(&message), now, err);
    else if (!st && o->raw)
        fg_buf_add(&cli->out.buf, fg_buf_str(&message));
    else if (!st)
        print_text(&cli->out, &digest);
    fg_buf_clear(&message);
    fg_email_clear(&digest);
    return st;
}

static const struct fg_example examples[] = {
    {"forage digest --since 2w", "what an e-mail about two weeks would say"},
    {"forage digest --raw --digest-to me@example.org", "the message itself"},
    {"forage digest --send --digest-to me@example.org --digest-command true",
     "send it now, here to a command that takes everything"},
    {0},
};

const struct fg_command fg_cmd_digest = {
    .name = "digest",
    .words = "",
    .summary = "print or send the e-mail that tells what was found",
    .about =
        "Shows what the next digest would say: events since the last one that was sent. "
        "If digest.to is set, a running crawl sends one every digest.every through "
        "digest.command, which is sendmail or a compatible program; what could not be "
        "sent is in the next one. --send does so now, when no crawl runs.",
    .options = options,
    .options_size = sizeof(struct options),
    .settings = "workspace digest",
    .examples = examples,
    .run = run,
};
