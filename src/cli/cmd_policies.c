/* cmd_policies.c - forage policies: the ways of choosing there are */
#include "cli/cli.h"
#include "cli/crawling.h"
#include "cli/man.h"
#include "policy/policy.h"
#include "view/policies.h"

struct options {
    bool json, markdown, man;
};

static const struct fg_opt options[] = {
    {"json", FG_BOOL(struct options, json), .letter = 'j', .help = "as JSON"},
    {"markdown", FG_BOOL(struct options, markdown),
     .help = "the parameters as the tables of docs/policies.md"},
    {"man", FG_BOOL(struct options, man),
     .help = "as the manual page forage-policies(7)"},
    {0},
};

static const struct {
    enum fg_task task;
    const char *name;
} tasks[] = {{FG_DISCOVERY, "discovery"}, {FG_REFRESH, "refresh"}};
enum { TASKS = sizeof tasks / sizeof *tasks };

static void print_policy(struct fg_out *out, const struct fg_policy *policy)
{
    fg_out_bold(out, policy->name);
    fg_out_puts(out, " (");
    bool any = false;
    for (size_t i = 0; i < TASKS; i++)
        if (policy->tasks & tasks[i].task) {
            fg_out_printf(out, "%s%s", any ? ", " : "", tasks[i].name);
            any = true;
        }
    fg_out_puts(out, policy->needs_foresight ? "; for the lab only)\n    " : ")\n    ");
    fg_out_wrap(out, policy->summary, 4, 4);
    if (policy->paper) {
        fg_out_puts(out, "    ");
        fg_out_wrap(out, policy->paper, 4, 4);
    }
    for (const struct fg_param *param = policy->params; param->name; param++)
        fg_out_printf(out, "    %-14s %g (%g to %g): %s\n", param->name, param->initial,
                      param->least, param->most, param->help);
}

static void print_markdown(struct fg_out *out, const struct fg_policy *policy)
{
    fg_out_printf(out, "### `%s`\n", policy->name);
    if (policy->params->name)
        fg_out_puts(out, "\n| parameter | default | may be | what it is |\n"
                         "|---|---|---|---|\n");
    for (const struct fg_param *param = policy->params; param->name; param++)
        fg_out_printf(out, "| `%s` | %g | %g to %g | %s |\n", param->name, param->initial,
                      param->least, param->most, param->help);
}

static void print_json(struct fg_out *out)
{
    struct fg_json json = fg_json_to(&out->buf);
    fg_policies_json(&json);
    fg_out_puts(out, "\n");
}

static enum fg_status run(struct fg_cli *cli, struct fg_err *err)
{
    (void)err;
    const struct options *o = cli->options;
    if (o->man) {
        fg_man_policies(cli);
        return FG_OK;
    }
    for (size_t i = 0; !o->json && fg_policies[i]; i++) {
        fg_out_puts(&cli->out, i ? "\n" : "");
        (o->markdown ? print_markdown : print_policy)(&cli->out, fg_policies[i]);
    }
    if (o->json)
        print_json(&cli->out);
    return FG_OK;
}

static const struct fg_example examples[] = {
    {"forage policies", "what each does, its paper and its parameters"},
    {"forage policies --json", "for a script"},
    {0},
};

const struct fg_command fg_cmd_policies = {
    .name = "policies",
    .words = "",
    .summary = "list the policies, their papers and parameters",
    .about = "A policy decides which sources to look at for new pages (discovery) or "
             "which documents to fetch again (refresh). Choose one with policy.discovery "
             "and policy.refresh; set its parameters with policy.params, such as "
             "--policy-params alpha=0.5,beta=2.",
    .options = options,
    .options_size = sizeof(struct options),
    .examples = examples,
    .run = run,
};
