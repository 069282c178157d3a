#include "net/url/canonical.h"

#include "base/buf.h"
#include "base/vec.h"
#include "net/url/percent.h"

/* Parameters that do not choose the page: who sent the visitor, and who the visitor is.
 * A star at the end stands for any continuation. Compared without regard to case, sorted
 * here by who reads them. docs/url.md explains the list; extend both. */
static const char *const dropped[] = {
    /* Google Analytics and Ads */
    "utm_*",
    "gclid",
    "gclsrc",
    "dclid",
    "gbraid",
    "wbraid",
    "gad_source",
    "gad_campaignid",
    "srsltid",
    "_ga",
    "_gl",
    "_gac",
    /* Meta */
    "fbclid",
    "fb_action_ids",
    "fb_action_types",
    "fb_ref",
    "fb_source",
    "igshid",
    "igsh",
    /* Microsoft, X, TikTok, Yandex, LinkedIn, Pinterest, Yahoo, Alibaba */
    "msclkid",
    "twclid",
    "__twitter_impression",
    "ref_src",
    "ref_url",
    "ttclid",
    "yclid",
    "ymclid",
    "_openstat",
    "li_fat_id",
    "epik",
    "guccounter",
    "guce_referrer",
    "guce_referrer_sig",
    "spm",
    /* Matomo, Piwik, AT Internet, Webtrends, Adobe */
    "mtm_*",
    "pk_*",
    "piwik_*",
    "xtor",
    "at_campaign",
    "at_medium",
    "wt.mc_*",
    "s_kwcid",
    "ef_id",
    /* mail: HubSpot, Mailchimp, Marketo, Vero, Omeda, Klaviyo, and Branch */
    "_hsenc",
    "_hsmi",
    "__hssc",
    "__hstc",
    "__hsfp",
    "hsctatracking",
    "hsa_*",
    "mc_cid",
    "mc_eid",
    "mkt_tok",
    "vero_id",
    "vero_conv",
    "oly_anon_id",
    "oly_enc_id",
    "_kx",
    "_branch_match_id",
    "_branch_referrer",
    /* sessions: PHP, Java, ASP, ColdFusion, osCommerce, Zen Cart */
    "phpsessid",
    "jsessionid",
    "aspsessionid*",
    "asp.net_sessionid",
    "cfid",
    "cftoken",
    "oscsid",
    "zenid",
    "sessionid",
    "session_id",
    "sessid",
};

/* "sid" is a session in phpBB and the like, where it is an MD5, and a story elsewhere. */
static bool is_session_hash(struct fg_str value)
{
    for (size_t i = 0; i < value.len; i++)
        if (fg_hex(value.at[i]) < 0)
            return false;
    return value.len == 32;
}

static bool matches(struct fg_str name, struct fg_str pattern)
{
    if (pattern.at[pattern.len - 1] != '*')
        return fg_str_eq_nocase(name, pattern);
    return fg_str_starts_nocase(name, fg_str_sub(pattern, 0, pattern.len - 1));
}

/* The first letter settles it for nearly every pair. */
bool fg_canonical_drops(struct fg_str name, struct fg_str value)
{
    char first = name.len ? fg_lower(name.at[0]) : '\0';
    for (size_t i = 0; i < sizeof dropped / sizeof *dropped; i++)
        if (dropped[i][0] == first && matches(name, fg_str_from(dropped[i])))
            return true;
    return fg_str_eq_nocase(name, FG_STR("sid")) && is_session_hash(value);
}

/* Percent-encoding. */

enum { PLAIN = 1, DECODED = 2 };

/* RFC 3986: what may stand in a path or query as it is, and what must not be encoded. */
static const uint8_t allowed[256] = {
    ['!'] = PLAIN,           ['$'] = PLAIN,
    ['&' ... ','] = PLAIN,   ['-' ... '.'] = PLAIN | DECODED,
    ['/'] = PLAIN,           ['0' ... '9'] = PLAIN | DECODED,
    [':' ... ';'] = PLAIN,   ['='] = PLAIN,
    ['?' ... '@'] = PLAIN,   ['A' ... 'Z'] = PLAIN | DECODED,
    ['_'] = PLAIN | DECODED, ['a' ... 'z'] = PLAIN | DECODED,
    ['~'] = PLAIN | DECODED,
};

