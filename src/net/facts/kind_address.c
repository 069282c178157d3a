/* kind_address.c - what an address says of the page behind it
 *
 * Programs that make web sites use few words for their views: edit, diff, log, tag,
 * page/2, sort=. They count where such programs put them: as a whole segment of the path,
 * or as a parameter. What stands behind "wiki" or "tree", or behind a date, is a name
 * that somebody chose, and says nothing. How sure each word is was set by looking at the
 * addresses of some thirty programs; what is ambiguous stays below 0.9, and the content
 * decides. */
#include "net/facts/kind_parts.h"

#include "base/buf.h"
#include "net/text/word_list.h"

#include <pthread.h>

static const char sorted_list[] = "its address sorts or filters a list";

/* --- words of the path --- */

enum sense {
    ACTS = 1,           /* an action wherever it stands */
    ACTS_VIEW = 2,      /* the same, unless a title stands behind it */
    ACTS_LAST = 4,      /* as the last segment */
    SEARCHES = 8,       /* a list for sure */
    LISTS = 16,         /* a list, with whatever name behind it */
    LISTS_CODE = 32,    /* the same in browsers of repositories */
    LISTS_LAST = 64,    /* a list if nothing stands behind it */
    SHOWS = 128,        /* a page if something stands behind it */
    NAMES_FOLLOW = 256, /* what stands behind it was chosen by people */
    NEWS_LAST = 512,    /* if it is a list, then of what comes, however short it is */
};

