/* One pass over the lines. A file may name thousands of crawlers, but only two sets of
 * rules can matter to us: the groups that name us, merged, and those for everybody. So
 * each rule is kept in at most two lists, and when the file ends one of them is indexed.
 *
 * Two scopes run side by side. Rules belong to all User-agent lines since the last rule:
 * other records do not end a group (RFC 9309, 2.2.4). Crawl-delay and Content-Signal,
 * which the RFC does not know, belong to the User-agent lines right above them, so in
 *     User-agent: a / Crawl-delay: 10 / User-agent: b / Disallow: /x
 * the rule is for both and the delay for a only. This is how crawler-commons reads it. */
#include "net/robots/robots.h"

#include "base/buf.h"
#include "base/vec.h"
#include "net/robots/rules.h"

enum field { UNKNOWN, USER_AGENT, ALLOW, DISALLOW, CRAWL_DELAY, SITEMAP, SIGNAL, USAGE };

/* How many edits still leave a name recognisable. Allow must be spelt right: reading more
 * into a file than it says may forbid, but not permit. */
static const struct {
    struct fg_str name;
    enum field field;
    size_t edits;
} fields[] = {
    {FG_STR("disallow"), DISALLOW, 2},
    {FG_STR("user-agent"), USER_AGENT, 2},
    {FG_STR("allow"), ALLOW, 0},
    {FG_STR("sitemap"), SITEMAP, 1},
    {FG_STR("crawl-delay"), CRAWL_DELAY, 2},
    {FG_STR("content-signal"), SIGNAL, 0},
    {FG_STR("content-usage"), USAGE, 0},
};
enum { FIELDS = sizeof fields / sizeof *fields };

/* What the file says to one audience. */
struct section {
    FG_VEC(struct fg_rule) rules;
    FG_VEC(struct fg_robots_signal) signals;
    fg_time delay;
};

struct fg_robots {
    const struct fg_rules *rules;
    const struct fg_robots_signal *signals;
    const struct fg_str *sitemaps;
    size_t n_signals, n_sitemaps;
    fg_time delay;
    bool names_us, is_cut;
};

struct audience {
    bool us, all;
};

struct parser {
    struct fg_arena *scratch; /* goes when the file is read; its views are of the text */
    struct fg_str names[FG_ROBOTS_NAMES_MAX];
    size_t n_names;
    struct section us, all;
    FG_VEC(struct fg_str) sitemaps;
    struct audience group, batch; /* of rules, and of delays and signals */
    bool in_rules, batch_is_closed;
    bool any_group, names_us, is_cut;
};

static bool is_token_char(char c)
{
    return fg_is_alnum(c) || c == '-' || c == '_';
}

/* Bytes from 0x80 on are let through as well, so that names in other alphabets compare
 * as a whole rather than by their first Latin letters. */
static struct fg_str leading_token(struct fg_str s)
{
    size_t n = 0;
    while (n < s.len && (is_token_char(s.at[n]) || (unsigned char)s.at[n] >= 0x80))
        n++;
    return fg_str_sub(s, 0, n);
}

bool fg_robots_is_token(struct fg_str name)
{
    for (size_t i = 0; i < name.len; i++)
        if (!is_token_char(name.at[i]))
            return false;
    return name.len > 0;
}

const char *fg_robots_refuse_token(struct fg_str name)
{
    return fg_robots_is_token(name)
               ? NULL
               : "is not a robots.txt token: letters, digits, '-' and '_'";
}

/* "mybot", "mybot/1.2" or "mybot / 1.2"; but not "mybot 1.2" or "mybot/1.2 (like that)".
 */
static struct fg_str own_name(struct fg_str name)
{
    struct fg_str token = fg_str_eq(name, FG_STR("*")) ? name : leading_token(name);
    struct fg_str version = fg_str_trim(fg_str_skip(name, token.len));
    if (version.len && version.at[0] != '/')
        return (struct fg_str){0};
    version = fg_str_trim(fg_str_skip(version, 1));
    for (size_t i = 0; i < version.len; i++)
        if (fg_is_space(version.at[i]))
            return (struct fg_str){0};
    return token;
}

static void add_names(struct parser *p, struct fg_str names)
{
    struct fg_str name;
    while (p->n_names < FG_ROBOTS_NAMES_MAX && fg_str_cut(&names, ',', &name)) {
        name = own_name(fg_str_trim(name));
        if (name.len)
            p->names[p->n_names++] = name;
    }
}