static size_t count_plain(struct fg_str s)
{
    size_t n = 0;
    while (n < s.len && allowed[(unsigned char)s.at[n]] & PLAIN)
        n++;
    return n;
}

/* Encoding a "%" that starts nothing is what makes this final: with "%%36%31" left to
 * itself, decoding its end would give "%61", to be decoded next time. */
static void add_normalised(struct fg_buf *out, struct fg_str s)
{
    while (s.len) {
        size_t n = count_plain(s);
        fg_buf_add(out, fg_str_sub(s, 0, n));
        s = fg_str_skip(s, n);
        if (s.len == 0)
            return;
        int byte = fg_percent_byte(s);
        if (byte < 0)
            fg_percent_add(out, (unsigned char)s.at[0]);
        else if (allowed[byte] & DECODED)
            fg_buf_add_char(out, (char)byte);
        else
            fg_percent_add(out, (unsigned char)byte);
        s = fg_str_skip(s, byte < 0 ? 1 : 3);
    }
}

/* The path. */

/* Without its session the segment would be "." or "..", and mean something else. */
static bool is_dots(struct fg_str segment)
{
    return fg_str_eq(segment, FG_STR(".")) || fg_str_eq(segment, FG_STR(".."));
}

/* Cut ";jsessionid=..." out of the path that starts at `first` and is normalised. */
static void drop_path_sessions(struct fg_buf *out, size_t first)
{
    static const struct fg_str session = {";jsessionid=", 12};
    struct fg_str rest = fg_str_skip(fg_buf_str(out), first);
    size_t to = first, segment = first;
    while (rest.len) {
        struct fg_str kept = {out->at + segment, to - segment};
        if (fg_str_starts_nocase(rest, session) && !is_dots(kept)) {
            rest = fg_str_skip(rest, 1);
            while (rest.len && rest.at[0] != '/' && rest.at[0] != ';')
                rest = fg_str_skip(rest, 1);
            continue;
        }
        char c = rest.at[0];
        out->at[to++] = c;
        segment = c == '/' ? to : segment;
        rest = fg_str_skip(rest, 1);
    }
    out->len = to;
}

static void add_path(struct fg_buf *out, struct fg_str path, unsigned keep)
{
    size_t first = out->len;
    add_normalised(out, path);
    if (!(keep & FG_CANONICAL_KEEP_TRACKING) && fg_str_chr(path, ';') != FG_NOT_FOUND)
        drop_path_sessions(out, first);
}

/* The query. */

struct parameter {
    struct fg_str name, text; /* text is "name=value", "name=" or the name alone */
};
typedef FG_VEC(struct parameter) parameters;

static int by_name(const void *a, const void *b)
{
    const struct parameter *p = a, *q = b;
    int order = fg_str_cmp(p->name, q->name);
    return order ? order : (p->text.at > q->text.at) - (p->text.at < q->text.at);
}

static void split(struct fg_str query, unsigned keep, parameters *list)
{
    struct fg_str text;
    while (fg_str_cut(&query, '&', &text)) {
        size_t equals = fg_str_chr(text, '=');
        struct fg_str name = fg_str_sub(text, 0, equals), value = {"", 0};
        if (equals != FG_NOT_FOUND)
            value = fg_str_skip(text, equals + 1);
        if (name.len == 0)
            continue;
        if (!(keep & FG_CANONICAL_KEEP_TRACKING) && fg_canonical_drops(name, value))
            continue;
        fg_vec_push(list, ((struct parameter){name, text}));
    }
}

static void add_query(struct fg_buf *out, struct fg_str query, unsigned keep)
{
    struct fg_buf text;
    parameters list = {0};
    fg_buf_init(&text, 3 * query.len);
    add_normalised(&text, query);
    split(fg_buf_str(&text), keep, &list);
    if (list.len > 1 && !(keep & FG_CANONICAL_KEEP_ORDER))
        qsort(list.at, list.len, sizeof *list.at, by_name);
    for (size_t i = 0; i < list.len; i++) {
        fg_buf_add_char(out, i == 0 ? '?' : '&');
        fg_buf_add(out, list.at[i].text);
    }
    fg_vec_clear(&list);
    fg_buf_clear(&text);
}

