/* The digests of a running crawl: looked after every few seconds. The message is made in
 * the loop, which takes milliseconds; the command that takes it runs beside it. */
#include "base/log.h"
#include "base/memory.h"
#include "crawl/output/cursor.h"
#include "crawl/output/email.h"

#include <event2/event.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static const fg_time most_before_retry = 10 * FG_MINUTE;
/* Whether one is due, and whether the command has ended. */
static const fg_time look_every = 2 * FG_SECOND, ask_every = 100 * FG_MILLISECOND;

struct digester {
    struct fg_cursor cursor; /* its position is the time of the last digest */
    const struct fg_digest_settings *settings;
    struct fg_clock *clock;
    struct fg_mailer mailer;
    struct event *timer;
    uint64_t sending; /* the last event of the digest on its way */
    fg_time due;      /* by the crawl's clock */
    bool is_ending;
};

/* --- sending --- */

static void note_sent(struct digester *digester, uint64_t number, fg_time now)
{
    digester->cursor.number = number;
    digester->cursor.position = (uint64_t)now;
    digester->due = now + digester->settings->every;
    fg_cursor_save(&digester->cursor);
}

static void failed(struct digester *digester, const char *why)
{
    fg_time every = digester->settings->every;
    fg_time wait = every / 4 < most_before_retry ? every / 4 : most_before_retry;
    digester->due = fg_clock_now(digester->clock) + wait;
    fg_log_warn("digest", "not sent", FG_F("why", why));
}

static void send_digest(struct digester *digester, const struct fg_email *digest)
{
    const struct fg_digest_settings *settings = digester->settings;
    struct fg_buf message;
    struct fg_err err = {0};
    fg_buf_init(&message, SIZE_MAX);
    fg_email_write(&message, digest, settings, fg_clock_now(digester->clock));
    digester->sending = digest->last;
    if (fg_mailer_start(&digester->mailer, settings->command, settings->timeout,
                        fg_buf_str(&message), &err))
        failed(digester, err.text);
    fg_buf_clear(&message);
}

static void send_if_due(struct digester *digester)
{
    fg_time now = fg_clock_now(digester->clock);
    if (now < digester->due || digester->is_ending)
        return;
    struct fg_email digest;
    struct fg_err err = {0};
    fg_email_init(&digest);
    if (fg_email_gather(&digest, digester->cursor.store, digester->cursor.number,
                        FG_NEVER, (size_t)digester->settings->items, &err))
        failed(digester, err.text);
    else if (digest.n_new + digest.n_changed + digest.n_alarms)
        send_digest(digester, &digest);
    else
        note_sent(digester, digest.last, now);
    fg_email_clear(&digest);
}

static void ask_mailer(struct digester *digester)
{
    enum fg_mailer_state state = fg_mailer_state(&digester->mailer);
    if (state == FG_MAILER_FAILED)
        failed(digester, digester->mailer.why);
    if (state != FG_MAILER_SENT)
        return;
    note_sent(digester, digester->sending, fg_clock_now(digester->clock));
    fg_log_info("digest", "sent", FG_F("up_to", digester->sending));
}

static void on_timer(evutil_socket_t fd, short what, void *context)
{
    (void)fd, (void)what;
    struct digester *digester = context;
    if (digester->mailer.pid)
        ask_mailer(digester);
    else if (fg_store_health(digester->cursor.store, NULL) != FG_EFULL)
        send_if_due(digester); /* else it could not be noted */
    fg_time wait = digester->mailer.pid ? ask_every : look_every;
    struct timeval next = {wait / FG_SECOND, wait % FG_SECOND};
    event_add(digester->timer, &next);
}

/* --- settings --- */

/* "you@example.org": something on both sides of one '@', and neither blanks nor signs
 * that mean something in a header. */
