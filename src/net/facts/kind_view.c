/* kind_view.c - links of a page that lead to the page itself
 *
 * A topic of a forum has one short post and, around it, links to reply, quote, print,
 * report and to each post by itself. They say nothing about whether the page is a list.
 * "Carries the page's number" is not enough by itself: on "forum?f=2" all topics are
 * "topic?f=2&t=12". So a link that has a number of its own counts as a view only if its
 * address is that of an action, a further page or another order. */
#include "net/facts/kind_parts.h"

/* A number or a number in words: "407", "p407", "12.msg45". */
static bool has_digit(struct fg_str s)
{
    for (size_t i = 0; i < s.len; i++)
        if (fg_is_digit(s.at[i]))
            return true;
    return false;
}

static bool has_param(const struct fg_address_parts *parts,
                      const struct fg_address_param *param)
{
    for (size_t i = 0; i < parts->n_params; i++)
        if (fg_str_eq(parts->params[i].name, param->name) &&
            fg_str_eq(parts->params[i].value, param->value))
            return true;
    return false;
}

static bool has_params(const struct fg_address_parts *link,
                       const struct fg_address_parts *page)
{
    for (size_t i = 0; i < page->n_params; i++)
        if (!has_param(link, &page->params[i]))
            return false;
    return true;
}

/* Is a value of the page's own: of a parameter, or the last segment of its path? */
static bool is_own_value(const struct fg_address_parts *page, struct fg_str value)
{
    for (size_t i = 0; i < page->n_params; i++)
        if (fg_str_eq(page->params[i].value, value))
            return true;
    return page->n && fg_str_eq(fg_segment_stem(page->segments[page->n - 1]), value);
}

/* Has it a number of the page, and none that the page has not? */
static bool has_only_its_number(const struct fg_address_parts *link,
                                const struct fg_address_parts *page)
{
    size_t n = 0;
    for (size_t i = 0; i < link->n_params; i++) {
        struct fg_str value = link->params[i].value;
        bool is_own = fg_is_digits(value) && is_own_value(page, value);
        if (!is_own && has_digit(value))
            return false;
        n += is_own;
    }
    for (size_t i = 0; i < link->n; i++)
        if (has_digit(link->segments[i]) && !is_own_value(page, link->segments[i]))
            return false;
    return n > 0;
}

static bool is_below(const struct fg_address_parts *link,
                     const struct fg_address_parts *page)
{
    if (!page->n || page->n_params || link->n <= page->n)
        return false;
    for (size_t i = 0; i < page->n; i++)
        if (!fg_str_eq(link->segments[i], page->segments[i]))
            return false;
    return true;
}

static struct fg_str site_of(struct fg_str url)
{
    size_t host = fg_str_find(url, FG_STR("://"));
    struct fg_str rest = host == FG_NOT_FOUND ? url : fg_str_skip(url, host + 3);
    size_t slash = 0;
    while (slash < rest.len && rest.at[slash] != '/' && rest.at[slash] != '?')
        slash++;
    return fg_str_sub(rest, 0, slash);
}

bool fg_address_is_view_of(struct fg_str url, struct fg_str page_url)
{
    struct fg_address_parts link, page;
    if (!fg_str_eq_nocase(site_of(url), site_of(page_url)))
        return false;
    fg_address_take_apart(&link, url);
    fg_address_take_apart(&page, page_url);
    bool is_same_path = fg_str_eq(link.path, page.path);
    bool is_same = is_same_path && has_params(&link, &page);
    if (is_same && link.n_params == page.n_params)
        return true;
    bool has_number = has_only_its_number(&link, &page);
    if (has_number && !is_same_path)
        return true;
    if (!is_same && !is_below(&link, &page) && !has_number)
        return false;
    return fg_kind_of_address(url).kind == FG_KIND_ACTION ||
           (is_same && (fg_address_is_continuation(url) || fg_address_is_variant(url)));
}