static void add_agent(struct parser *p, struct fg_str agent)
{
    bool star = fg_str_starts(agent, FG_STR("*"));
    bool all = star && (agent.len == 1 || fg_is_space(agent.at[1])), us = false;
    struct fg_str token = all ? FG_STR("*") : leading_token(agent);
    for (size_t i = 0; i < p->n_names; i++)
        us |= fg_str_eq_nocase(token, p->names[i]);
    p->group.us |= us;
    p->group.all |= all;
    p->batch.us |= us;
    p->batch.all |= all;
    p->names_us |= us;
}

static void on_user_agent(struct parser *p, struct fg_str value)
{
    if (p->in_rules)
        p->group = (struct audience){0};
    if (p->in_rules || p->batch_is_closed)
        p->batch = (struct audience){0};
    p->in_rules = p->batch_is_closed = false;
    p->any_group = true;
    struct fg_str agent;
    while (fg_str_cut(&value, ',', &agent))
        add_agent(p, fg_str_trim(agent));
}

static void on_rule(struct parser *p, struct fg_str value, bool allow)
{
    struct fg_rule rule = {value, allow};
    p->in_rules = true;
    if (!value.len)
        return; /* "Disallow:" forbids nothing */
    if (p->group.us)
        fg_vec_push_in(p->scratch, &p->us.rules, rule);
    if (p->group.all)
        fg_vec_push_in(p->scratch, &p->all.rules, rule);
}

/* Digits with or without a fraction, and nothing glued to them: "10" and "0.5 seconds",
 * but not "1.2.3" or "10a". */
static bool read_delay(struct fg_str text, fg_time *delay)
{
    double whole = 0, scale = 1;
    size_t i = 0, digits = 0, dots = 0;
    for (; i < text.len && !fg_is_space(text.at[i]); i++) {
        if (text.at[i] == '.' && !dots++)
            continue;
        if (!fg_is_digit(text.at[i]))
            return false;
        digits++;
        if (dots)
            whole += (text.at[i] - '0') * (scale /= 10);
        else
            whole = whole * 10 + (text.at[i] - '0');
    }
    double most = fg_seconds(FG_ROBOTS_DELAY_MAX);
    *delay =
        whole < most ? (fg_time)(whole * (double)FG_SECOND + 0.5) : FG_ROBOTS_DELAY_MAX;
    return digits > 0;
}

static void on_delay(struct parser *p, struct fg_str value)
{
    fg_time delay;
    p->batch_is_closed = true;
    if (!read_delay(value, &delay))
        return;
    if (p->batch.us && delay > p->us.delay)
        p->us.delay = delay;
    if (p->batch.all && delay > p->all.delay)
        p->all.delay = delay;
}

static void on_signal(struct parser *p, struct fg_str value, bool is_usage)
{
    p->batch_is_closed = true;
    if (!value.len)
        return;
    bool everybody = !p->any_group;
    struct fg_robots_signal signal = {is_usage, value};
    if (p->batch.us || everybody)
        fg_vec_push_in(p->scratch, &p->us.signals, signal);
    if (p->batch.all || everybody)
        fg_vec_push_in(p->scratch, &p->all.signals, signal);
}

static bool may_be_misspelt(struct fg_str name)
{
    for (size_t i = 0; i < name.len; i++) {
        char c = name.at[i];
        if (!fg_is_alpha(c) && c != '-' && c != '_' && c != ' ')
            return false;
    }
    return true;
}

static enum field field_named(struct fg_str name)
{
    char lower[16];
    for (size_t i = 0; i < FIELDS; i++)
        if (fg_str_eq_nocase(name, fields[i].name))
            return fields[i].field;
    if (name.len < 6 || name.len > sizeof lower || !may_be_misspelt(name))
        return UNKNOWN;
    for (size_t i = 0; i < name.len; i++)
        lower[i] = fg_lower(name.at[i]);
    for (size_t i = 0; i < FIELDS; i++)
        if (fg_str_distance((struct fg_str){lower, name.len}, fields[i].name) <=
            fields[i].edits)
            return fields[i].field;
    return UNKNOWN;
}

