/* problems.c - what is wrong with what was read: lines of a file, as imports tell it, and
 * a document, as feed and sitemap do */
#include "cli/cli.h"

#include "base/file.h"
#include "base/plain.h"
#include "net/feed/xml.h"

#include <stdio.h>

void fg_cli_complain(const struct fg_cli *cli, const char *file, size_t line,
                     const char *words)
{
    struct fg_buf text;
    fg_buf_init(&text, 4096);
    fg_plain_add(&text, fg_str_from(words));
    fprintf(stderr, "forage %s: %s:", cli->command->name, file);
    if (line)
        fprintf(stderr, "%zu:", line);
    fprintf(stderr, " %.*s\n", (int)text.len, text.at);
    fg_buf_clear(&text);
}

void fg_cli_count_wrong(const struct fg_cli *cli, const char *path, size_t line,
                        const char *words, size_t *wrong)
{
    enum { MOST_COMPLAINTS = 20 };
    if (++*wrong <= MOST_COMPLAINTS)
        fg_cli_complain(cli, fg_file_name(path), line, words);
}

void fg_out_problem(struct fg_out *out, int width, unsigned line, const char *what)
{
    fg_out_printf(out, "%-*s ", width, "problem");
    if (line)
        fg_out_printf(out, "line %u: ", line);
    fg_out_text(out, fg_str_from(what));
}

void fg_out_xml_problems(struct fg_out *out, int width, const struct fg_xml_problems *xml)
{
    for (int i = 0; i < FG_XML_PROBLEMS; i++) {
        if (!xml->line[i])
            continue;
        fg_out_problem(out, width, xml->line[i],
                       fg_xml_problem_text((enum fg_xml_problem)i));
        fg_out_puts(out, "\n");
    }
}

void fg_json_problem(struct fg_json *json, unsigned line, const char *what)
{
    fg_json_pair_cstr(json, "what", what);
    fg_json_key(json, "line");
    if (line)
        fg_json_uint(json, line);
    else
        fg_json_null(json);
}

void fg_json_xml_problems(struct fg_json *json, const struct fg_xml_problems *xml)
{
    for (int i = 0; i < FG_XML_PROBLEMS; i++) {
        if (!xml->line[i])
            continue;
        fg_json_object(json);
        fg_json_problem(json, xml->line[i], fg_xml_problem_text((enum fg_xml_problem)i));
        fg_json_end(json);
    }
}
