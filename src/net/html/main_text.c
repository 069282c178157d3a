#include "net/html/main_text.h"

#include "base/vec.h"
#include "net/html/noise.h"
#include "net/text/prose.h"
#include "net/text/words.h"

enum {
    TEXT_MAX = 1 << 20,
    BLOCKS_MAX = 20000,
    LEAST_MAIN_WORDS = 30, /* that a main element must have to be believed */
    SENTENCE_WORDS = 16,   /* in longer blocks figures count */
    FEW_WORDS = 50,        /* of content: then all that is not linked is */
    SHORT_PAGE = 200,      /* words, of which at least half are content */
};

/* What holds for an element and all that is in it. */
enum region {
    ASIDE = 1, /* marked as something else than content */
    LINKED = 2,
    MAIN = 4,
};

struct block {
    size_t first, end; /* in the text */
    unsigned region;
    size_t words, linked;
};

struct reader {
    struct fg_arena *arena;
    struct fg_prose text;
    FG_VEC(struct block) blocks;
    struct block open;   /* the one being filled */
    size_t linked_until; /* end of what has been counted of it */
    uint8_t region[FG_NEST_MAX];
    struct fg_walk walk;
};

/* --- blocks --- */

static struct fg_str text_of(const struct reader *r, size_t first, size_t end)
{
    return fg_str_sub(fg_prose_str(&r->text), first, end);
}

static struct fg_str block_text(const struct reader *r, const struct block *block)
{
    return fg_str_trim(text_of(r, block->first, block->end));
}

/* The words since the last look, which are in a link or not. */
static void count_open(struct reader *r, bool is_linked)
{
    size_t n = fg_words_count(text_of(r, r->linked_until, r->text.len));
    r->open.words += n;
    r->open.linked += is_linked ? n : 0;
    r->linked_until = r->text.len;
}

static unsigned region_now(const struct reader *r)
{
    return r->region[r->walk.depth];
}

static void end_block(struct reader *r, unsigned region)
{
    count_open(r, region & LINKED);
    r->open.end = r->text.len;
    if (r->open.words && r->blocks.len < BLOCKS_MAX)
        fg_vec_push_in(r->arena, &r->blocks, r->open);
    r->open = (struct block){.first = r->text.len};
    fg_prose_break(&r->text, FG_PROSE_LINE);
}

/* --- elements --- */

static unsigned region_of_role(const struct fg_html_token *token)
{
    static const struct fg_str of_the_page[] = {{"navigation", 10},
                                                {"banner", 6},
                                                {"contentinfo", 11},
                                                {"complementary", 13},
                                                {"search", 6}};
    struct fg_str role;
    if (!fg_html_may_have(token, FG_STR("role")) ||
        !fg_html_attr(token, FG_STR("role"), &role))
        return 0;
    role = fg_str_trim(role);
    for (size_t i = 0; i < sizeof of_the_page / sizeof *of_the_page; i++)
        if (fg_str_eq_nocase(role, of_the_page[i]))
            return ASIDE;
    return fg_str_eq_nocase(role, FG_STR("main")) ? MAIN : 0;
}

static bool is_article_body(const struct fg_html_token *token)
{
    struct fg_str value;
    return fg_html_may_have(token, FG_STR("itemprop")) &&
           fg_html_attr(token, FG_STR("itemprop"), &value) &&
           fg_str_eq_nocase(fg_str_trim(value), FG_STR("articleBody"));
}

static unsigned region_of(const struct fg_html_token *token)
{
    switch (token->tag) {
    case FG_TAG_NAV:
    case FG_TAG_ASIDE:
    case FG_TAG_FOOTER:
    case FG_TAG_BUTTON:
    case FG_TAG_SELECT:
    case FG_TAG_MENU:
        return ASIDE;
    case FG_TAG_A:
        return LINKED;
    case FG_TAG_MAIN:
    case FG_TAG_ARTICLE:
        return MAIN;
    default:
        break;
    }
    unsigned region = region_of_role(token);
    return region || !is_article_body(token) ? region : MAIN;
}

static bool parts_blocks(enum fg_tag tag)
{
    return fg_tag_traits[tag] & FG_TRAIT_BLOCK || tag == FG_TAG_TD || tag == FG_TAG_TH;
}

static void on_element(struct reader *r, bool is_open)
{
    const struct fg_html_token *token = &r->walk.token;
    size_t outer = is_open ? r->walk.depth - 1 : r->walk.depth;
    unsigned region = r->region[outer] | region_of(token);
    if (is_open && fg_walk_is_hidden(&r->walk))
        fg_walk_hide(&r->walk);
    if (parts_blocks(token->tag) || (region ^ r->region[outer]) & (ASIDE | MAIN))
        end_block(r, r->region[outer]);
    else if (region != r->region[outer])
        count_open(r, r->region[outer] & LINKED);
    if (is_open)
        r->region[r->walk.depth] = (uint8_t)region;
}

/* The token is the end tag, or the start tag that ended the element: a block as well. */
static void on_close(struct reader *r)
{
    unsigned region = region_now(r), outer = r->region[r->walk.depth - 1];
    if (parts_blocks(r->walk.token.tag) || (region ^ outer) & (ASIDE | MAIN))
        end_block(r, region);
    else if (region != outer)
        count_open(r, region & LINKED);
}

static void on_text(struct reader *r)
{
    if (!fg_walk_is_seen(&r->walk))
        return;
    fg_walk_add_text(&r->walk, &r->text);
    r->open.region = region_now(r);
}

/* --- content --- */

static double link_share(const struct block *block)
{
    return block && block->words ? (double)block->linked / (double)block->words : 0;
}

static size_t words_of(const struct block *block)
{
    return block ? block->words : 0;
}

static bool is_linked(const struct block *block)
{
    return link_share(block) > 0.333333;
}