/* All of it. */

/* "foo.1.." is a name, "foo.1" a broken address: with two dots at its end it stays. */
static struct fg_str without_last_dot(struct fg_str host)
{
    size_t n = host.len;
    return n > 1 && host.at[n - 1] == '.' && host.at[n - 2] != '.'
               ? fg_str_sub(host, 0, n - 1)
               : host;
}

/* Most links: nothing to drop and nothing to write otherwise. */
static bool is_plain(const struct fg_url *url)
{
    struct fg_str path = fg_url_pathname(url), host = fg_url_hostname(url);
    return url->query_start == url->fragment_start &&
           url->host_start == url->scheme_end + 3 && count_plain(path) == path.len &&
           host.at[host.len - 1] != '.' && fg_str_chr(path, ';') == FG_NOT_FOUND;
}

struct fg_str fg_canonical_from(struct fg_arena *arena, const struct fg_url *url,
                                unsigned keep)
{
    if (!fg_url_is_http(url) || is_plain(url))
        return fg_str_sub(url->href, 0, url->fragment_start);
    struct fg_buf out;
    fg_buf_init(&out, 3 * url->href.len);
    fg_buf_add(&out, fg_url_scheme(url));
    fg_buf_add(&out, FG_STR("://"));
    fg_buf_add(&out, without_last_dot(fg_url_hostname(url)));
    fg_buf_add(&out, fg_str_sub(url->href, url->host_end, url->path_start));
    add_path(&out, fg_url_pathname(url), keep);
    struct fg_str query = fg_str_skip(fg_url_search(url), 1);
    if (query.len)
        add_query(&out, query, keep);
    struct fg_str text = fg_arena_dup(arena, fg_buf_str(&out));
    fg_buf_clear(&out);
    return text;
}

/* "a=", in the form of a parameter or of all that follows: has it an empty value? */
static bool is_empty_value(struct fg_str text)
{
    return text.len > 1 && fg_str_chr(text, '=') == text.len - 1;
}

static bool has_empty_values(struct fg_str query)
{
    struct fg_str text;
    while (fg_str_cut(&query, '&', &text))
        if (is_empty_value(text))
            return true;
    return false;
}

/* With "a" for "a=". */
static uint64_t hash_without_equals(struct fg_str front, struct fg_str query)
{
    struct fg_buf out;
    struct fg_str text;
    fg_buf_init(&out, front.len + query.len + 1);
    fg_buf_add(&out, front);
    for (bool is_first = true; fg_str_cut(&query, '&', &text); is_first = false) {
        if (!is_first)
            fg_buf_add_char(&out, '&');
        fg_buf_add(&out, is_empty_value(text) ? fg_str_sub(text, 0, text.len - 1) : text);
    }
    uint64_t hash = fg_str_hash(fg_buf_str(&out));
    fg_buf_clear(&out);
    return hash;
}

uint64_t fg_canonical_fingerprint(struct fg_str canonical)
{
    size_t mark = fg_str_chr(canonical, '?');
    if (mark == FG_NOT_FOUND || !has_empty_values(fg_str_skip(canonical, mark + 1)))
        return fg_str_hash(canonical);
    return hash_without_equals(fg_str_sub(canonical, 0, mark + 1),
                               fg_str_skip(canonical, mark + 1));
}

struct fg_str fg_canonical_site(struct fg_str canonical)
{
    size_t first = 0;
    if (fg_str_starts(canonical, FG_STR("http://")))
        first = 7;
    else if (fg_str_starts(canonical, FG_STR("https://")))
        first = 8;
    size_t slash = fg_str_chr(fg_str_skip(canonical, first), '/');
    return first && slash != FG_NOT_FOUND ? fg_str_sub(canonical, 0, first + slash)
                                          : (struct fg_str){"", 0};
}
