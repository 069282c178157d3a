/* kind.c - the verdict, when the page has been read
 *
 * Strong signs first: a password field, an editor, an address that only means one thing.
 * Then what the page claims to be, then the share of its main part that is text of its
 * own. A commit with two lines of message, a mail of three lines and a product with a
 * price have little text, so little text alone makes no list: a list also has entries. */
#include "net/facts/kind.h"

enum {
    SHORT_TEXT = 150,  /* words of its own that an error or a form has at most */
    SOME_TEXT = 60,    /* enough to be read */
    FEW_ENTRIES = 4,   /* a list has more */
    LIST_HEADINGS = 3, /* headings that link elsewhere */
};
#define SURE 0.9F

const char *fg_kind_name(enum fg_kind kind)
{
    static const char *const names[] = {"page", "list", "action", "error", "empty"};
    return names[kind];
}

static struct fg_kind_verdict verdict(enum fg_kind kind, double certainty,
                                      const char *reason)
{
    return (struct fg_kind_verdict){kind, (float)certainty, reason};
}

/* --- words of titles --- */

/* Up to where the name of the site begins. */
static struct fg_str head_of(struct fg_str title)
{
    static const char *const separators[] = {" - ", " | ", " – ", " — ",
                                             " · ", " « ", " » ", ": "};
    for (size_t i = 0; i < sizeof separators / sizeof *separators; i++)
        title = fg_str_sub(title, 0, fg_str_find(title, fg_str_from(separators[i])));
    return fg_str_trim(title);
}

static unsigned count_words(struct fg_str text)
{
    unsigned n = 0;
    struct fg_str word;
    while (fg_str_cut(&text, ' ', &word))
        n += word.len > 0;
    return n;
}

/* One of these words and no more than so many others: "404 Not Found" is the title of an
 * error, "404 when I open the second page" that of a report. */
static bool is_titled(struct fg_str title, const char *const *words, unsigned others)
{
    title = head_of(title);
    for (; *words; words++) {
        struct fg_str word = fg_str_from(*words);
        char next = title.len > word.len ? title.at[word.len] : ' ';
        if (fg_str_starts_nocase(title, word) && !fg_is_alnum(next) &&
            count_words(fg_str_skip(title, word.len)) <= others)
            return true;
    }
    return false;
}

static bool is_error_title(struct fg_str title)
{
    static const char *const words[] = {"404",
                                        "403",
                                        "410",
                                        "500",
                                        "502",
                                        "503",
                                        "401",
                                        "error 404",
                                        "error 403",
                                        "error 500",
                                        "http 404",
                                        "not found",
                                        "page not found",
                                        "file not found",
                                        "object not found",
                                        "forbidden",
                                        "access denied",
                                        "access forbidden",
                                        "permission denied",
                                        "unauthorized",
                                        "internal server error",
                                        "bad gateway",
                                        "service unavailable",
                                        "server error",
                                        "bad request",
                                        "invalid request",
                                        "just a moment",
                                        "attention required",
                                        "are you a robot",
                                        "site not found",
                                        "page introuvable",
                                        "page non trouvée",
                                        "erreur 404",
                                        "seite nicht gefunden",
                                        "nicht gefunden",
                                        "fehler 404",
                                        "zugriff verweigert",
                                        "página no encontrada",
                                        "página não encontrada",
                                        "no encontrado",
                                        "pagina non trovata",
                                        "errore 404",
                                        "pagina niet gevonden",
                                        "nie znaleziono",
                                        "strona nie istnieje",
                                        "sidan hittades inte",
                                        "siden blev ikke fundet",
                                        "sivua ei löydy",
                                        "stránka nenalezena",
                                        "this topic does not exist",
                                        "page does not exist",
                                        "no such page",
                                        "nothing found",
                                        "die angeforderte seite",
                                        "cette page n'existe pas",
                                        "bad title",
                                        NULL};
    static const char *const alone[] = {"error",  "fehler", "erreur", "oops",
                                        "whoops", "sorry",  NULL};
    return is_titled(title, words, 2) || is_titled(title, alone, 0);
}

static bool is_login_title(struct fg_str title)
{
    static const char *const words[] = {
        "log in",    "login",          "sign in",        "signin",    "sign up",
        "register",  "create account", "anmelden",       "anmeldung", "einloggen",
        "connexion", "se connecter",   "iniciar sesión", "accedi",    "inloggen",
        "logga in",  "zaloguj",        "shopping cart",  "your cart", "cart",
        "basket",    "your basket",    "warenkorb",      "panier",    "carrito",
        "carrello",  "checkout",       "wishlist",       NULL};
    return is_titled(title, words, 1);
}

