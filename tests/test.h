/* test.h - what every unit test includes
 *
 *     static void str_cut_keeps_empty_parts(void **state) { ... assert_true(...); }
 *     FG_TESTS(str_cut_keeps_empty_parts, ...)
 *
 * A test is named as a claim. With T=word in the environment only the tests whose file or
 * name contains that word run. */
#ifndef FG_TESTS_TEST_H
#define FG_TESTS_TEST_H

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/str.h"

/* Compare a view with what it should say, and show both when they differ. */
#define assert_str(actual, expected) \
    assert_str_at((actual), (expected), __FILE__, __LINE__)

static inline void assert_str_at(struct fg_str actual, const char *expected,
                                 const char *file, int line)
{
    if (fg_str_eq(actual, fg_str_from(expected)))
        return;
    print_error("expected \"%s\"\n     got \"%.*s\"\n", expected, FG_ARG(actual));
    _fail(file, line);
}

/* |actual - expected| <= tolerance */
#define assert_near(actual, expected, tolerance) \
    assert_near_at((actual), (expected), (tolerance), __FILE__, __LINE__)

static inline void assert_near_at(double actual, double expected, double tolerance,
                                  const char *file, int line)
{
    if (fabs(actual - expected) <= tolerance)
        return;
    print_error("expected %.17g within %g\n     got %.17g\n", expected, tolerance,
                actual);
    _fail(file, line);
}

#define FG_TESTS(...)                                                \
    int main(void)                                                   \
    {                                                                \
        static const CMUnitTestFunction functions[] = {__VA_ARGS__}; \
        static const char names[] = #__VA_ARGS__;                    \
        return fg_test_main(__FILE__, functions, names,              \
                            sizeof functions / sizeof *functions);   \
    }

/* The names arrive as one text, "a, b, c": the price of not writing each one twice. */
static inline int fg_test_main(const char *file, const CMUnitTestFunction *functions,
                               const char *names, size_t n)
{
    struct CMUnitTest *tests = calloc(n, sizeof *tests);
    char *text = strdup(names), *rest = text;
    const char *only = getenv("T");
    size_t chosen = 0;
    for (size_t i = 0; i < n; i++) {
        char *name = strsep(&rest, ",");
        name += strspn(name, " \n\\");
        if (!only || !*only || strstr(file, only) || strstr(name, only))
            tests[chosen++] =
                (struct CMUnitTest){.name = name, .test_func = functions[i]};
    }
    int failed = chosen ? _cmocka_run_group_tests(file, tests, chosen, NULL, NULL) : 0;
    free(text);
    free(tests);
    return failed;
}

#endif
