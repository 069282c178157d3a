#include "cli/progress.h"

#include "base/log.h"
#include "base/plain.h"

#include <stdio.h>

enum { MOST_LINE = 8192 };
static const fg_time first_after = FG_MINUTE;

static void put_line(void *context, const char *text, bool is_logged)
{
    const struct fg_progress *progress = context;
    const struct fg_log_settings *log = &progress->cli->settings.log;
    if (is_logged && !log->file.len && log->level >= FG_LOG_WARN)
        return;
    if (log->format == FG_LOG_JSON && !log->file.len) {
        fg_log_info("crawl", "progress", FG_F("text", text));
        return;
    }
    struct fg_buf line;
    fg_buf_init(&line, MOST_LINE);
    fg_plain_add(&line, fg_str_from(text)); /* addresses come from strangers */
    fprintf(stderr, "%.*s\n", FG_ARG(fg_buf_str(&line)));
    fg_buf_clear(&line);
}

static const char *plural(uint64_t n)
{
    return n == 1 ? "" : "s";
}

static void put_figures(struct fg_progress *progress, const struct fg_crawl_counts *c,
                        bool is_over)
{
    char text[400], ran[FG_SPAN_TEXT], next[FG_TIME_TEXT];
    fg_span_format(ran, c->ran / FG_SECOND * FG_SECOND);
    int n = snprintf(
        text, sizeof text,
        "%s %s: %llu new page%s since start, %llu request%s, %llu source%s on "
        "%zu site%s",
        is_over ? "stopped after" : "running for", ran, (unsigned long long)c->discovered,
        plural(c->discovered), (unsigned long long)c->fetches, plural(c->fetches),
        (unsigned long long)c->sources, plural(c->sources), c->sites, plural(c->sites));
    if (c->exploring)
        n += snprintf(text + n, sizeof text - (size_t)n, ", %zu being explored",
                      c->exploring);
    if (c->alarms)
        n += snprintf(text + n, sizeof text - (size_t)n,
                      ", %zu alarm%s ('forage status' shows %s)", c->alarms,
                      plural(c->alarms), c->alarms == 1 ? "it" : "them");
    if (!is_over && !c->is_stopping && c->next_look != FG_NEVER) {
        fg_time at = c->next_look > c->now ? c->next_look : c->now;
        fg_time_format(next, at / FG_SECOND * FG_SECOND);
        snprintf(text + n, sizeof text - (size_t)n, "; next look at %.8s UTC", next + 11);
    }
    put_line(progress, text, false);
}

void fg_progress_start(struct fg_progress *progress, const struct fg_cli *cli,
                       struct fg_crawl *crawl)
{
    fg_time every = cli->settings.progress;
    *progress = (struct fg_progress){.cli = cli, .is_quiet = cli->common.quiet};
    progress->next = fg_time_monotonic() + (every < first_after ? every : first_after);
    if (!progress->is_quiet)
        fg_crawl_on_milestone(crawl, put_line, progress);
}

void fg_progress_beat(struct fg_progress *progress, const struct fg_crawl *crawl)
{
    fg_time now = fg_time_monotonic(), every = progress->cli->settings.progress;
    if (progress->is_quiet || !every || now < progress->next)
        return;
    progress->next = now + every;
    struct fg_crawl_counts counts = fg_crawl_count(crawl);
    put_figures(progress, &counts, false);
}

void fg_progress_end(struct fg_progress *progress, const struct fg_crawl *crawl)
{
    struct fg_crawl_counts counts = fg_crawl_count(crawl);
    if (!progress->is_quiet)
        put_figures(progress, &counts, true);
}