static bool is_list_title(struct fg_str title)
{
    static const char *const words[] = {"index of",
                                        "search results",
                                        "search",
                                        "results for",
                                        "archives",
                                        "archive",
                                        "category",
                                        "categories",
                                        "tag",
                                        "tags",
                                        "tagged",
                                        "posts by",
                                        "posts tagged",
                                        "author",
                                        "recent changes",
                                        "revision history",
                                        "old revisions",
                                        "suche",
                                        "suchergebnis",
                                        "suchergebnisse",
                                        "résultats",
                                        "recherche",
                                        "kategorie",
                                        "catégorie",
                                        "categoría",
                                        "schlagwort",
                                        "archiv",
                                        "sitemap",
                                        "site map",
                                        "all posts",
                                        "latest",
                                        "letzte Änderungen",
                                        NULL};
    return is_titled(title, words, 3);
}

/* --- measurements --- */

static unsigned own_words(const struct fg_facts *facts)
{
    return facts->main.words - facts->main.listed_words;
}

static bool is_claimed(const struct fg_facts *facts)
{
    return facts->claim == FG_CLAIM_ARTICLE || facts->claim == FG_CLAIM_PRODUCT;
}

/* Most of it leads elsewhere. */
static bool is_mostly_links(const struct fg_facts *facts)
{
    unsigned own = own_words(facts),
             listed = facts->main.listed_words + facts->main.link_words;
    return facts->n_entries >= FEW_ENTRIES && own < listed / 2 && own < 2 * SHORT_TEXT;
}

static bool is_teasers(const struct fg_facts *facts)
{
    unsigned own = own_words(facts);
    return facts->n_linked_headings >= LIST_HEADINGS &&
           facts->n_linked_headings * 2 > facts->n_headings &&
           own < facts->main.listed_words + facts->main.link_words;
}

/* Blocks that each begin or end with a link to what they are about. */
static bool is_excerpts(const struct fg_facts *facts)
{
    unsigned all = own_words(facts), told = facts->excerpt_words,
             own = all > told ? all - told : 0;
    return facts->n_excerpts >= 2 &&
           facts->n_excerpts + facts->n_entries >= FEW_ENTRIES &&
           own < told + facts->main.listed_words;
}

/* Links one after the other without being entries of anything. */
static bool is_bare_links(const struct fg_facts *facts)
{
    return facts->main.links >= 10 && facts->main.link_words > 2 * facts->main.words;
}

/* A mail, a source, a diff; an index of files has a link a line. */
static bool is_written(const struct fg_facts *facts)
{
    return facts->main.pre_words >= 5 &&
           facts->main.pre_words > 12 * facts->main.pre_links &&
           facts->main.pre_words * 4 > own_words(facts);
}

static bool is_list(const struct fg_facts *facts)
{
    if (is_written(facts))
        return false;
    return is_mostly_links(facts) || is_teasers(facts) || is_bare_links(facts) ||
           is_excerpts(facts) ||
           (facts->n_articles >= FEW_ENTRIES && own_words(facts) < SHORT_TEXT);
}

/* For an address that says it is a list: is there anything that agrees? Where its last
 * word is that of a list, entries do, whatever text stands beside each. */
static bool may_be_list(const struct fg_facts *facts, float certainty)
{
    unsigned own = own_words(facts),
             listed = facts->main.listed_words + facts->main.link_words;
    return is_list(facts) || own < listed || own < 15 ||
           facts->n_linked_headings >= LIST_HEADINGS || facts->n_articles >= 3 ||
           facts->n_excerpts >= 3 ||
           (certainty > 0.77F && facts->n_entries >= 2 * FEW_ENTRIES) ||
           (certainty > 0.8F && (facts->n_entries > FEW_ENTRIES || own < SHORT_TEXT));
}

/* --- the verdict --- */

static bool is_error(const struct fg_facts *facts, struct fg_str title)
{
    return own_words(facts) < SHORT_TEXT && !is_claimed(facts) &&
           (is_error_title(title) || is_error_title(facts->h1));
}