static const struct group {
    enum sense sense;
    struct fg_str words;
} groups[] = {
    {ACTS, FG_WORDS("login logout log-in log-out signin sign-in sign_in signup "
                    "sign-up sign_up signout wp-login wp-admin wp-json xmlrpc "
                    "register registration registrieren anmelden anmeldung "
                    "connexion inscription iniciar-sesion accedi registrazione "
                    "inloggen logga-in zaloguj cart basket checkout warenkorb "
                    "kasse panier carrito carrello winkelwagen koszyk varukorg "
                    "kundvagn kurv wishlist wunschliste merkzettel account "
                    "my-account myaccount konto mein-konto mon-compte mi-cuenta "
                    "password passwort lost-password forgot-password "
                    "reset-password trackback oembed ucp posting enter_bug "
                    "createaccount memberlogin newticket newreply newthread "
                    "honeypot cgi-sys addtocart unsubscribe")},
    {ACTS_VIEW, FG_WORDS("blame_incremental blob_plain commitdiff_plain edit "
                         "bearbeiten modifier editar modifica bewerken blame annotate "
                         "annotated praise diff diffs fdiff vdiff wdiff rawdiff "
                         "blobdiff difffile patch patches raw raw-rev raw-file "
                         "rawfile plain snapshot tarball zipball compare comparison "
                         "vergleich vergleichen comparer comparar confronta print "
                         "printable printer drucken druckansicht druckversion "
                         "imprimer imprimir stampa afdrukken drukuj hexdump export "
                         "wcontent wedit tktedit artifact source-view showsource go "
                         "goto redirect click out")},
    {ACTS_LAST, FG_WORDS("share teilen partager compartir condividi reply respond "
                         "antworten answer quote delete upload embed rename move "
                         "subscribe report-abuse flag vote download source cite "
                         "new-topic submit create preferences bookmark purge watch "
                         "unwatch backlinks attach send recommend invite save")},
    {SEARCHES, FG_WORDS("search suche suchen recherche rechercher buscar busqueda "
                        "busca pesquisa cerca ricerca zoeken szukaj sok s%c3%b6k "
                        "haku hledat hledani kereses find searchresults "
                        "search-results catalogsearch feed feeds rss atom "
                        "recentchanges recent-changes letzte-aenderungen timeline "
                        "shortlog changelog-list brlist taglist reportlist buglist "
                        "viewforum memberlist leaves whistory finfo sitemap")},
    {LISTS, FG_WORDS("tag tags tagged category categories kategorie kategorien "
                     "categorie cat%c3%a9gorie categoria categorias "
                     "categor%c3%ada kategoria kategori rubrik rubrique ressort "
                     "thema themen topics schlagwort schlagworte schlagwoerter "
                     "stichwort etiqueta etiquetas etichetta %c3%a9tiquette "
                     "etiquette author authors autor autoren auteur auteurs "
                     "autore autores autorzy archive archives archiv archivo "
                     "archivio archief archiwum calendar kalender calendrier "
                     "calendario label labels collections collection section "
                     "sections browse directory listing filter sort user users "
                     "profile profiles member members mitglieder u c report query "
                     "group groups dir")},
    {LISTS_LAST, FG_WORDS("index list liste lista recent latest newest new neu nouveau "
                          "nuevo top popular trending hot all alle tous todos news "
                          "nachrichten aktuelles actualites noticias notizie nieuws "
                          "blog blogs articles artikel posts beitraege press presse "
                          "releases issues bugs tickets pulls merge_requests packages "
                          "projects projekte forum forums foren boards threads thread "
                          "date subject maillist discussions questions events "
                          "veranstaltungen termine evenements eventos eventi products "
                          "produkte produits productos prodotti shop store boutique "
                          "tienda negozio sale angebote jobs stellenangebote summary "
                          "history verlauf historique historial cronologia "
                          "geschiedenis historik revisions versions changes tree file "
                          "files media gallery galerie videos photos downloads wiki "
                          "pages repositories explore overview video forumindex report")},
    {SHOWS, FG_WORDS("commitdiff vinfo ci commit changeset rev revision ticket "
                     "issue issues bug bugs show_bug bugreport pull "
                     "merge_requests question questions t topic viewtopic "
                     "showthread message msg product products produkt produit "
                     "producto prodotto item p article articles artikel post "
                     "posts package packages event events node recipe job tktview "
                     "forumpost technote info advisory releases release thread")},
    {LISTS_CODE, FG_WORDS("fileage heads remotes log commits refs stats branches graph "
                          "contributors activity pulse network forks stargazers "
                          "milestones roadmap browser bookmarks")},
    {NAMES_FOLLOW, FG_WORDS("commitdiff history tag wiki tree blob src doc docs doku "
                            "file files pub package packages download source commit "
                            "commits log diff blame annotate plain raw patch browse "
                            "browser changeset info")},
    {NEWS_LAST, FG_WORDS("news newsroom nachrichten aktuell aktuelles neuigkeiten "
                         "neues meldungen actualites actualite nouvelles noticias "
                         "novedades actualidad notizie novita nieuws nyheter nyheder "
                         "aktualnosci blog blogs weblog articles artikel posts beitraege "
                         "press presse prensa stampa pressemitteilungen "
                         "press-releases pressreleases announcements updates events "
                         "veranstaltungen termine evenements eventos eventi jobs "
                         "careers stellenangebote")},
};

/* The words of all groups, by hash: looking through nine lists for each segment of each
 * link was a fifth of the time of a page. */
enum { SLOTS = 2048 };
static struct slot {
    struct fg_str word;
    unsigned senses;
} slots[SLOTS];

static size_t slot_of(struct fg_str word)
{
    uint32_t hash = 2166136261;
    for (size_t i = 0; i < word.len; i++)
        hash = (hash ^ (unsigned char)fg_lower(word.at[i])) * 16777619;
    size_t at = hash % SLOTS;
    while (slots[at].word.len && !fg_str_eq_nocase(slots[at].word, word))
        at = (at + 1) % SLOTS;
    return at;
}

static void fill_slots(void)
{
    for (size_t i = 0; i < sizeof groups / sizeof *groups; i++) {
        struct fg_str rest = groups[i].words, word;
        while (fg_str_cut(&rest, ' ', &word))
            if (word.len) {
                struct slot *slot = &slots[slot_of(word)];
                slot->word = word;
                slot->senses |= groups[i].sense;
            }
    }
}