static bool is_mailbox(struct fg_str text)
{
    size_t at = fg_str_chr(text, '@');
    if (at == FG_NOT_FOUND || !at || at + 1 == text.len)
        return false;
    for (size_t i = 0; i < text.len; i++)
        if (fg_is_space(text.at[i]) || memchr("<>()[],;:\\\"", text.at[i], 12) ||
            (i > at && !fg_is_alnum(text.at[i]) && text.at[i] != '-' &&
             text.at[i] != '.'))
            return false;
    return text.at[at + 1] != '.' && text.at[text.len - 1] != '.' &&
           fg_str_find(text, FG_STR("..")) == FG_NOT_FOUND;
}

/* It stands in a header, and nothing may follow it there. A name may come first: "Me
 * <me@example.org>". */
static const char *refuse_address(struct fg_str text)
{
    for (size_t i = 0; i < text.len; i++)
        if ((unsigned char)text.at[i] < 0x20 || (unsigned char)text.at[i] >= 0x7F)
            return "is not an address of letters, digits and signs of ASCII";
    size_t open = fg_str_chr(text, '<');
    struct fg_str box = text;
    if (open != FG_NOT_FOUND && text.at[text.len - 1] == '>')
        box = fg_str_sub(text, open + 1, text.len - 1);
    return !text.len || is_mailbox(box)
               ? NULL
               : "is not a mail address, such as you@example.org";
}

/* "x.org" of "Me <me@x.org>": its labels may not begin or end with '-', nor be empty. */
static bool has_good_host(struct fg_str address)
{
    struct fg_str host = fg_str_skip(address, fg_str_chr(address, '@') + 1), label;
    host = fg_str_sub(host, 0, fg_str_chr(host, '>'));
    while (fg_str_cut(&host, '.', &label))
        if (!label.len || label.at[0] == '-' || label.at[label.len - 1] == '-')
            return false;
    return true;
}

static enum fg_status check_addresses(const struct fg_digest_settings *settings,
                                      struct fg_err *err)
{
    static const char *const words =
        "%s: '%.*s' is not a mail address: no part of its host begins or ends with '-'";
    for (size_t i = 0; i < settings->to.len; i++)
        if (!has_good_host(settings->to.at[i]))
            return fg_fail(err, FG_ECONFIG, words, "digest.to",
                           FG_ARG(settings->to.at[i]));
    if (settings->from.len && !has_good_host(settings->from))
        return fg_fail(err, FG_ECONFIG, words, "digest.from", FG_ARG(settings->from));
    return FG_OK;
}

static bool is_program(const char *path)
{
    struct stat info;
    return stat(path, &info) == 0 && S_ISREG(info.st_mode) && access(path, X_OK) == 0;
}

/* As execvp looks for it. */
static bool is_on_path(struct fg_arena *arena, const char *name)
{
    const char *path = getenv("PATH");
    struct fg_str rest = fg_str_from(path ? path : "/bin:/usr/bin"), folder;
    while (fg_str_cut(&rest, ':', &folder))
        if (is_program(fg_arena_printf(arena, "%.*s/%s",
                                       FG_ARG(folder.len ? folder : FG_STR(".")), name)
                           .at))
            return true;
    return false;
}

/* The first word, in quotes perhaps. */
static struct fg_str program_of(struct fg_str command)
{
    command = fg_str_trim(command);
    char quote = command.len && (command.at[0] == '"' || command.at[0] == '\'')
                     ? command.at[0]
                     : ' ';
    if (quote != ' ')
        command = fg_str_skip(command, 1);
    return fg_str_sub(command, 0, fg_str_chr(command, quote));
}

#define DEFAULT_COMMAND "/usr/sbin/sendmail -t -i"

/* The default is asked for only if there is something to send. */
static enum fg_status check_command(const struct fg_digest_settings *settings,
                                    struct fg_err *err)
{
    if (!settings->to.len && fg_str_eq(settings->command, FG_STR(DEFAULT_COMMAND)))
        return FG_OK;
    struct fg_arena arena = {0};
    const char *name = fg_arena_cstr(&arena, program_of(settings->command));
    bool is_there = strchr(name, '/') ? is_program(name) : is_on_path(&arena, name);
    enum fg_status st =
        is_there ? FG_OK
                 : fg_fail(err, FG_ECONFIG,
                           "digest.command: there is no program '%s': install it, or "
                           "name another one that takes a mail on standard input",
                           name);
    fg_arena_clear(&arena);
    return st;
}