/* The tree of the paper, with its figures. */
static bool is_content(const struct block *before, const struct block *block,
                       const struct block *behind)
{
    if (is_linked(block))
        return false;
    if (link_share(before) > 0.555556)
        return block->words > 40 || words_of(behind) > 17;
    return block->words > 16 || words_of(behind) > 15 || words_of(before) > 4;
}

static size_t count_region(const struct reader *r, unsigned region)
{
    size_t n = 0;
    for (size_t i = 0; i < r->blocks.len; i++)
        if (r->blocks.at[i].region & region && !(r->blocks.at[i].region & ASIDE))
            n += r->blocks.at[i].words - r->blocks.at[i].linked;
    return n;
}

static void add_words(struct fg_main_text *main, const struct fg_word *words, size_t n,
                      bool is_short)
{
    for (size_t i = 0; i < n; i++)
        if (words[i].kind == FG_WORD || (words[i].kind == FG_FIGURE && !is_short))
            main->hash = fg_fold_product(main->hash ^ words[i].hash,
                                         UINT64_C(0x9E3779B97F4A7C15) + main->words++);
}

static void add_block(struct fg_main_text *main, struct fg_str text,
                      size_t words_in_block)
{
    struct fg_words words;
    struct fg_word some[256];
    size_t n;
    bool is_short = words_in_block <= SENTENCE_WORDS;
    fg_words_init(&words);
    fg_words_feed(&words, text);
    while ((n = fg_words_take(&words, some, sizeof some / sizeof *some)))
        add_words(main, some, n, is_short);
    fg_words_finish(&words);
    while ((n = fg_words_take(&words, some, sizeof some / sizeof *some)))
        add_words(main, some, n, is_short);
}

/* Leaves the blocks that may be content, in order: those of the main element, if there is
 * one, without noise, so that it is not taken for the neighbour of anything. */
static void drop_others(struct reader *r, const struct fg_noise *noise)
{
    unsigned wanted = count_region(r, MAIN) >= LEAST_MAIN_WORDS ? MAIN : 0;
    size_t n = 0;
    for (size_t i = 0; i < r->blocks.len; i++) {
        struct block block = r->blocks.at[i];
        if (!(block.region & ASIDE) && (block.region & wanted) == wanted &&
            !fg_noise_is_line(noise, block_text(r, &block)))
            r->blocks.at[n++] = block;
    }
    r->blocks.len = n;
}

/* The figures of the tree are those of articles. A notice of two lines has its news in
 * any of them, so where little is found, all that is not linked is content. */
static bool is_too_little(size_t found, size_t unlinked)
{
    return found < FEW_WORDS || (unlinked < SHORT_PAGE && found < unlinked / 2);
}

/* Leaves the blocks to be kept, in order. */
static void keep_content(struct reader *r)
{
    size_t n = r->blocks.len, found = 0, unlinked = 0;
    struct block *at = r->blocks.at;
    bool *is_kept = FG_NEW(r->arena, bool, n + 1);
    for (size_t i = 0; i < n; i++) {
        is_kept[i] =
            is_content(i ? &at[i - 1] : NULL, &at[i], i + 1 < n ? &at[i + 1] : NULL);
        found += is_kept[i] ? at[i].words : 0;
        unlinked += is_linked(&at[i]) ? 0 : at[i].words;
    }
    bool takes_unlinked = is_too_little(found, unlinked);
    r->blocks.len = 0;
    for (size_t i = 0; i < n; i++)
        if (is_kept[i] || !found || (takes_unlinked && !is_linked(&at[i])))
            at[r->blocks.len++] = at[i];
}

static void write_text(struct reader *r, struct fg_main_text *main)
{
    size_t len = 0;
    char *out = fg_arena_bytes(r->arena, r->text.len + r->blocks.len + 1);
    for (size_t i = 0; i < r->blocks.len; i++) {
        struct fg_str text = block_text(r, &r->blocks.at[i]);
        add_block(main, text, r->blocks.at[i].words);
        if (len)
            out[len++] = '\n';
        memcpy(out + len, text.at, text.len);
        len += text.len;
    }
    main->text = (struct fg_str){out, len};
}

static void read_main(struct fg_main_text *main, struct fg_arena *arena,
                      struct fg_str html, const struct fg_noise *noise,
                      const struct fg_main_text_watcher *watcher)
{
    struct reader *r = FG_NEW(arena, struct reader, 1);
    *main = (struct fg_main_text){0};
    r->arena = arena;
    fg_prose_init(&r->text, TEXT_MAX);
    fg_walk_init(&r->walk, html);
    for (enum fg_walk_step step; (step = fg_walk_next(&r->walk));) {
        if (step == FG_WALK_OPEN || step == FG_WALK_EMPTY)
            on_element(r, step == FG_WALK_OPEN);
        else if (step == FG_WALK_CLOSE)
            on_close(r);
        else
            on_text(r);
        if (watcher)
            watcher->see(watcher->context, &r->walk, step);
    }
    end_block(r, r->region[0]);
    drop_others(r, noise);
    keep_content(r);
    write_text(r, main);
    fg_prose_clear(&r->text);
}

void fg_main_text_read(struct fg_main_text *main, struct fg_arena *arena,
                       struct fg_str html)
{
    read_main(main, arena, html, NULL, NULL);
}

void fg_main_text_read_without(struct fg_main_text *main, struct fg_arena *arena,
                               struct fg_str html, const struct fg_noise *noise)
{
    read_main(main, arena, html, noise, NULL);
}

void fg_main_text_read_watched(struct fg_main_text *main, struct fg_arena *arena,
                               struct fg_str html,
                               const struct fg_main_text_watcher *watcher)
{
    read_main(main, arena, html, NULL, watcher);
}