/* All that a word means. Most segments are numbers and titles, and not looked up. */
static unsigned senses_of(struct fg_str word)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    if (!word.len || word.len > FG_WORD_LIST_MAX || fg_is_digit(word.at[0]) ||
        fg_segment_is_slug(word))
        return 0;
    pthread_once(&once, fill_slots);
    return slots[slot_of(word)].senses;
}

static unsigned senses_at(const struct fg_address_parts *parts, size_t i)
{
    return senses_of(fg_segment_stem(parts->segments[i]));
}

static struct fg_kind_verdict verdict(enum fg_kind kind, double certainty,
                                      const char *reason)
{
    return (struct fg_kind_verdict){kind, (float)certainty, reason};
}

static const struct fg_kind_verdict unknown = {FG_KIND_PAGE, 0.5F,
                                               "nothing in its address"};

/* What speaks against a page counts more than what speaks for one. */
static void consider(struct fg_kind_verdict *best, struct fg_kind_verdict next)
{
    bool is_against = next.kind != FG_KIND_PAGE, was_against = best->kind != FG_KIND_PAGE;
    if (is_against != was_against ? is_against : next.certainty > best->certainty)
        *best = next;
}

/* Special pages and categories of MediaWiki and its kin, in a path or a parameter. */
static struct fg_kind_verdict kind_of_wiki_name(struct fg_str name)
{
    size_t colon = fg_str_chr(name, ':');
    size_t encoded = fg_str_find(name, FG_STR("%3A"));
    if (colon == FG_NOT_FOUND || encoded < colon)
        colon = encoded;
    if (colon == FG_NOT_FOUND || colon == 0)
        return unknown;
    struct fg_str space = fg_str_sub(name, 0, colon);
    if (fg_word_in(space, "special spezial sp%c3%a9cial especial speciale speciaal "
                          "specjalna toiminnot speci%c3%a1ln%c3%ad")) {
        struct fg_str page = fg_str_skip(name, colon + (colon == encoded ? 3 : 1));
        bool is_list = fg_word_in(page, "recentchanges newpages allpages categories log "
                                        "prefixindex newfiles listfiles ancientpages");
        return verdict(is_list ? FG_KIND_LIST : FG_KIND_ACTION, 0.92,
                       "a special page of a wiki");
    }
    if (fg_word_in(space, "portal portail portaal"))
        return verdict(FG_KIND_LIST, 0.7, "a portal of a wiki");
    if (fg_word_in(space, "category kategorie cat%c3%a9gorie categor%c3%ada categoria "
                          "categorie kategoria kategori"))
        return verdict(FG_KIND_LIST, 0.8, "a category of a wiki");
    return unknown;
}

/* A hash or a number behind "commit"; without it the newest is shown. */
static bool names_commit(const struct fg_address_parts *parts, size_t i)
{
    for (size_t k = i + 1; k < parts->n; k++)
        if (fg_is_hash(
                fg_str_sub(parts->segments[k], 0, fg_str_chr(parts->segments[k], '.'))) ||
            fg_is_digits(parts->segments[k]))
            return true;
    for (size_t k = 0; k < parts->n_params; k++)
        if (fg_is_hash(parts->params[k].value) || fg_is_digits(parts->params[k].value))
            return true;
    return false;
}

/* "v1.2", "2.0-rc1": a release. */
static bool is_version(struct fg_str s)
{
    size_t i = s.len && fg_lower(s.at[0]) == 'v', dots = 0;
    if (i >= s.len || !fg_is_digit(s.at[i]))
        return false;
    for (; i < s.len && (fg_is_digit(s.at[i]) || s.at[i] == '.'); i++)
        dots += s.at[i] == '.';
    return dots > 0;
}

/* "msg00123.html", "000123.html": one of many documents. */
static bool is_numbered(struct fg_str segment)
{
    struct fg_str stem = fg_segment_stem(segment);
    size_t first = 0;
    while (first < stem.len && fg_is_alpha(stem.at[first]))
        first++;
    return stem.len < segment.len && first <= 6 && stem.len >= first + 4 &&
           fg_is_digits(fg_str_skip(stem, first));
}

