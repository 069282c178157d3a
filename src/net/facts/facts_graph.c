/* facts_graph.c - what kind of thing a page says it is about, in the words of schema.org
 * and of common systems
 *
 * Of the things on the top of the markup, under "@graph" and as "mainEntity", the one
 * counts that says it is the page's main thing, or has its address or title; of one kind
 * the only one. A page whose markup names several articles or products and none as its
 * own is a list of them. */
#include "net/facts/facts_parts.h"

#include "net/text/json_tree.h"
#include "net/text/prose.h"
#include "net/text/word_list.h"

enum { THINGS_MAX = 64, LOOKS_MAX = 5000, DEPTH_MAX = 8, NAME_MAX = 400 };

struct thing {
    const json_t *node;
    enum fg_claim claim;
    bool is_main;
};

struct graph {
    const struct fg_page *page;
    struct thing things[THINGS_MAX];
    size_t n, looks;
};

enum fg_claim fg_claim_of_type(struct fg_str type)
{
    type = fg_str_trim(type);
    for (size_t i = type.len; i-- > 0;)
        if (type.at[i] == '/' || type.at[i] == '#' || type.at[i] == ':') {
            type = fg_str_skip(type, i + 1);
            break;
        }
    if (fg_word_in(type, "product productgroup productmodel individualproduct vehicle "
                         "car softwareapplication mobileapplication webapplication "
                         "videogame book movie apartment house"))
        return FG_CLAIM_PRODUCT;
    if (fg_str_ends(type, FG_STR("Article")) || fg_str_ends(type, FG_STR("Posting")) ||
        fg_str_ends(type, FG_STR("Event")) ||
        fg_word_in(type, "recipe howto review report videoobject question qapage "
                         "course dataset podcastepisode tvepisode thesis musicalbum "
                         "musicrecording message emailmessage comment "
                         "specialannouncement claimreview softwaresourcecode chapter "
                         "creativework faqpage scholarlyarticle medicalwebpage"))
        return FG_CLAIM_ARTICLE;
    if (fg_word_in(type, "collectionpage searchresultspage itemlist blog offercatalog "
                         "profilepage datacatalog mediagallery imagegallery "
                         "videogallery collectionitem"))
        return FG_CLAIM_LIST;
    if (fg_word_in(type, "webpage aboutpage contactpage itempage"))
        return FG_CLAIM_OTHER;
    return FG_CLAIM_NONE;
}

/* --- classes of the body --- */

static enum fg_claim claim_of_class(struct fg_str class)
{
    if (fg_word_in(class, "single single-post node-type-article page-node-type-article "
                          "template-article post-template section-viewtopic "
                          "view-article page-node-type-story node--type-article "
                          "type-post"))
        return FG_CLAIM_ARTICLE;
    if (fg_word_in(class, "single-product template-product catalog-product-view "
                          "page-product product-page"))
        return FG_CLAIM_PRODUCT;
    if (fg_word_in(class, "archive search search-results category author blog paged "
                          "post-type-archive woocommerce-shop template-collection "
                          "template-blog template-search catalog-category-view "
                          "catalogsearch-result-index tag-template author-template "
                          "home-template section-viewforum section-index view-category "
                          "view-featured path-taxonomy page-taxonomy path-frontpage "
                          "mw-special-recentchanges ns-special ns-14 home date "
                          "page-taxonomy-term front"))
        return FG_CLAIM_LIST;
    return FG_CLAIM_NONE;
}

/* "home" and "page-template" stand together on a front page with text of its own. */
enum fg_claim fg_claim_of_body(struct fg_str classes)
{
    enum fg_claim claim = FG_CLAIM_NONE;
    struct fg_str class;
    while (fg_str_cut(&classes, ' ', &class)) {
        enum fg_claim next = claim_of_class(fg_str_trim(class));
        if (next && (claim == FG_CLAIM_NONE || next != FG_CLAIM_LIST))
            claim = next;
    }
    return claim;
}

/* --- Open Graph --- */

enum fg_claim fg_claim_of_metas(const struct fg_page *page)
{
    struct fg_str type = fg_facts_meta(page, "og:type");
    if (fg_word_in(type, "article book music.song music.album video.movie "
                         "video.episode video.other video event recipe"))
        return FG_CLAIM_ARTICLE;
    if (fg_word_in(type, "product product.item og:product books.book"))
        return FG_CLAIM_PRODUCT;
    if (fg_word_in(type, "product.group profile"))
        return FG_CLAIM_LIST;
    if (type.len)
        return FG_CLAIM_OTHER;
    return fg_facts_meta(page, "article:published_time").len ? FG_CLAIM_ARTICLE
                                                             : FG_CLAIM_NONE;
}

/* --- JSON-LD --- */

static struct fg_str string_at(const json_t *object, const char *key)
{
    const json_t *value = json_object_get(object, key);
    if (json_is_array(value))
        value = json_array_get(value, 0);
    if (json_is_object(value) && json_object_get(value, "@value"))
        value = json_object_get(value, "@value");
    return json_is_string(value)
               ? (struct fg_str){json_string_value(value), json_string_length(value)}
               : (struct fg_str){0};
}