static bool is_form(const struct fg_facts *facts, struct fg_str title)
{
    bool says_so = is_login_title(title) || is_login_title(facts->h1);
    if (is_claimed(facts) || own_words(facts) >= SHORT_TEXT)
        return false;
    if (facts->has_password)
        return says_so || own_words(facts) < SOME_TEXT;
    return says_so && own_words(facts) < SOME_TEXT && facts->n_entries < FEW_ENTRIES;
}

static bool names_thing(const struct fg_kind_verdict *address)
{
    return address->kind == FG_KIND_PAGE && address->certainty > 0.6F;
}

static struct fg_kind_verdict by_content(const struct fg_facts *facts,
                                         const struct fg_kind_verdict *address)
{
    if (facts->claim == FG_CLAIM_LIST && facts->claims_strongly && may_be_list(facts, 0))
        return verdict(FG_KIND_LIST, 0.9, "says it is a list");
    if (is_claimed(facts) &&
        (facts->claims_strongly || own_words(facts) > SHORT_TEXT || !is_teasers(facts)))
        return verdict(FG_KIND_PAGE, 0.95, "says it is an article or a product");
    if (is_teasers(facts))
        return verdict(FG_KIND_LIST, 0.85, "its headings lead to other pages");
    if (names_thing(address) && own_words(facts) >= 10)
        return verdict(FG_KIND_PAGE, 0.75, "its address names one thing");
    if (is_list(facts))
        return verdict(FG_KIND_LIST, 0.75, "mostly links");
    return verdict(FG_KIND_PAGE, own_words(facts) >= SOME_TEXT ? 0.85 : 0.65,
                   "has text of its own");
}

/* What needs no look at the text; FG_KIND_PAGE if nothing is found. */
static struct fg_kind_verdict by_strong_signs(const struct fg_facts *facts,
                                              const struct fg_kind_verdict *address,
                                              struct fg_str title)
{
    if (facts->needs_script)
        return verdict(FG_KIND_EMPTY, 0.9, "empty without a browser");
    if (facts->has_consent_wall && !is_claimed(facts) && !facts->n_entries)
        return verdict(FG_KIND_EMPTY, 0.7, "asks for consent first");
    if (is_error(facts, title))
        return verdict(FG_KIND_ERROR, 0.9, "its title is that of an error");
    if (address->certainty >= SURE)
        return *address;
    if (is_form(facts, title))
        return verdict(FG_KIND_ACTION, 0.9,
                       facts->has_password ? "has a password field" : "a form");
    if (facts->has_editor && !is_claimed(facts))
        return verdict(FG_KIND_ACTION, 0.9, "a page to edit another");
    return verdict(FG_KIND_PAGE, 0.5, "");
}

struct fg_kind_verdict fg_kind_of_content(const struct fg_facts *facts,
                                          struct fg_str title)
{
    struct fg_kind_verdict address = verdict(FG_KIND_PAGE, 0.5, "");
    struct fg_kind_verdict strong = by_strong_signs(facts, &address, title);
    if (strong.kind != FG_KIND_PAGE)
        return strong;
    if (!facts->main.words && !facts->main.links && !is_claimed(facts))
        return verdict(FG_KIND_EMPTY, 0.8, "nothing to read");
    return by_content(facts, &address);
}

struct fg_kind_verdict fg_kind_of_page(const struct fg_facts *facts, struct fg_str url,
                                       struct fg_str title)
{
    struct fg_kind_verdict address = fg_kind_of_address(url);
    struct fg_kind_verdict strong = by_strong_signs(facts, &address, title);
    if (strong.kind != FG_KIND_PAGE)
        return strong;
    bool is_sure_claim = is_claimed(facts) && facts->claims_strongly;
    if (is_sure_claim)
        return by_content(facts, &address);
    if (fg_address_is_home(url))
        return address;
    /* "/Guide/Download" may be a page about downloads; forms are short. */
    bool is_text = address.certainty < 0.8F && own_words(facts) >= SHORT_TEXT;
    if (address.kind == FG_KIND_ACTION && !is_text)
        return address;
    if (address.kind == FG_KIND_LIST && may_be_list(facts, address.certainty))
        return address;
    bool has_list_title = is_list_title(title) || is_list_title(facts->h1);
    if (has_list_title && !names_thing(&address) && !is_written(facts) &&
        may_be_list(facts, 0))
        return verdict(FG_KIND_LIST, 0.8, "its title is that of a list");
    if (!facts->main.words && !facts->main.links)
        return verdict(FG_KIND_EMPTY, 0.8, "nothing to read");
    return by_content(facts, &address);
}