static struct fg_kind_verdict kind_of_segment(const struct fg_address_parts *parts,
                                              size_t i, unsigned senses)
{
    struct fg_str word = fg_segment_stem(parts->segments[i]);
    struct fg_str last = fg_segment_stem(parts->segments[parts->n - 1]);
    bool is_last = i + 1 == parts->n, has_more = !is_last || parts->n_params > 0;
    if (senses & ACTS)
        return verdict(
            FG_KIND_ACTION, is_last ? 0.95 : 0.85,
            "a word of its address names an action, such as login, edit or reply");
    if (senses & ACTS_VIEW && (is_last || !fg_segment_is_slug(last)))
        return verdict(
            FG_KIND_ACTION, 0.85,
            "its address is that of another view of a page, such as print or diff");
    if (senses & ACTS_LAST && is_last)
        return verdict(FG_KIND_ACTION, 0.75, "its address says it is an action");
    if (senses & SEARCHES && (is_last || !fg_segment_is_slug(last)))
        return verdict(FG_KIND_LIST, 0.92, "its address says it is a search or a list");
    /* "/releases/tag/v1" and "/tag/?h=v1" are about one release. */
    bool is_release = i > 0 && senses_at(parts, i - 1) & SHOWS;
    if (fg_word_in(word, "tag tags") && !is_last &&
        is_version(parts->segments[parts->n - 1]))
        return verdict(FG_KIND_PAGE, 0.7, "its address names a release");
    if (is_last && is_numbered(parts->segments[i]))
        return verdict(FG_KIND_PAGE, 0.65, "its address names one thing");
    if (senses & LISTS && (i + 2 >= parts->n || !fg_segment_is_slug(last)))
        return verdict(FG_KIND_LIST, is_release || parts->n_params ? 0.6 : 0.75,
                       "its address says it is a list");
    bool is_folder = is_last && fg_word_in(word, "tree dir files");
    if (is_folder || (senses & LISTS_CODE && (is_last || !fg_segment_is_slug(last))))
        return verdict(FG_KIND_LIST, 0.85, "its address says it is a list");
    if (fg_str_eq_nocase(word, FG_STR("commit")) && !names_commit(parts, i))
        return verdict(FG_KIND_ACTION, 0.85, "whatever commit is the newest");
    if (senses & LISTS_LAST && !has_more)
        return verdict(FG_KIND_LIST, 0.78, "its address names a list");
    if (senses & SHOWS && has_more)
        return verdict(FG_KIND_PAGE, 0.7, "its address names one thing");
    return unknown;
}

/* "/file/HASH/README", "/src/commit/HASH/README" */
static bool is_old_path(const struct fg_address_parts *parts, size_t i)
{
    if (!fg_word_in(parts->segments[i], "file blob tree doc src browse"))
        return false;
    i += i + 1 < parts->n && fg_word_in(parts->segments[i + 1], "commit rev") ? 2 : 1;
    return i + 1 < parts->n && fg_is_hash(parts->segments[i]);
}

static struct fg_kind_verdict kind_of_path(const struct fg_address_parts *parts)
{
    struct fg_kind_verdict best = unknown;
    size_t dated_first = 0;
    struct fg_address_dated dated = fg_address_find_date(parts, &dated_first);
    if (dated.year && dated.used && dated_first + dated.used == parts->n &&
        !parts->n_params)
        return verdict(FG_KIND_LIST, 0.78, "an archive by date");
    if (parts->n && parts->n <= 2 && !parts->n_params &&
        fg_segment_is_year(parts->segments[parts->n - 1]))
        return verdict(FG_KIND_LIST, 0.65, "an archive by date");
    for (size_t i = 0; i < parts->n; i++) {
        if (dated.year && i == dated_first) {
            best = best.kind == FG_KIND_PAGE
                       ? verdict(FG_KIND_PAGE, 0.7, "its address has a date")
                       : best;
            /* and the name behind it, unless it is the index of a mail archive */
            size_t name = i + dated.used;
            if (dated.used && name + 1 == parts->n &&
                fg_word_in(parts->segments[name], "thread.html threads.html author.html "
                                                  "subject.html date.html index.html"))
                return verdict(FG_KIND_LIST, 0.85, "its address names a list");
            i = name;
            continue;
        }
        consider(&best, kind_of_wiki_name(parts->segments[i]));
        unsigned senses = senses_at(parts, i);
        consider(&best, kind_of_segment(parts, i, senses));
        if (is_old_path(parts, i))
            consider(&best,
                     verdict(FG_KIND_ACTION, 0.9, "its address names an old version"));
        if (senses & NAMES_FOLLOW) {
            if (i + 1 < parts->n)
                consider(&best, kind_of_wiki_name(parts->segments[i + 1]));
            break;
        }
    }
    return best;
}