static enum fg_claim claim_of(const json_t *object)
{
    const json_t *types = json_object_get(object, "@type"), *one;
    enum fg_claim claim = FG_CLAIM_NONE;
    size_t i;
    if (json_is_string(types))
        return fg_claim_of_type(string_at(object, "@type"));
    json_array_foreach(types, i, one)
    {
        struct fg_str type = {json_string_value(one), json_string_length(one)};
        enum fg_claim next = type.at ? fg_claim_of_type(type) : FG_CLAIM_NONE;
        if (next && (!claim || claim == FG_CLAIM_OTHER))
            claim = next;
    }
    return claim;
}

static bool is_about_page(const struct graph *g, const json_t *object)
{
    struct fg_str canonical = g->page->canonical, name = string_at(object, "headline");
    if (!name.len)
        name = string_at(object, "name");
    if (canonical.len && (fg_str_eq(string_at(object, "url"), canonical) ||
                          fg_str_eq(string_at(object, "@id"), canonical) ||
                          fg_str_eq(string_at(object, "mainEntityOfPage"), canonical)))
        return true;
    return name.len > 3 && fg_str_starts(g->page->title, name);
}

static void gather(struct graph *g, const json_t *value, bool is_main, unsigned depth)
{
    const json_t *one;
    size_t i;
    if (depth > DEPTH_MAX || g->looks++ > LOOKS_MAX)
        return;
    json_array_foreach(value, i, one) gather(g, one, is_main, depth + 1);
    if (!json_is_object(value))
        return;
    enum fg_claim claim = claim_of(value);
    if (claim && g->n < THINGS_MAX)
        g->things[g->n++] =
            (struct thing){value, claim, is_main || is_about_page(g, value)};
    gather(g, json_object_get(value, "@graph"), false, depth + 1);
    gather(g, json_object_get(value, "mainEntity"), true, depth + 1);
}

static bool is_single(enum fg_claim claim)
{
    return claim == FG_CLAIM_ARTICLE || claim == FG_CLAIM_PRODUCT;
}

/* Comments and answers are marked up beside what they are about; the first is that. */
static const struct thing *choose(const struct graph *g)
{
    const struct thing *single = NULL, *list = NULL, *other = NULL;
    size_t singles = 0;
    for (size_t i = 0; i < g->n; i++) {
        const struct thing *thing = &g->things[i];
        if (is_single(thing->claim)) {
            singles++;
            if (!single || (thing->is_main && !single->is_main))
                single = thing;
        } else if (thing->claim == FG_CLAIM_LIST && !list) {
            list = thing;
        } else if (thing->claim == FG_CLAIM_OTHER && !other) {
            other = thing;
        }
    }
    /* An article may have a list of others beside it. */
    if (single && (single->is_main || (singles == 1 && !list)))
        return single;
    if (list)
        return list;
    return singles == 1 ? single : singles ? NULL : other;
}

static struct fg_str collapsed(struct fg_arena *arena, struct fg_str text)
{
    struct fg_prose prose;
    fg_prose_init(&prose, NAME_MAX);
    fg_prose_add(&prose, text);
    struct fg_str kept = fg_arena_dup(arena, fg_prose_str(&prose));
    fg_prose_clear(&prose);
    return kept;
}

static struct fg_str first_at(const json_t *object, const char *const *keys)
{
    struct fg_str found = {0};
    for (; *keys && !found.len; keys++)
        found = string_at(object, *keys);
    return found;
}
#define FIRST(object, ...) first_at((object), (const char *const[]){__VA_ARGS__, NULL})

void fg_facts_from_graph(struct fg_facts_thing *thing, struct fg_arena *arena,
                         const struct fg_page *page)
{
    *thing = (struct fg_facts_thing){0};
    if (!page->n_json_ld)
        return;
    json_t *roots = json_array();
    struct graph *g = FG_NEW(arena, struct graph, 1);
    g->page = page;
    for (size_t i = 0; i < page->n_json_ld; i++) {
        json_t *root = fg_json_tree_mended(arena, page->json_ld[i]);
        if (root)
            json_array_append_new(roots, root);
    }
    gather(g, roots, false, 0);
    const struct thing *main = choose(g);
    if (main) {
        thing->claim = main->claim;
        if (is_single(main->claim))
            thing->name = collapsed(arena, FIRST(main->node, "headline", "name"));
        thing->published =
            fg_arena_dup(arena, FIRST(main->node, "datePublished", "dateCreated",
                                      "uploadDate", "datePosted", "releaseDate"));
        thing->modified = fg_arena_dup(arena, FIRST(main->node, "dateModified"));
        thing->happens = json_object_get(main->node, "startDate");
    } else if (g->n) {
        thing->claim = FG_CLAIM_LIST; /* several, none of them its own */
    }
    json_decref(roots);
}

enum fg_claim fg_claim_of_items(const unsigned n[FG_CLAIM_OTHER + 1])
{
    if (n[FG_CLAIM_ARTICLE] > 2 || n[FG_CLAIM_PRODUCT] > 2)
        return FG_CLAIM_LIST;
    return n[FG_CLAIM_PRODUCT]   ? FG_CLAIM_PRODUCT
           : n[FG_CLAIM_ARTICLE] ? FG_CLAIM_ARTICLE
                                 : FG_CLAIM_NONE;
}
