/* cmd_policies.c - forage policies: the ways of choosing there are */
#include "cli/cli.h"
#include "cli/crawling.h"
#include "cli/help/man.h"
#include "view/policies.h"

#include <string.h>

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

static void print_policy(struct fg_out *out, const struct fg_policy_facts *policy)
{
    fg_out_bold(out, policy->name);
    fg_out_puts(out, " (");
    for (size_t i = 0; policy->tasks[i]; i++)
        fg_out_printf(out, "%s%s", i ? ", " : "", policy->tasks[i]);
    fg_out_puts(out, policy->is_lab_only ? "; for the lab only)\n    " : ")\n    ");
    fg_out_wrap(out, policy->summary, 4, 4);
    if (policy->paper) {
        fg_out_puts(out, "    ");
        fg_out_wrap(out, policy->paper, 4, 4);
    }
    for (const struct fg_param *param = policy->params; param->name; param++)
        fg_out_printf(out, "    %-14s %g (%g to %g): %s\n", param->name, param->initial,
                      param->least, param->most, param->help);
}

/* That page is of the crawl; docs/ranking.md and docs/ads.md have the others. */
static void print_markdown(struct fg_out *out, const struct fg_policy_facts *policy)
{
    if (!fg_policy_has_task(policy, "discovery") &&
        !fg_policy_has_task(policy, "refresh"))
        return;
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

static bool is_asked_for(const struct fg_cli *cli, const char *name)
{
    for (size_t i = 0; i < cli->n_words; i++)
        if (strcmp(cli->words[i], name) == 0)
            return true;
    return !cli->n_words;
}

static enum fg_status no_policy(const char *word, struct fg_err *err)
{
    struct fg_nearest nearest = {.word = fg_str_from(word)};
    struct fg_policy_facts facts;
    for (size_t i = 0; fg_policies_at(&facts, i); i++)
        fg_nearest_try(&nearest, facts.name);
    if (nearest.name)
        return fg_fail(err, FG_EINPUT, "there is no policy '%s'; did you mean '%s'?",
                       word, nearest.name);
    return fg_fail(err, FG_EINPUT,
                   "there is no policy '%s'; 'forage policies' lists them", word);
}

static enum fg_status check_words(const struct fg_cli *cli, struct fg_err *err)
{
    struct fg_policy_facts facts;
    for (size_t k = 0; k < cli->n_words; k++) {
        size_t i = 0;
        while (fg_policies_at(&facts, i) && strcmp(facts.name, cli->words[k]) != 0)
            i++;
        if (!fg_policies_at(&facts, i))
            return no_policy(cli->words[k], err);
    }
    return FG_OK;
}

static enum fg_status run(struct fg_cli *cli, struct fg_err *err)
{
    const struct options *o = cli->options;
    if (cli->n_words && (o->json || o->man))
        return fg_fail(err, FG_ECONFIG, "--json and --man are of all policies");
    enum fg_status st = check_words(cli, err);
    if (!st && o->man)
        fg_man_policies(cli);
    if (st || o->man)
        return st;
    struct fg_policy_facts facts;
    bool is_next = false;
    for (size_t i = 0; !o->json && fg_policies_at(&facts, i); i++) {
        if (!is_asked_for(cli, facts.name))
            continue;
        fg_out_puts(&cli->out, is_next ? "\n" : "");
        is_next = true;
        (o->markdown ? print_markdown : print_policy)(&cli->out, &facts);
    }
    if (o->json)
        print_json(&cli->out);
    return FG_OK;
}

static const struct fg_example examples[] = {
    {"forage policies", "what each does, its paper and its parameters"},
    {"forage policies thompson kab5", "only these"},
    {"forage policies --json", "for a script"},
    {0},
};

const struct fg_command fg_cmd_policies = {
    .name = "policies",
    .words = "[NAME...]",
    .summary = "list the policies, their papers and parameters",
    .about =
        "A policy decides which sources to look at for new pages (discovery), which "
        "documents to fetch again (refresh), which results come first (ranking) or "
        "which advertisements stand beside them (advertising). Choose one with "
        "policy.discovery, policy.refresh, search.ranking and ads.policy. Parameters "
        "of the first two are set with policy.params, such as --policy-params "
        "alpha=0.5,beta=2; those of ranking are search.degree and search.start; "
        "experiments of the lab set them all.",
    .max_words = 100,
    .options = options,
    .options_size = sizeof(struct options),
    .examples = examples,
    .run = run,
};