static enum fg_status check(const void *settings, struct fg_err *err)
{
    enum fg_status st = check_addresses(settings, err);
    return st ? st : check_command(settings, err);
}

#define ROW(type, member) type(struct fg_digest_settings, member)

static const struct fg_opt opts[] = {
    {"digest.to", ROW(FG_LIST, to), .arg = "ADDRESS,...", .refuse = refuse_address,
     .is_live = true, .help = "recipients of an e-mail with what was found"},
    {"digest.from", ROW(FG_STRING, from), .arg = "ADDRESS", .refuse = refuse_address,
     .is_live = true,
     .help = "sender of the digest; without one the mail system uses the user's name"},
    {"digest.every", ROW(FG_SPAN, every), "1d", .min = (double)FG_SECOND,
     .max = (double)(365 * FG_DAY), .is_live = true,
     .help = "time from one digest to the next"},
    {"digest.items", ROW(FG_INT, items), "200", .min = 1, .max = 100000, .is_live = true,
     .help = "events listed in one digest; further ones are counted"},
    {"digest.command", ROW(FG_STRING, command), DEFAULT_COMMAND, .arg = "COMMAND",
     .min = 1, .max = 4096, .is_live = true,
     .help = "command that reads the e-mail from standard input; run without a shell"},
    {"digest.timeout", ROW(FG_SPAN, timeout), "1m", .min = (double)FG_MILLISECOND,
     .max = (double)FG_HOUR, .is_live = true, .help = "time limit for that command"},
    {0},
};

/* --- as an output --- */

static enum fg_status open_digests(void **output, const struct fg_output_env *env,
                                   const void *settings, struct fg_err *err)
{
    const struct fg_digest_settings *own = settings;
    if (!own || !own->to.len)
        return FG_OK;
    struct digester *digester = fg_zeroed(1, sizeof *digester);
    *output = digester;
    digester->settings = own;
    digester->clock = env->clock;
    digester->timer = evtimer_new(env->loop, on_timer, digester);
    digester->cursor = (struct fg_cursor){.store = env->store, .name = FG_DIGEST_OUTPUT};
    enum fg_status st = fg_cursor_recall(&digester->cursor, err);
    if (st == FG_ENOTFOUND) { /* the first one has what is found from now on */
        digester->cursor.position = (uint64_t)fg_clock_now(env->clock);
        st = fg_cursor_begin_now(&digester->cursor, err);
    }
    digester->due = (fg_time)digester->cursor.position + own->every;
    struct timeval next = {look_every / FG_SECOND, look_every % FG_SECOND};
    event_add(digester->timer, &next);
    return st;
}

/* It is looked after by its own timer: what is due is due at a time. */
static enum fg_status poke(void *output, struct fg_err *err)
{
    (void)output, (void)err;
    return FG_OK;
}

static void drain(void *output, bool hands_on)
{
    (void)hands_on; /* it is in the next digest */
    ((struct digester *)output)->is_ending = true;
}

static bool is_busy(const void *output)
{
    return ((const struct digester *)output)->mailer.pid;
}

static uint64_t delivered(const void *output)
{
    return ((const struct digester *)output)->cursor.number;
}

static void close_digests(void *output)
{
    struct digester *digester = output;
    fg_mailer_kill(&digester->mailer);
    event_free(digester->timer);
    free(digester);
}

const struct fg_output_kind fg_output_digest = {
    .name = "digest",
    .opts = opts,
    .settings_size = sizeof(struct fg_digest_settings),
    .check = check,
    .open = open_digests,
    .poke = poke,
    .drain = drain,
    .busy = is_busy,
    .delivered = delivered,
    .close = close_digests,
};
