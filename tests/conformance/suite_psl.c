/* The test vectors of publicsuffix.org against the list they came with. */
#include "conformance/suite.h"

#include "base/buf.h"
#include "net/url/domain.h"
#include "net/url/host.h"

#include <stdio.h>

/* Hosts reach us as the URL parser writes them: lower case, in ASCII. */
static struct fg_str as_host(struct suite *suite, struct fg_str name)
{
    struct fg_buf out;
    fg_buf_init(&out, 4096);
    struct fg_str host = {"", 0};
    if (name.len && fg_host_parse(&out, name, FG_HOST_DOMAIN))
        host = fg_arena_dup(&suite->arena, fg_buf_str(&out));
    fg_buf_clear(&out);
    return host;
}

static void run_cases(struct suite *suite, const struct fg_domain_list *list)
{
    json_t *cases = suite_json(suite, "test_psl.json"), *test;
    size_t i;
    json_array_foreach(cases, i, test)
    {
        struct fg_str input = as_host(suite, suite_str(test, "input"));
        struct fg_str expected = as_host(suite, suite_str(test, "registrable"));
        struct fg_str got = fg_domain_registrable_in(list, input);
        suite_case(suite, fg_str_eq(got, expected), "%.*s", FG_ARG(input));
        if (!fg_str_eq(got, expected))
            suite_detail(suite, "expected %.*s, got %.*s", FG_ARG(expected), FG_ARG(got));
    }
    json_decref(cases);
}

static void run(struct suite *suite)
{
    struct fg_domain_list *list;
    struct fg_err err;
    if (!suite_has(suite, "test_psl.json") ||
        !suite_has(suite, "public_suffix_list.dat")) {
        printf("%s: no test_psl.json and list, not run\n", suite->folder);
        return;
    }
    suite_part(suite, "test_psl");
    struct fg_str path =
        fg_arena_printf(&suite->arena, "%s/public_suffix_list.dat", suite->folder);
    if (fg_domain_list_load(&list, path.at, &err)) {
        suite_case(suite, false, "loading: %s", err.text);
        return;
    }
    run_cases(suite, list);
    fg_domain_list_free(list);
}

int main(void)
{
    return suite_main("psl", run);
}
