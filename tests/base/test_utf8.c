#include "test.h"

#include "base/utf8.h"

/* The table of well-formed sequences of the Unicode Standard (table 3-7), written out:
 * slow, and independent of the automaton it is compared with. */
static size_t sequence_len(const unsigned char *p, size_t n)
{
    static const struct {
        unsigned char low[4], high[4];
        size_t len;
    } rows[] = {
        {{0x00}, {0x7F}, 1},
        {{0xC2, 0x80}, {0xDF, 0xBF}, 2},
        {{0xE0, 0xA0, 0x80}, {0xE0, 0xBF, 0xBF}, 3},
        {{0xE1, 0x80, 0x80}, {0xEC, 0xBF, 0xBF}, 3},
        {{0xED, 0x80, 0x80}, {0xED, 0x9F, 0xBF}, 3},
        {{0xEE, 0x80, 0x80}, {0xEF, 0xBF, 0xBF}, 3},
        {{0xF0, 0x90, 0x80, 0x80}, {0xF0, 0xBF, 0xBF, 0xBF}, 4},
        {{0xF1, 0x80, 0x80, 0x80}, {0xF3, 0xBF, 0xBF, 0xBF}, 4},
        {{0xF4, 0x80, 0x80, 0x80}, {0xF4, 0x8F, 0xBF, 0xBF}, 4},
    };
    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
        size_t i = 0;
        while (i < rows[r].len && i < n && p[i] >= rows[r].low[i] &&
               p[i] <= rows[r].high[i])
            i++;
        if (i == rows[r].len)
            return i;
    }
    return 0;
}

static size_t slow_valid_len(struct fg_str s)
{
    size_t i = 0, n;
    while (i < s.len &&
           (n = sequence_len((const unsigned char *)s.at + i, s.len - i)) > 0)
        i += n;
    return i;
}

static void valid_len_agrees_with_the_table_for_every_pair_and_place(void **state)
{
    (void)state;
    static const size_t places[] = {0, 11, 12, 13, 14, 15, 16, 30}; /* around a block */
    char text[40];
    for (size_t i = 0; i < sizeof places / sizeof *places; i++)
        for (unsigned pair = 0; pair < 0x10000; pair++) {
            size_t place = places[i];
            memset(text, 'a', sizeof text);
            text[place] = (char)(pair >> 8);
            text[place + 1] = (char)pair;
            text[place + 2] = (char)0x80;
            text[place + 3] = (char)0xBF;
            struct fg_str s = {text, sizeof text};
            assert_true(fg_utf8_valid_len(s) == slow_valid_len(s));
            s.len = place + 2;
            assert_true(fg_utf8_valid_len(s) == slow_valid_len(s));
        }
}

/* Mostly valid text, so that long runs are reached, with a byte broken now and then. */
static void valid_len_agrees_with_the_table_on_random_text(void **state)
{
    (void)state;
    static const char *const parts[] = {"a",
                                        "plain ascii of some length",
                                        "\xC3\xA9",
                                        "\xE4\xB8\xAD",
                                        "\xF0\x9F\x98\x80",
                                        "\xED\x9F\xBF",
                                        "\xE0\xA0\x80",
                                        "\xF4\x8F\xBF\xBF"};
    uint64_t seed = 1;
    for (int round = 0; round < 20000; round++) {
        char text[256];
        size_t len = 0;
        while (len < 200) {
            seed = seed * 6364136223846793005u + 1442695040888963407u;
            const char *part = parts[seed >> 61];
            memcpy(text + len, part, strlen(part));
            len += strlen(part);
        }
        if (round % 2)
            text[(seed >> 20) % len] = (char)(seed >> 40);
        struct fg_str s = {text, len};
        assert_true(fg_utf8_valid_len(s) == slow_valid_len(s));
    }
}

static void repair_gives_one_mark_for_each_maximal_part(void **state)
{
    (void)state;
    /* The example of the Unicode Standard (section 3.9), and its neighbours. */
    static const struct {
        const char *in, *out;
    } cases[] = {
        {"a\xF1\x80\x80\xE1\x80\xC2"
         "b\x80"
         "c\x80\xBF"
         "d",
         "a\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD"
         "b\xEF\xBF\xBD"
         "c\xEF\xBF\xBD\xEF\xBF\xBD"
         "d"},
        {"\xC0\xAF", "\xEF\xBF\xBD\xEF\xBF\xBD"},
        {"\xED\xA0\x80", "\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD"},
        {"\xF4\x91\x92\x93", "\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD"},
        {"\xE2\x82", "\xEF\xBF\xBD"},
        {"\xF0\x9F\x98<", "\xEF\xBF\xBD<"},
        {"", ""},
    };
    struct fg_arena arena = {0};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct fg_str in = fg_str_from(cases[i].in);
        struct fg_str out = fg_utf8_clean(&arena, in);
        assert_str(out, cases[i].out);
        assert_true(fg_utf8_is_valid(out));
    }
    fg_arena_clear(&arena);
}

static void clean_copies_only_what_is_broken(void **state)
{
    (void)state;
    struct fg_arena arena = {0};
    struct fg_str good = FG_STR("gr\xC3\xBC\xC3\x9F dich"),
                  bad = FG_STR("gr\xFC\xDF dich");
    assert_ptr_equal(fg_utf8_clean(&arena, good).at, good.at);
    assert_int_equal(arena.used_bytes, 0);
    struct fg_str mended = fg_utf8_clean(&arena, bad);
    assert_str(mended, "gr\xEF\xBF\xBD\xEF\xBF\xBD dich");
    assert_int_equal(arena.used_bytes, mended.len); /* what was too much was given back */
    fg_arena_clear(&arena);
}

static void ascii_is_counted_across_blocks(void **state)
{
    (void)state;
    char text[64];
    for (size_t high = 0; high < sizeof text; high++) {
        memset(text, 'x', sizeof text);
        text[high] = (char)0x80;
        assert_int_equal(fg_ascii_len((struct fg_str){text, sizeof text}), high);
        assert_int_equal(fg_ascii_misses((struct fg_str){text, sizeof text}), 1);
        assert_int_equal(fg_ascii_len((struct fg_str){text, high}), high);
    }
    assert_int_equal(fg_ascii_len((struct fg_str){0}), 0);
}

static void put_and_take_are_inverse(void **state)
{
    (void)state;
    for (uint32_t c = 0; c < 0x110000; c++) {
        char bytes[4];
        size_t n = fg_utf8_put(bytes, c);
        const char *at = bytes;
        uint32_t expected = c >= 0xD800 && c <= 0xDFFF ? 0xFFFD : c;
        assert_true(fg_utf8_take(&at, bytes + n) == expected);
        assert_ptr_equal(at, bytes + n);
        assert_true(fg_utf8_is_valid((struct fg_str){bytes, n}));
    }
}

FG_TESTS(valid_len_agrees_with_the_table_for_every_pair_and_place,
         valid_len_agrees_with_the_table_on_random_text,
         repair_gives_one_mark_for_each_maximal_part, clean_copies_only_what_is_broken,
         ascii_is_counted_across_blocks, put_and_take_are_inverse)