/* --- files --- */

static bool is_behind_names(const struct fg_address_parts *parts)
{
    for (size_t i = 0; i + 1 < parts->n; i++)
        if (senses_at(parts, i) & NAMES_FOLLOW)
            return true;
    return false;
}

static struct fg_kind_verdict kind_of_file(const struct fg_address_parts *parts)
{
    if (!parts->n)
        return unknown;
    struct fg_str last = parts->segments[parts->n - 1],
                  extension = fg_segment_extension(last);
    if (!extension.len || fg_str_chr(last, ':') != FG_NOT_FOUND)
        return unknown;
    if (fg_word_in(extension, "patch diff"))
        return verdict(
            FG_KIND_ACTION, 0.85,
            "its address is that of another view of a page, such as print or diff");
    bool is_media = fg_word_in(
        extension, "jpg jpeg png gif webp svg ico bmp tif tiff avif mp3 mp4 m4a "
                   "m4v ogg oga ogv webm avi mov mkv wav flac zip gz tgz bz2 xz "
                   "zst rar 7z tar iso exe msi dmg deb rpm apk css js mjs woff "
                   "woff2 ttf otf eot asc sig ics vcf torrent");
    if (is_media)
        return verdict(FG_KIND_EMPTY, is_behind_names(parts) ? 0.6 : 0.95,
                       "a file, not a page");
    if (fg_word_in(extension, "rss atom rdf xml json jsonl opml"))
        return verdict(FG_KIND_LIST, is_behind_names(parts) ? 0.6 : 0.95,
                       "a feed or data");
    return unknown;
}

/* --- parameters --- */

/* What programs call the parameter that chooses a view. */
static struct fg_kind_verdict kind_of_view(struct fg_str value)
{
    static const char action[] = "its address asks for an action";
    if (!value.len)
        return verdict(FG_KIND_ACTION, 0.9, action);
    if (fg_word_in(value, "view show display read detail details article post node "
                          "page product topic item browse_product showtopic"))
        return unknown;
    if (fg_word_in(value, "recent recentchanges index search backlink backlinks media "
                          "list titleindex wordindex fullsearch sitemap calendar "
                          "latest board mlist stats tags who help unread rss feed toc"))
        return verdict(FG_KIND_LIST, 0.92, "its address asks for a list");
    if (fg_word_in(value, "edit history diff revisions revert rollback login logout "
                          "register resendpwd profile admin print raw source info "
                          "purge delete protect unprotect move rename watch unwatch "
                          "subscribe unsubscribe submit save preview draft create new "
                          "reply quote post_reply lostpassword add remove upload "
                          "attach attachfile sendmail report email render credits "
                          "download export pdf markpatrolled formedit copy newpost "
                          "editpost check locked conflict denied cite share printpage "
                          "like vote emailuser spellcheck localsitemap packagepages "
                          "refresh deletepage comment blog-comment goto"))
        return verdict(FG_KIND_ACTION, 0.95, action);
    if (fg_str_starts_nocase(value, FG_STR("export")) ||
        fg_str_starts_nocase(value, FG_STR("login")))
        return verdict(FG_KIND_ACTION, 0.95, action);
    return verdict(FG_KIND_ACTION, 0.7, action);
}