/* "disallow /x": two words, and the colon is what is missing. */
static enum field split_at_blank(struct fg_str line, struct fg_str *value)
{
    size_t n = 0;
    while (n < line.len && !fg_is_space(line.at[n]))
        n++;
    *value = fg_str_trim(fg_str_skip(line, n));
    for (size_t i = 0; i < value->len; i++)
        if (fg_is_space(value->at[i]))
            return UNKNOWN;
    return value->len ? field_named(fg_str_sub(line, 0, n)) : UNKNOWN;
}

static enum field split_line(struct fg_str line, struct fg_str *value)
{
    size_t colon = fg_str_chr(line, ':');
    if (colon == FG_NOT_FOUND)
        return split_at_blank(line, value);
    *value = fg_str_trim(fg_str_skip(line, colon + 1));
    enum field field = field_named(fg_str_trim(fg_str_sub(line, 0, colon)));
    return field ? field : split_at_blank(line, value);
}

static void on_line(struct parser *p, struct fg_str line)
{
    line = fg_str_sub(line, 0, FG_ROBOTS_LINE_MAX);
    line = fg_str_trim(fg_str_sub(line, 0, fg_str_chr(line, '#')));
    struct fg_str value;
    if (!line.len)
        return;
    switch (split_line(line, &value)) {
    case USER_AGENT:
        on_user_agent(p, value);
        break;
    case ALLOW:
        on_rule(p, value, true);
        break;
    case DISALLOW:
        on_rule(p, value, false);
        break;
    case CRAWL_DELAY:
        on_delay(p, value);
        break;
    case SITEMAP:
        if (value.len)
            fg_vec_push_in(p->scratch, &p->sitemaps, value);
        break;
    case SIGNAL:
        on_signal(p, value, false);
        break;
    case USAGE:
        on_signal(p, value, true);
        break;
    case UNKNOWN:
        break;
    }
}

/* At most the limit, without the line that the limit runs through. */
static struct fg_str cut_at_line(struct fg_str text, size_t max_bytes)
{
    if (text.len <= max_bytes)
        return text;
    size_t n = max_bytes;
    while (n && text.at[n - 1] != '\n' && text.at[n - 1] != '\r')
        n--;
    return fg_str_sub(text, 0, n ? n : max_bytes);
}

static struct fg_str from_utf16(struct fg_arena *arena, struct fg_str text, bool is_big)
{
    text = fg_str_sub(text, 0, 2 * FG_ROBOTS_MAX_BYTES + 2); /* enough to be too long */
    char *out = fg_arena_bytes(arena, text.len / 2 * 3 + 4);
    size_t n = 0;
    uint32_t high = 0;
    for (size_t i = 0; i + 1 < text.len; i += 2) {
        unsigned char a = (unsigned char)text.at[i], b = (unsigned char)text.at[i + 1];
        uint32_t unit = (uint32_t)(is_big ? a << 8 | b : b << 8 | a);
        if (unit >= 0xD800 && unit < 0xDC00) {
            high = unit;
            continue;
        }
        if (high && unit >= 0xDC00 && unit < 0xE000)
            unit = 0x10000 + ((high - 0xD800) << 10) + (unit - 0xDC00);
        high = 0;
        n += fg_utf8_put(out + n, unit);
    }
    return (struct fg_str){out, n};
}

/* Past the mark, or as much of it as there is. */
static struct fg_str skip_byte_order_mark(struct fg_str text)
{
    static const char mark[] = "\xEF\xBB\xBF";
    for (size_t i = 0; i < 3 && text.len && text.at[0] == mark[i]; i++)
        text = fg_str_skip(text, 1);
    return text;
}

/* Someone's editor saved it as a web page: the lines without the tags. A tag ends with
 * its line, so that a "<" in a script does not swallow the rest. */
static struct fg_str strip_tags(struct fg_arena *arena, struct fg_str text)
{
    char *out = fg_arena_bytes(arena, text.len);
    size_t n = 0;
    bool in_tag = false;
    for (size_t i = 0; i < text.len; i++) {
        char c = text.at[i];
        if (c == '\n' || c == '\r')
            in_tag = false;
        in_tag |= c == '<';
        if (!in_tag)
            out[n++] = c;
        in_tag &= c != '>';
    }
    return (struct fg_str){out, n};
}

/* Without a mark, too: no name of a field has a NUL for every other byte. */
static bool is_utf16(struct fg_str text, bool is_big)
{
    if (fg_str_starts(text, is_big ? FG_STR("\xFE\xFF") : FG_STR("\xFF\xFE")))
        return true;
    return text.len >= 4 && !text.at[!is_big] && !text.at[2 + !is_big] &&
           text.at[is_big] && text.at[2 + is_big];
}

