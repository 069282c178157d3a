/* feed_comment.c - which entries of a feed are about a page and not the page itself
 *
 * An entry that links to a place within a page ("/post/#comment-17") is a comment if the
 * feed says so: by its title, by that of the entry, by thr:in-reply-to, or by the name of
 * the place. Otherwise it is one if another entry leads to the same page, but for feeds
 * of a page's parts (feed_own.c), and none if the address names the place as well:
 * "viewtopic.php?p=1800#p1800" is a page for a post.
 * wfw:comment and its kin say nothing: they stand in entries that can be commented on. */
#include "net/feed/feed.h"

#include "base/map.h"

static bool starts_with_any(struct fg_str text, const char *const *starts)
{
    for (; *starts; starts++)
        if (fg_str_starts_nocase(text, fg_str_from(*starts)))
            return true;
    return false;
}

static bool has_any(struct fg_str text, const char *const *words)
{
    for (; *words; words++)
        if (fg_str_find(text, fg_str_from(*words)) != FG_NOT_FOUND)
            return true;
    return false;
}

/* "Comments for The Site", "Recent comments" */
static bool is_feed_of_comments(const struct fg_feed *feed)
{
    static const char *const words[] = {
        "Comments",    "comments",    "Kommentare", "Commentaires", "commentaires",
        "Comentarios", "comentarios", "Commenti",   "commenti",     "Comentários",
        "comentários", "Reacties",    "reacties",   "Kommentarer",  "kommentarer",
        "Komentarze",  "komentarze",  NULL};
    return has_any(feed->about.texts[FG_FEED_TITLE].value, words);
}

/* "Comment on What happened by Ann", "By: Ann", "The board • Re: A topic" */
static bool is_title_of_comment(struct fg_str title)
{
    static const char *const starts[] = {"Comment on ",
                                         "Comment by ",
                                         "Comments on ",
                                         "By: ",
                                         "Re: ",
                                         "Kommentar zu ",
                                         "Kommentar von ",
                                         "Von: ",
                                         "Commentaire sur",
                                         "Commentaires su",
                                         "Par : ",
                                         "Par: ",
                                         "Comentario en ",
                                         "Comentario sobr",
                                         "Por: ",
                                         "Commento su ",
                                         "Di: ",
                                         "Comentário em ",
                                         "Reactie op ",
                                         "Door: ",
                                         "Kommentar till ",
                                         "Av: ",
                                         "Komentarz do ",
                                         NULL};
    static const char *const within[] = {" Re: ", " commented on ", NULL};
    title = fg_str_trim(title);
    return starts_with_any(title, starts) || has_any(title, within);
}

static bool is_reply(const struct fg_feed_item *entry)
{
    for (size_t i = 0; i < entry->n_links; i++)
        if (fg_str_eq(entry->links[i].rel, FG_STR("in-reply-to")))
            return true;
    return false;
}

/* What is left of "comment-17" or "p1800" without its number. */
static struct fg_str fragment_name(struct fg_str fragment)
{
    size_t n = 0;
    while (n < fragment.len && fg_is_alpha(fragment.at[n]))
        n++;
    return fg_str_sub(fragment, 0, n);
}

static bool names_comment(struct fg_str fragment)
{
    static const char *const names[] = {
        "comment",    "issuecomment", "discussion_r", "respond", "kommentar",
        "comentario", "commento",     "commentaire",  "reactie", NULL};
    return starts_with_any(fragment, names);
}

/* Names that stand for a comment unless the address says otherwise. */
static bool may_name_comment(struct fg_str fragment)
{
    static const char *const names[] = {"c",     "cmt",    "idc",     "note",
                                        "reply", "change", "replies", NULL};
    struct fg_str name = fragment_name(fragment);
    for (size_t i = 0; names[i]; i++)
        if (fg_str_eq_nocase(name, fg_str_from(names[i])))
            return true;
    return false;
}

/* As a whole: 18 does not stand in "p=1800". */
static bool stands_in(struct fg_str address, struct fg_str word)
{
    for (size_t at = 0; word.len && at + word.len <= address.len; at++) {
        size_t end = at + word.len;
        bool is_digit = fg_is_digit(word.at[word.len - 1]);
        if (memcmp(address.at + at, word.at, word.len) == 0 &&
            !(at && fg_is_alnum(address.at[at - 1]) &&
              (!fg_is_digit(word.at[0]) || fg_is_digit(address.at[at - 1]))) &&
            !(end < address.len && is_digit && fg_is_digit(address.at[end])) &&
            !(end < address.len && !is_digit && fg_is_alnum(address.at[end])))
            return true;
    }
    return false;
}

/* Does path or query hold the fragment, or the number at its end? */
static bool is_in_address(struct fg_str url, struct fg_str fragment)
{
    size_t host = fg_str_find(url, FG_STR("://")), first = fragment.len;
    if (host != FG_NOT_FOUND)
        url = fg_str_skip(url, host + 3);
    size_t slash = fg_str_chr(url, '/');
    url = slash == FG_NOT_FOUND ? (struct fg_str){0} : fg_str_skip(url, slash);
    while (first > 0 && fg_is_digit(fragment.at[first - 1]))
        first--;
    return stands_in(url, fragment) || stands_in(url, fg_str_skip(fragment, first));
}

static bool is_comment(const struct fg_feed_item *entry, bool is_of_comments,
                       bool is_shared)
{
    size_t hash = fg_str_chr(entry->link, '#');
    if (hash == FG_NOT_FOUND || hash + 1 == entry->link.len)
        return false;
    struct fg_str url = fg_str_sub(entry->link, 0, hash);
    struct fg_str fragment = fg_str_skip(entry->link, hash + 1);
    if (is_of_comments || is_reply(entry) || names_comment(fragment) ||
        is_title_of_comment(entry->texts[FG_FEED_TITLE].value))
        return true;
    return !is_in_address(url, fragment) && (is_shared || may_name_comment(fragment));
}

static uint64_t page_of(const struct fg_feed_item *entry)
{
    return fg_str_hash(fg_str_sub(entry->link, 0, fg_str_chr(entry->link, '#')));
}

const bool *fg_feed_comments(struct fg_arena *arena, const struct fg_feed *feed,
                             const struct fg_str *places)
{
    bool *is = FG_NEW(arena, bool, feed->n_entries + 1);
    bool is_of_comments = is_feed_of_comments(feed);
    enum { SHARED = 1 }; /* by links that differ, else the hash of the only one */
    struct fg_map links = {0};
    for (size_t i = 0; i < feed->n_entries; i++) {
        const struct fg_feed_item *entry = &feed->entries[i];
        uint64_t link = fg_str_hash(entry->link) | 2;
        uint64_t *kept = fg_map_put(&links, page_of(entry));
        *kept = *kept && *kept != link ? SHARED : link;
    }
    for (size_t i = 0; i < feed->n_entries; i++) {
        const struct fg_feed_item *entry = &feed->entries[i];
        bool is_shared = !places[i].len && *fg_map_get(&links, page_of(entry)) == SHARED;
        is[i] = is_comment(entry, is_of_comments, is_shared);
    }
    fg_map_clear(&links);
    return is;
}