/* gitweb has its views in "a". */
static struct fg_kind_verdict kind_of_gitweb(struct fg_str value)
{
    if (fg_word_in(value, "commit tag object"))
        return verdict(FG_KIND_PAGE, 0.7, "its address names one thing");
    if (fg_word_in(value, "log shortlog history tree heads tags remotes summary forks "
                          "project_list project_index search rss atom opml search_help"))
        return verdict(FG_KIND_LIST, 0.92, "its address asks for a list");
    if (fg_word_in(value, "blobdiff blobdiff_plain blob_plain patch patches snapshot "
                          "commitdiff commitdiff_plain blob blame "
                          "blame_incremental"))
        return verdict(
            FG_KIND_ACTION, 0.95,
            "its address is that of another view of a page, such as print or diff");
    return unknown;
}

/* Is this the view that is asked for? What stands behind it is the name of a file. */
static bool is_view_any(const struct fg_address_parts *parts, struct fg_str words)
{
    for (size_t i = 0; i < parts->n; i++) {
        struct fg_str word = fg_segment_stem(parts->segments[i]);
        if (fg_word_in_list(word, words))
            return true;
        if (senses_of(word) & NAMES_FOLLOW)
            return false;
    }
    return false;
}

/* The same file at another revision: "/tree/FILE?id=HASH". */
static bool is_old_file(const struct fg_address_parts *parts,
                        const struct fg_address_param *param)
{
    const struct fg_str views = FG_WORDS("tree blob src browse browser file doc view");
    if (fg_str_eq(param->name, FG_STR("hb")))
        return fg_is_hash(param->value);
    /* "?id=17" is how many programs number what they show. */
    bool is_revision =
        fg_word_in(param->name, "ci rev at ref revision") && fg_is_digits(param->value);
    return (is_revision || (fg_word_in(param->name, "id ci rev at ref revision") &&
                            fg_is_hash(param->value))) &&
           is_view_any(parts, views);
}

/* Apache's lists of files sort by "C=M;O=A". */
static bool is_apache_sort(const struct fg_address_param *param)
{
    return (fg_str_eq(param->name, FG_STR("C")) && fg_word_in(param->value, "n m s d")) ||
           (fg_str_eq(param->name, FG_STR("O")) && fg_word_in(param->value, "a d"));
}

static struct fg_kind_verdict kind_of_named_param(const struct fg_address_param *param)
{
    struct fg_str name = param->name, value = param->value;
    if (fg_word_in(name, "replytocom add-to-cart add_to_cart redirect_to returnto "
                         "return_to printable share like_comment oldid diff veaction "
                         "logout login signup unapproved moderation-hash print "
                         "addtocart add_to_wishlist sectok _wpnonce difftype rev2 "
                         "tab_details tab_files preview redirect_url return_url "
                         "email_friend add_compare nonce forgot"))
        return verdict(FG_KIND_ACTION, 0.95, "its address asks for an action");
    /* "showthread.php?goto=newpost&t=12" leads to where somebody stopped reading. */
    if (fg_str_eq_nocase(name, FG_STR("goto")) &&
        fg_word_in(value, "newpost lastpost nextnewest nextoldest findpost unread"))
        return verdict(FG_KIND_ACTION, 0.95, "its address asks for an action");
    if (fg_word_in(name, "edit rev revision version versionid reply quote add remove "
                         "delete pdf download export amp;share"))
        return verdict(FG_KIND_ACTION, 0.85, "its address asks for an action");
    if (fg_word_in(name, "sort order orderby order_by sortby sort_by sort-by "
                         "sortorder sort_order sortdir sorting srt sortierung tri "
                         "orden ordina") ||
        fg_str_starts_nocase(name, FG_STR("filter")) ||
        fg_str_starts_nocase(name, FG_STR("min_")) ||
        fg_str_starts_nocase(name, FG_STR("max_")))
        return verdict(FG_KIND_LIST, 0.92, sorted_list);
    if (fg_str_eq(name, FG_STR("idx")) && !fg_is_digits(value))
        return verdict(FG_KIND_LIST, 0.92, "its address is that of an index");
    /* "?q=node/12" is a page of Drupal. */
    if (fg_word_in(name, "s q query search suche sq keyword keywords searchword "
                         "searchterm term words recherche buscar search_query qt") &&
        fg_str_chr(value, '/') == FG_NOT_FOUND)
        return verdict(FG_KIND_LIST, 0.92, "its address is a search");
    if (fg_word_in(name, "per_page perpage limit pagesize page_size show_all dir tag "
                         "tags cat category author month year day archive label "
                         "view_all posts_per_page n_per_page facet colour color brand "
                         "size price ns board forum"))
        return verdict(FG_KIND_LIST, 0.65, "its address may filter a list");
    return unknown;
}