static struct fg_str prepare(struct fg_arena *arena, struct fg_str text, bool *is_cut)
{
    if (is_utf16(text, false))
        text = from_utf16(arena, text, false);
    else if (is_utf16(text, true))
        text = from_utf16(arena, text, true);
    text = skip_byte_order_mark(text);
    *is_cut = text.len > FG_ROBOTS_MAX_BYTES;
    text = cut_at_line(text, FG_ROBOTS_MAX_BYTES);
    return fg_str_starts(fg_str_trim(text), FG_STR("<")) ? strip_tags(arena, text) : text;
}

static void read_lines(struct parser *p, struct fg_str text)
{
    const char *at = text.at, *end = text.at + text.len;
    while (at < end) {
        const char *line = at;
        while (at < end && *at != '\n' && *at != '\r')
            at++;
        struct fg_str words = fg_str_range(line, at++);
        while (words.len && !words.at[words.len - 1]) /* as what is padded with NUL has */
            words.len--;
        while (words.len && !words.at[0])
            words = fg_str_skip(words, 1);
        on_line(p, words);
    }
}

/* What is kept is copied, so that a file which says little takes little room. */
static const struct fg_robots *keep(struct fg_arena *arena, const struct parser *p)
{
    const struct section *section = p->names_us ? &p->us : &p->all;
    size_t n_signals = section->signals.len, n_sitemaps = p->sitemaps.len;
    struct fg_robots_signal *signals = FG_NEW(arena, struct fg_robots_signal, n_signals);
    struct fg_str *sitemaps = FG_NEW(arena, struct fg_str, n_sitemaps);
    for (size_t i = 0; i < n_signals; i++) {
        signals[i].is_usage = section->signals.at[i].is_usage;
        signals[i].value = fg_arena_dup(arena, section->signals.at[i].value);
    }
    for (size_t i = 0; i < n_sitemaps; i++)
        sitemaps[i] = fg_arena_dup(arena, p->sitemaps.at[i]);
    struct fg_robots *robots = FG_NEW(arena, struct fg_robots, 1);
    *robots = (struct fg_robots){
        .rules = fg_rules_index(arena, section->rules.at, section->rules.len),
        .signals = signals,
        .n_signals = n_signals,
        .sitemaps = sitemaps,
        .n_sitemaps = n_sitemaps,
        .delay = section->delay,
        .names_us = p->names_us,
        .is_cut = p->is_cut,
    };
    return robots;
}

const struct fg_robots *fg_robots_parse(struct fg_arena *arena, struct fg_str text,
                                        struct fg_str names)
{
    struct fg_arena scratch = {0};
    struct parser p = {.scratch = &scratch, .us.delay = FG_NEVER, .all.delay = FG_NEVER};
    add_names(&p, names);
    if (text.len)
        read_lines(&p, prepare(&scratch, text, &p.is_cut));
    const struct fg_robots *robots = keep(arena, &p);
    fg_arena_clear(&scratch);
    return robots;
}

static unsigned line_at(struct fg_str text, const char *at)
{
    unsigned line = 1;
    for (const char *c = text.at; c < at; c++)
        line += *c == '\n' || (*c == '\r' && c[1] != '\n');
    return line;
}

unsigned fg_robots_rule_line(struct fg_str text, struct fg_str names,
                             const struct fg_rule *by)
{
    struct fg_arena scratch = {0};
    struct parser p = {.scratch = &scratch};
    unsigned line = 0;
    if (!text.len || !by->pattern.len)
        return 0;
    text = prepare(&scratch, text, &p.is_cut);
    add_names(&p, names);
    read_lines(&p, text);
    const struct section *section = p.names_us ? &p.us : &p.all;
    for (size_t i = 0; !line && i < section->rules.len; i++) {
        const struct fg_rule *rule = &section->rules.at[i];
        if (rule->allow == by->allow &&
            fg_str_eq(fg_rule_normalise(&scratch, rule->pattern), by->pattern))
            line = line_at(text, rule->pattern.at);
    }
    fg_arena_clear(&scratch);
    return line;
}

bool fg_robots_explain(struct fg_rule *by, struct fg_arena *arena,
                       const struct fg_robots *robots, struct fg_str path)
{
    if (!fg_rules_explain(by, arena, robots->rules, path) &&
        fg_str_eq(path, FG_STR("/robots.txt")))
        *by = (struct fg_rule){.allow = true};
    return by->allow;
}

