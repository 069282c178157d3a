/* Addresses that are shown have nothing in them that is nobody's business. */
#include "net/url/discreet.h"
#include "test.h"

static void passwords_and_tokens_are_not_shown(void **state)
{
    (void)state;
    static const char *const cases[][2] = {
        {"plain text, a=b@c", "plain text, a=b@c"},
        {"http://proxy.example:3128", "http://proxy.example:3128"},
        {"http://me:pa@ss@proxy.example:3128/", "http://***@proxy.example:3128/"},
        {"hook=https://hooks.example/services/T02AB/B77/h4x8k2Lq9ZpRw7YtAA",
         "hook=https://hooks.example/services/T02AB/B77/***"},
        {"https://a.example/api?token=abc&x", "https://a.example/api?token=***&***"},
        {"https://a.example/x#key", "https://a.example/x#***"},
        {"https://a.example/2026/11/a-long-title-of-an-article-of-2026",
         "https://a.example/2026/11/a-long-title-of-an-article-of-2026"},
        {"a=smtp://u:p@m.example,b=https://c@d.example/e",
         "a=smtp://***@m.example,b=https://***@d.example/e"},
        {"://", "://"},
        {"https://", "https://"},
        {"https://@", "https://@"},
    };
    struct fg_arena arena = {0};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_str(fg_discreet(&arena, fg_str_from(cases[i][0])), cases[i][1]);
    fg_arena_clear(&arena);
}

FG_TESTS(passwords_and_tokens_are_not_shown)
