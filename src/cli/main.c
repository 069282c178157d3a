/* main.c - the table of commands */
#include "base/memory.h"
#include "cli/showing.h"
#include "crawl/reading/apart.h"

#include <string.h>

extern const struct fg_command fg_cmd_demo, fg_cmd_init, fg_cmd_add, fg_cmd_remove,
    fg_cmd_pause, fg_cmd_resume, fg_cmd_watch, fg_cmd_run, fg_cmd_serve, fg_cmd_label,
    fg_cmd_export, fg_cmd_import, fg_cmd_policies, fg_cmd_lab, fg_cmd_fetch,
    fg_cmd_simulate, fg_cmd_url, fg_cmd_links, fg_cmd_robots, fg_cmd_sitemap, fg_cmd_feed,
    fg_cmd_feeds, fg_cmd_webhooks, fg_cmd_digest, fg_cmd_warc, fg_cmd_diff, fg_cmd_config,
    fg_cmd_ads, fg_cmd_store, fg_cmd_doctor, fg_cmd_botpage, fg_cmd_completion,
    fg_cmd_help, fg_cmd_version, fg_cmd_schedule, fg_cmd_next, fg_cmd_report, fg_cmd_move;

/* In its place stand those of view/views.c. */
static const struct fg_command views;

/* In the order in which the help lists them. */
static const struct fg_command *const commands[] = {
    &fg_cmd_demo,       &fg_cmd_init,   &fg_cmd_add,      &fg_cmd_remove,
    &fg_cmd_pause,      &fg_cmd_resume, &fg_cmd_watch,    &fg_cmd_run,
    &fg_cmd_serve,      &views,         &fg_cmd_label,    &fg_cmd_export,
    &fg_cmd_import,

    &fg_cmd_schedule,   &fg_cmd_next,   &fg_cmd_report,

    &fg_cmd_policies,   &fg_cmd_lab,    &fg_cmd_fetch,    &fg_cmd_simulate,
    &fg_cmd_url,        &fg_cmd_links,  &fg_cmd_robots,   &fg_cmd_sitemap,
    &fg_cmd_feed,       &fg_cmd_feeds,  &fg_cmd_webhooks, &fg_cmd_digest,
    &fg_cmd_warc,       &fg_cmd_diff,   &fg_cmd_config,   &fg_cmd_ads,
    &fg_cmd_store,      &fg_cmd_move,   &fg_cmd_doctor,   &fg_cmd_botpage,
    &fg_cmd_completion, &fg_cmd_help,   &fg_cmd_version,  NULL,
};

int main(int argc, char **argv)
{
    if (argc == 3 && strcmp(argv[1], FG_APART_COMMAND) == 0)
        return fg_apart_serve(argv[2]);
    fg_memory_keep();
    struct fg_arena arena = {0};
    int code = fg_cli_main(fg_view_commands(&arena, commands, &views), argv);
    fg_arena_clear(&arena);
    return code;
}
