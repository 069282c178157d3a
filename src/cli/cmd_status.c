/* cmd_status.c - forage status: the view, kept up to date in a terminal
 *
 * It is made again at most as often as costs a twentieth of the time. */
#include "cli/showing.h"
#include "view/status.h"

#include <signal.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

struct options {
    bool watch, once;
    fg_time every;
};

static const struct fg_opt options[] = {
    {"watch", FG_BOOL(struct options, watch),
     .help = "go on showing it; in a terminal that is the default"},
    {"once", FG_BOOL(struct options, once), .letter = '1', .help = "show it once"},
    {"every", FG_SPAN(struct options, every), "2s", .min = 100 * (double)FG_MILLISECOND,
     .max = (double)FG_DAY, .help = "time between two looks"},
    {0},
};

static volatile sig_atomic_t is_over;

static void on_signal(int signal)
{
    (void)signal;
    is_over = 1;
}

struct screen {
    struct fg_out *out;
    struct fg_out page; /* what is shown, before it is cut to the screen */
    bool is_live;
};

/* Every line erases what stood there before, and none is below the last of the screen. */
static void put_screen(struct screen *screen)
{
    struct winsize size = {0};
    struct fg_str rest = fg_buf_str(&screen->page.buf), line;
    size_t n = 0, left = 0;
    for (size_t i = 0; i < rest.len; i++)
        n += rest.at[i] == '\n';
    size_t height = ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 ? size.ws_row : 0;
    if (height > 1 && n >= height)
        left = n - (height - 2);
    fg_out_puts(screen->out, "\033[H");
    for (size_t i = 0; i < n - left && fg_str_cut(&rest, '\n', &line); i++) {
        fg_buf_add(&screen->out->buf, line);
        fg_out_puts(screen->out, "\033[K\n");
    }
    if (left)
        fg_out_printf(screen->out, "and %zu more lines\033[K\n", left);
    fg_out_puts(screen->out, "\033[J");
    fg_buf_reset(&screen->page.buf);
}

static enum fg_status show(struct screen *screen, struct fg_look *look,
                           const struct fg_status_question *question,
                           const struct fg_form *form, struct fg_err *err)
{
    struct fg_out *out = screen->is_live ? &screen->page : screen->out;
    enum fg_status st =
        fg_cli_ask(out, look, &fg_view_status, question, form, FG_STR(""), err);
    if (!st && screen->is_live)
        put_screen(screen);
    fg_out_flush(screen->out);
    return st;
}

/* What was found is forgotten each time. */
static enum fg_status go_on(struct screen *screen, struct fg_look *look, fg_time every,
                            const struct fg_status_question *question,
                            const struct fg_form *form, struct fg_err *err)
{
    struct sigaction stop = {.sa_handler = on_signal};
    sigaction(SIGINT, &stop, NULL);
    sigaction(SIGTERM, &stop, NULL);
    enum fg_status st = FG_OK;
    while (!st && !is_over && !screen->out->error) {
        fg_time before = fg_time_monotonic();
        st = fg_look_again(look, err);
        if (!st)
            st = show(screen, look, question, form, err);
        fg_arena_reset(look->texts);
        fg_time took = fg_time_monotonic() - before;
        fg_time wait = 20 * took > every ? 20 * took : every;
        struct timespec span = {wait / FG_SECOND, wait % FG_SECOND * 1000};
        if (!st && !is_over)
            nanosleep(&span, NULL);
    }
    return st;
}

static enum fg_status run(struct fg_cli *cli, const void *own, const void *asked,
                          const struct fg_form *form, struct fg_err *err)
{
    const struct options *o = own;
    struct fg_status_memo memo = {0};
    struct fg_status_question question = {
        .all = ((const struct fg_status_question *)asked)->all, .memo = &memo};
    struct fg_arena texts = {0};
    struct fg_look look;
    bool is_screen = isatty(STDOUT_FILENO) && !form->json && !form->csv;
    struct screen screen = {.out = &cli->out};
    if (o->watch && o->once)
        return fg_fail(err, FG_ECONFIG, "--watch and --once cannot be combined");
    enum fg_status st = fg_cli_look(cli, &look, err);
    if (st)
        return st;
    look.texts = &texts;
    if (o->watch || (is_screen && !o->once)) {
        screen.page = (struct fg_out){
            .fd = cli->out.fd, .color = cli->out.color, .is_terminal = is_screen};
        fg_buf_init(&screen.page.buf, (size_t)1 << 20);
        screen.is_live = is_screen;
        fg_out_puts(&cli->out, screen.is_live ? "\033[?1049h\033[?25l" : "");
        st = go_on(&screen, &look, o->every, &question, form, err);
        fg_out_puts(&cli->out, screen.is_live ? "\033[?25h\033[?1049l" : "");
        fg_buf_clear(&screen.page.buf);
    }
    if (!st && (screen.is_live || !o->watch)) { /* what stays on the screen */
        screen.is_live = false;
        st = show(&screen, &look, &question, form, err);
    }
    fg_records_clear(&memo.records);
    fg_cli_look_close(&look);
    fg_arena_clear(&texts);
    return st;
}

const struct fg_showing fg_show_status = {
    .view = &fg_view_status,
    .options = options,
    .options_size = sizeof(struct options),
    .run = run,
};
