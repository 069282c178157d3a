#include "cli/help/man.h"

#include "view/policies.h"

/* A line of text: nothing in it is a macro or an escape. Sentences end their lines, or
 * the width of the blank behind them would be a guess. */
static void put_text(struct fg_out *out, struct fg_str text)
{
    if (text.len && (text.at[0] == '.' || text.at[0] == '\''))
        fg_out_puts(out, "\\&");
    for (size_t i = 0; i < text.len; i++) {
        bool ends = text.at[i] == ' ' && i && (text.at[i - 1] == '.') &&
                    i + 1 < text.len && text.at[i + 1] >= 'A' && text.at[i + 1] <= 'Z';
        if (ends)
            fg_out_puts(out, "\n");
        else if (text.at[i] == '\\')
            fg_out_puts(out, "\\e");
        else
            fg_out_printf(out, "%c", text.at[i]);
    }
    fg_out_puts(out, "\n");
}

/* An argument of a macro: what is short may be a macro's name, what is empty is none. */
static void put_argument(struct fg_out *out, const char *text)
{
    fg_out_puts(out, " \\&");
    for (; *text; text++)
        if (*text == '\\')
            fg_out_puts(out, "\\e");
        else if (*text == '"')
            fg_out_puts(out, "\\(dq");
        else if (*text == ' ')
            fg_out_puts(out, "\\ ");
        else
            fg_out_printf(out, "%c", *text);
}

static void put_flag(struct fg_cli *cli, const struct fg_opt *opt)
{
    struct fg_out *out = &cli->out;
    const char *arg = fg_opt_arg(opt);
    fg_out_puts(out, ".It");
    if (opt->letter)
        fg_out_printf(out, " Fl %c ,", opt->letter);
    fg_out_puts(out, " Fl Fl");
    fg_out_printf(out, " %s", fg_opt_flag(cli->arena, opt).at + 2);
    if (arg) {
        fg_out_puts(out, " Ar");
        put_argument(out, arg);
    }
    fg_out_puts(out, "\n");
    put_text(out, fg_arena_printf(cli->arena, "%s%.*s", opt->help,
                                  FG_ARG(fg_opt_limits(cli->arena, opt))));
}

static void put_command(struct fg_cli *cli, const struct fg_command *command)
{
    if (!command->options)
        return;
    fg_out_printf(&cli->out, ".Ss forage %s\n.Bl -tag -width Ds\n", command->name);
    for (const struct fg_opt *opt = command->options; opt->name; opt++)
        put_flag(cli, opt);
    fg_out_puts(&cli->out, ".El\n");
}

void fg_man_flags(struct fg_cli *cli)
{
    fg_out_puts(&cli->out, ".Sh FLAGS\nBesides those that every command takes.\n");
    for (size_t i = 0; cli->commands[i]; i++) {
        put_command(cli, cli->commands[i]);
        const struct fg_command *const *parts = cli->commands[i]->parts;
        for (size_t j = 0; parts && parts[j]; j++)
            put_command(cli, parts[j]);
    }
}

/* --- forage-policies(7) --- */

static const char policies_head[] =
    ".Dd November 16, 2026\n"
    ".Dt FORAGE-POLICIES 7\n"
    ".Os\n"
    ".Sh NAME\n"
    ".Nm forage-policies\n"
    ".Nd the ways in which forage chooses what to fetch next\n"
    ".Sh SYNOPSIS\n"
    ".Nm forage Cm run\n"
    ".Op Fl Fl policy-discovery Ar name\n"
    ".Op Fl Fl policy-refresh Ar name\n"
    ".Op Fl Fl policy-params Ar parameter Ns = Ns Ar number , Ns Ar ...\n"
    ".Sh DESCRIPTION\n"
    "A policy is given what earlier visits have shown, and chooses which pages to visit\n"
    "with the budget of the next tick.\n"
    "A discovery policy looks at sources again, that is, at pages that lead to new ones, "
    "so that\n"
    "what is published is found soon.\n"
    "A refresh policy looks at documents again, so that the copies of them are true.\n"
    "A ranking policy puts results of a search in order, and an advertising policy "
    "chooses\n"
    "what is shown beside them; see\n"
    ".Cm search.ranking\n"
    "and\n"
    ".Cm ads.policy .\n"
    "The same policies run live and in\n"
    ".Nm forage Cm lab ,\n"
    "where their choices are compared with what really happened.\n"
    ".Pp\n"
    "They are chosen by the settings\n"
    ".Cm policy.discovery\n"
    "and\n"
    ".Cm policy.refresh ,\n"
    "and their parameters are set by\n"
    ".Cm policy.params ;\n"
    "see\n"
    ".Xr forage.yaml 5 .\n"
    ".Nm forage Cm policies\n"
    "prints what is below.\n"
    "Policies marked as upper bounds know the future and run in the lab only.\n";

static const char policies_foot[] = ".Sh SEE ALSO\n"
                                    ".Xr forage 1 ,\n"
                                    ".Xr forage.yaml 5\n";

static void put_policy(struct fg_out *out, const struct fg_policy_facts *policy)
{
    fg_out_puts(out, ".It Cm");
    put_argument(out, policy->name);
    fg_out_puts(out, policy->is_lab_only ? " Pq upper bound\n" : "\n");
    put_text(out, fg_str_from(policy->summary));
    if (policy->paper) {
        fg_out_puts(out, ".Pp\n");
        put_text(out, fg_str_from(policy->paper));
    }
    if (!policy->params->name)
        return;
    fg_out_puts(out, ".Bl -tag -width Ds -compact\n");
    for (const struct fg_param *param = policy->params; param->name; param++) {
        fg_out_puts(out, ".It Cm");
        put_argument(out, param->name);
        fg_out_printf(out, " = %g Pq %g to %g\n", param->initial, param->least,
                      param->most);
        put_text(out, fg_str_from(param->help));
    }
    fg_out_puts(out, ".El\n");
}

/* Those of a task; of discovery and refresh, which some policies do both, as `is_both`
 * says. */
static void put_policies(struct fg_out *out, const char *heading, const char *task,
                         bool is_both)
{
    struct fg_policy_facts facts;
    fg_out_printf(out, ".Sh %s\n.Bl -tag -width Ds\n", heading);
    for (size_t i = 0; fg_policies_at(&facts, i); i++)
        if (fg_policy_has_task(&facts, task) && !!facts.tasks[1] == is_both)
            put_policy(out, &facts);
    fg_out_puts(out, ".El\n");
}

void fg_man_policies(struct fg_cli *cli)
{
    fg_out_puts(&cli->out, policies_head);
    put_policies(&cli->out, "DISCOVERY POLICIES", "discovery", false);
    put_policies(&cli->out, "REFRESH POLICIES", "refresh", false);
    put_policies(&cli->out, "POLICIES FOR BOTH", "discovery", true);
    put_policies(&cli->out, "RANKING POLICIES", "ranking", false);
    put_policies(&cli->out, "ADVERTISING POLICIES", "advertising", false);
    fg_out_puts(&cli->out, policies_foot);
}