static struct fg_kind_verdict kind_of_param(const struct fg_address_parts *parts,
                                            const struct fg_address_param *param)
{
    struct fg_str name = param->name, value = param->value;
    if (fg_word_in(name, "do action act op cmd task"))
        return kind_of_view(value);
    if (fg_word_in(name, "mode view format output type layout tmpl"))
        return fg_word_in(value,
                          "reply quote edit login register print pdf raw diff history "
                          "patch source txt plain post delete sendpassword component "
                          "printable printview contact email report")
                   ? verdict(FG_KIND_ACTION, 0.92, "its address asks for an action")
               : fg_word_in(value,
                            "list grid calendar month week rss atom feed json xml search "
                            "archive")
                   ? verdict(FG_KIND_LIST, 0.8, "its address asks for a list")
                   : unknown;
    if (fg_str_eq(name, FG_STR("a")))
        return kind_of_gitweb(value);
    /* Counted from 0 it may be where a link stood that was followed. */
    if (fg_str_eq(value, FG_STR("1")) && fg_param_is_first_page(name, value))
        return verdict(FG_KIND_LIST, 0.92, "the first page of a list");
    if (is_apache_sort(param))
        return verdict(FG_KIND_LIST, 0.95, sorted_list);
    if (is_old_file(parts, param))
        return verdict(FG_KIND_ACTION, 0.9, "its address names an old version");
    if (fg_word_in(name, "title page pagename n"))
        return kind_of_wiki_name(value);
    return kind_of_named_param(param);
}

/* --- the verdict --- */

/* "/wiki/A_page/3": the third version of a page. */
static bool names_version(const struct fg_address_parts *parts)
{
    enum { MOST_DIGITS = 5 };
    size_t n = parts->n;
    if (n < 3 || parts->n_params || !fg_is_digits(parts->segments[n - 1]) ||
        parts->segments[n - 1].len > MOST_DIGITS || fg_is_digits(parts->segments[n - 2]))
        return false;
    for (size_t i = 0; i + 2 < n; i++)
        if (fg_str_eq_nocase(parts->segments[i], FG_STR("wiki")))
            return true;
    return false;
}

struct fg_kind_verdict fg_kind_of_address(struct fg_str url)
{
    struct fg_address_parts parts;
    fg_address_take_apart(&parts, url);
    if (!parts.n && !parts.n_params)
        return verdict(FG_KIND_LIST, 0.6, "the home page of a site");
    if (fg_address_continues(&parts))
        return verdict(FG_KIND_LIST, 0.95, "a further page of a list");
    if (names_version(&parts))
        return verdict(FG_KIND_ACTION, 0.85, "a version of a page of a wiki");
    struct fg_kind_verdict best = kind_of_file(&parts);
    consider(&best, kind_of_path(&parts));
    for (size_t i = 0; i < parts.n_params; i++)
        consider(&best, kind_of_param(&parts, &parts.params[i]));
    return best;
}

bool fg_address_names_news(struct fg_str url)
{
    struct fg_address_parts parts;
    fg_address_take_apart(&parts, url);
    return parts.n && !parts.n_params && senses_at(&parts, parts.n - 1) & NEWS_LAST;
}

/* --- what an action is about --- */