bool fg_robots_allows(const struct fg_robots *robots, struct fg_str path)
{
    return fg_rules_allow(robots->rules, path) || fg_str_eq(path, FG_STR("/robots.txt"));
}

fg_time fg_robots_delay(const struct fg_robots *robots)
{
    return robots->delay;
}

const struct fg_str *fg_robots_sitemaps(const struct fg_robots *robots, size_t *n)
{
    *n = robots->n_sitemaps;
    return robots->sitemaps;
}

const struct fg_robots_signal *fg_robots_signals(const struct fg_robots *robots,
                                                 size_t *n)
{
    *n = robots->n_signals;
    return robots->signals;
}

/* "search=yes, ai-train=no": what it says about a purpose. */
static enum fg_robots_answer read_signal(struct fg_str value, struct fg_str purpose)
{
    enum fg_robots_answer answer = FG_ROBOTS_SILENT;
    struct fg_str pair, key;
    while (fg_str_cut(&value, ',', &pair)) {
        if (!fg_str_cut(&pair, '=', &key) || !fg_str_eq_nocase(fg_str_trim(key), purpose))
            continue;
        if (fg_str_eq_nocase(fg_str_trim(pair), FG_STR("no")))
            return FG_ROBOTS_NO;
        if (fg_str_eq_nocase(fg_str_trim(pair), FG_STR("yes")))
            answer = FG_ROBOTS_YES;
    }
    return answer;
}

/* A path that stands in front of the pairs, cut off; empty if there is none. */
static struct fg_str cut_path(struct fg_str *value)
{
    struct fg_str path = {0};
    if (!fg_str_starts(*value, FG_STR("/")))
        return path;
    size_t n = 0;
    while (n < value->len && !fg_is_space(value->at[n]))
        n++;
    path = fg_str_sub(*value, 0, n);
    *value = fg_str_skip(*value, n);
    return path;
}

static bool is_under(struct fg_arena *scratch, struct fg_str pattern, struct fg_str path)
{
    return !pattern.len ||
           !fg_rules_allow(
               fg_rules_index(scratch, &(struct fg_rule){.pattern = pattern}, 1), path);
}

enum fg_robots_answer fg_robots_signal_at(const struct fg_robots *robots,
                                          struct fg_str purpose, struct fg_str path)
{
    struct fg_arena scratch = {0};
    enum fg_robots_answer answer = FG_ROBOTS_SILENT;
    size_t longest = 0;
    for (size_t i = 0; i < robots->n_signals; i++) {
        struct fg_str value = robots->signals[i].value, pattern = cut_path(&value);
        enum fg_robots_answer said = read_signal(value, purpose);
        if (robots->signals[i].is_usage || !said || pattern.len < longest ||
            !is_under(&scratch, pattern, path))
            continue;
        if (pattern.len > longest || answer != FG_ROBOTS_NO)
            answer = said;
        longest = pattern.len;
    }
    fg_arena_clear(&scratch);
    return answer;
}

enum fg_robots_answer fg_robots_signal(const struct fg_robots *robots,
                                       struct fg_str purpose)
{
    enum fg_robots_answer answer = FG_ROBOTS_SILENT;
    for (size_t i = 0; i < robots->n_signals && answer != FG_ROBOTS_NO; i++) {
        enum fg_robots_answer said = read_signal(robots->signals[i].value, purpose);
        if (!robots->signals[i].is_usage && said)
            answer = said;
    }
    return answer;
}

bool fg_robots_names_us(const struct fg_robots *robots)
{
    return robots->names_us;
}

bool fg_robots_is_cut(const struct fg_robots *robots)
{
    return robots->is_cut;
}

struct fg_str fg_robots_path(struct fg_str url)
{
    url = fg_str_sub(url, 0, fg_str_chr(url, '#'));
    size_t scheme = fg_str_find(url, FG_STR("://"));
    size_t first = 0;
    while (first < url.len && url.at[first] != '/' && url.at[first] != '?')
        first++;
    if (scheme != FG_NOT_FOUND && scheme < first)
        first = scheme + 3;
    else if (fg_str_starts(url, FG_STR("//")))
        first = 2;
    while (first < url.len && url.at[first] != '/' && url.at[first] != '?')
        first++;
    return fg_str_skip(url, first);
}