static bool is_of_action(const struct fg_address_param *param)
{
    struct fg_str name = param->name, value = param->value;
    if (fg_word_in(name, "do action")) {
        struct fg_kind_verdict view = kind_of_view(value);
        /* what one does to oneself is not about a page */
        return view.kind != FG_KIND_LIST && view.certainty != 0.7F &&
               !(fg_str_eq_nocase(name, FG_STR("action")) &&
                 fg_word_in(value, "login logout register profile admin lostpassword"));
    }
    if (fg_word_in(name, "format view mode output type"))
        return fg_word_in(value,
                          "print pdf raw diff edit history revision printable source");
    return fg_word_in(name, "rev rev2 rev2[0] rev2[1] rev2%5b0%5d rev2%5b1%5d oldid diff "
                            "diffonly difftype difforder version revision share nb "
                            "replytocom print printable veaction sectok unfold "
                            "like_comment _wpnonce edit section mobileaction preview "
                            "reply quote returnto redirect_to rcid pdf");
}

/* Revisions of MediaWiki are walked with direction=next. */
static bool is_of_revision(const struct fg_address_param *param, bool has_revision)
{
    return has_revision && fg_word_in(param->name, "direction prev next");
}

/* "commitdiff" shows what a commit did: it is about "commit". */
static struct fg_str subject_of_diff(struct fg_arena *arena, struct fg_str url)
{
    static const struct fg_str view = {"commitdiff", 10};
    size_t at = fg_str_find(url, view), end = at + view.len;
    if (at == FG_NOT_FOUND || (at && fg_is_alnum(url.at[at - 1])) ||
        (end < url.len && (fg_is_alnum(url.at[end]) || url.at[end] == '_')))
        return (struct fg_str){0};
    return fg_arena_printf(arena, "%.*scommit%.*s", (int)at, url.at,
                           FG_ARG(fg_str_skip(url, end)));
}

struct fg_str fg_address_subject(struct fg_arena *arena, struct fg_str url)
{
    struct fg_str of_diff = subject_of_diff(arena, url);
    if (of_diff.len)
        return of_diff;
    struct fg_address_parts parts;
    fg_address_take_apart(&parts, url);
    if (names_version(&parts))
        return fg_str_range(url.at, parts.segments[parts.n - 1].at - 1);
    bool is_dropped[FG_ADDRESS_PARAMS_MAX] = {0}, has_revision = false;
    size_t dropped = 0;
    for (size_t i = 0; i < parts.n_params; i++) {
        is_dropped[i] = is_of_action(&parts.params[i]);
        has_revision |= is_dropped[i];
    }
    for (size_t i = 0; i < parts.n_params; i++) {
        is_dropped[i] |= is_of_revision(&parts.params[i], has_revision);
        dropped += is_dropped[i];
    }
    /* A program without parameters is its home page. */
    bool is_program = parts.n && !fg_str_eq(fg_segment_stem(parts.segments[parts.n - 1]),
                                            parts.segments[parts.n - 1]);
    if (!dropped || parts.n_params == FG_ADDRESS_PARAMS_MAX ||
        (dropped == parts.n_params && (is_program || !parts.n)))
        return (struct fg_str){0};
    struct fg_buf out;
    fg_buf_init(&out, url.len + 1);
    fg_buf_add(&out, fg_str_range(url.at, parts.query.at - 1));
    char separator = '?';
    for (size_t i = 0; i < parts.n_params; i++) {
        const struct fg_address_param *param = &parts.params[i];
        if (is_dropped[i])
            continue;
        fg_buf_add(&out, (struct fg_str){&separator, 1});
        fg_buf_add(&out, fg_str_sub(parts.query, param->first, param->end));
        separator = param->end < parts.query.len ? parts.query.at[param->end] : '&';
    }
    struct fg_str subject = fg_arena_dup(arena, fg_buf_str(&out));
    fg_buf_clear(&out);
    return subject;
}

bool fg_address_is_variant(struct fg_str url)
{
    return fg_kind_of_address(url).reason == sorted_list;
}
