/* facts_dateline.c - the date in a line that says what it is
 *
 * Archives of mail, forums, trackers and browsers of repositories write their dates for
 * people: "Date: Tue, 17 Nov 2026 22:25:18 +0200", "by Ann » Tue Nov 17, 2026 10:25 pm".
 * A line counts if it starts with one of the labels below, stands outside of navigation
 * and before the text, or within its first lines. A page that is wrongly taken for old is
 * never told of, so whatever may mean something else is left out: a day without an hour
 * is believed only of labels that are about publishing, and not in a table, where "Opened
 * 3 March 1889" is about a bridge; "Date" without a zone not beside a venue.
 *
 * Where the same label comes again in the same place with another date, the page is a
 * thread or a list: the first date counts if nothing stands before it and it is not in an
 * entry of a list. A line without a label must be a whole date with hour and zone, behind
 * the heading, as pipermail has it below the author. Where there is none of these, a line
 * beside the heading counts that is a date for people (facts_byline.c), if it is the only
 * one. Before the heading it may be the clock of the site, so today does not count. */
#include "net/facts/facts_parts.h"
#include "net/text/date_names.h"
#include "net/text/word_list.h"

enum {
    LINE_MAX = 240,   /* bytes; longer ones are text */
    TEXT_WORDS = 30,  /* of a line that is text */
    HEAD_WORDS = 60,  /* of short lines before the date */
    FIRST_WORDS = 20, /* of them where others have such a date, too */
    LEAD_BYTES = 12,  /* of a link before the label: "Post" */
    NAME_WORDS = 8,   /* between label and date */
    REST_WORDS = 8,   /* behind the date, where there is no colon */
    DATE_WORDS = 9,
    WORDS_MAX = 48,
    AUTHOR_LINES = 3, /* from "author" to the date */
};

enum {
    DAY = 1,    /* believed without an hour */
    NAMES = 2,  /* a name may stand before the date */
    ARROW = 4,  /* "»" must stand before the date */
    AUTHOR = 8, /* the date is whole, on one of the next lines */
    BARE = 16,  /* no label at all */
    EVENT = 32, /* what stands here is when and where something happens */
};

static const struct {
    unsigned kind;
    const char *labels; /* parted by commas; the longer of two that start alike first */
} table[] = {
    {DAY | NAMES,
     "date posted,date published,date submitted,date reported,publication date,"
     "posted,published,submitted,reported,sent,gesendet,geschrieben,verfasst,"
     "veröffentlicht,Veröffentlicht,eingereicht,gemeldet,envoyé,posté,publié,soumis,"
     "signalé,geschreven,enviado,publicado,reportado,inviato,pubblicato,segnalato,"
     "verzonden,"
     "geplaatst,gepubliceerd,skickat,publicerad,publicerat,wysłano,opublikowano,"
     "Отправлено,Опубликовано"},
    {NAMES, "date created,date added,date opened,user & date,created,opened,added,"
            "erstellt,angelegt,hinzugefügt,geöffnet,créé,ouvert,ajouté,creado,abierto,"
            "añadido,creato,aperto,aggiunto,aangemaakt,criado,aberto,skapad,utworzono,"
            "Создано"},
    {0, "author date,authored date,authordate,commit date,commitdate,date,datum,fecha,"
        "data,dátum,Дата"},
    {ARROW | NAMES, "post by,by,von,par,por,da,door,av,przez"},
    {AUTHOR, "author,autor,auteur,autore,författare"},
    {EVENT, "time,venue,location,where,when,place,doors,tickets,start,starts,end,ends,"
            "begin,begins,deadline,registration,ort,uhrzeit,beginn,ende,lieu,heure,"
            "lugar,hora,luogo,ora,plaats,tijd"},
};

/* A part of a line, word by word. */
struct words {
    struct fg_str at[WORDS_MAX];
    size_t n;
};

static void take_words(struct words *words, struct fg_str text)
{
    struct fg_str word;
    words->n = 0;
    while (words->n < WORDS_MAX && fg_str_cut(&text, ' ', &word))
        if (word.len)
            words->at[words->n++] = word;
}

/* --- labels --- */

static bool starts_with_label(struct fg_str line, struct fg_str label)
{
    return fg_str_starts_nocase(line, label) &&
           (line.len == label.len || line.at[label.len] == ':' ||
            line.at[label.len] == ' ');
}

/* Takes it off the line. Its number, from 1; 0 if there is none. */
static unsigned take_label(struct fg_str *line, unsigned *kind)
{
    unsigned number = 0;
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        struct fg_str rest = fg_str_from(table[i].labels), label;
        while (fg_str_cut(&rest, ',', &label)) {
            number++;
            if (!starts_with_label(*line, label))
                continue;
            *line = fg_str_skip(*line, label.len);
            *kind = table[i].kind;
            return number;
        }
    }
    return 0;
}

static bool take_colon(struct fg_str *line)
{
    *line = fg_str_trim(*line);
    bool has_colon = line->len && line->at[0] == ':';
    *line = fg_str_trim(fg_str_skip(*line, has_colon));
    return has_colon;
}

bool fg_dateline_is_label(struct fg_str text)
{
    unsigned kind = 0;
    text = fg_str_trim(text);
    if (!take_label(&text, &kind) || !(kind & DAY))
        return false;
    take_colon(&text);
    return !text.len;
}

/* --- dates --- */

struct found {
    fg_time time;
    bool has_clock, has_zone;
    size_t first, end; /* among the words */
};

static bool is_filler(struct fg_str word)
{
    return fg_word_in(word, "- – — | at um à às a las ore om kl. @ uhr , ·");
}

static bool is_joint(struct fg_str word)
{
    return is_filler(word) || fg_word_in(word, "on the am le el il op em den » › den: ,");
}

static struct fg_str without_signs(struct fg_str word)
{
    while (word.len && (word.at[word.len - 1] == ',' || word.at[word.len - 1] == '.'))
        word.len--;
    return word;
}

/* Could a date start with it? */
static bool starts_date(const struct words *words, size_t i)
{
    struct fg_str word = words->at[i];
    int month;
    if (fg_is_digit(word.at[0]))
        return true;
    bool has_comma = word.at[word.len - 1] == ',';
    word = without_signs(word);
    return fg_date_is_weekday(word) || fg_date_month(word, &month) ||
           (has_comma && i + 1 < words->n && fg_is_digit(words->at[i + 1].at[0]));
}

static bool has_clock(struct fg_str word)
{
    size_t colon = fg_str_chr(word, ':');
    return colon != FG_NOT_FOUND && colon > 0 && colon + 1 < word.len &&
           fg_is_digit(word.at[colon - 1]) && fg_is_digit(word.at[colon + 1]);
}

/* Letters that are in use in places half a day apart. */
static bool is_doubtful_zone(struct fg_str word)
{
    return fg_word_in(word, "cst ist bst ast");
}

static bool is_zone(struct fg_str word)
{
    int minutes;
    size_t digits = 0;
    for (size_t i = 1; i < word.len; i++)
        digits += fg_is_digit(word.at[i]) != 0;
    if (word.at[0] == '+' || word.at[0] == '-')
        return digits == 4;
    return word.len >= 3 && word.len <= 4 && fg_date_zone(word, &minutes);
}

/* "22:25:18Z", "2026-11-17T22:25:18+02:00" */
static bool ends_with_zone(struct fg_str word)
{
    size_t colon = fg_str_chr(word, ':');
    if (!has_clock(word))
        return false;
    for (size_t i = colon; i < word.len; i++)
        if (word.at[i] == '+' || word.at[i] == '-')
            return is_zone(fg_str_skip(word, i));
    return word.at[word.len - 1] == 'Z';
}

/* A year of four digits and a day: "2026" and "2026-11" are dates to others. Behind the
 * clock only a year counts. */
static bool has_day(struct fg_str text)
{
    size_t groups = 0, first = 0;
    bool has_year = false, has_letters = false, is_behind = false;
    for (size_t i = 0; i <= text.len; i++) {
        char c = i < text.len ? text.at[i] : ' ';
        if (fg_is_digit(c))
            continue;
        size_t run = i - first;
        bool is_apart = first == 0 || text.at[first - 1] == ' ';
        bool is_year = run == 4 && (text.at[first] == '1' || text.at[first] == '2') &&
                       (!is_behind || is_apart);
        is_behind |= c == ':';
        groups += run && (is_year || !is_behind);
        has_year |= is_year;
        has_letters |= !is_behind && (fg_is_alpha(c) || (unsigned char)c >= 0x80);
        first = i + 1;
    }
    return has_year && groups >= (has_letters ? 2 : 3);
}

static bool read_date(const struct words *words, struct found *found)
{
    char room[FG_DATE_MAX];
    size_t len = 0;
    found->has_clock = found->has_zone = false;
    for (size_t i = found->first; i < found->end; i++) {
        struct fg_str word = words->at[i];
        if (is_filler(word) && i > found->first)
            continue;
        if (found->has_clock && is_doubtful_zone(word))
            continue;
        if (len + word.len + 1 > sizeof room)
            return false;
        found->has_zone |= (found->has_clock && is_zone(word)) || ends_with_zone(word);
        found->has_clock |= has_clock(word);
        memcpy(room + len, word.at, word.len);
        len += word.len;
        room[len++] = ' ';
    }
    struct fg_str text = fg_str_trim((struct fg_str){room, len});
    found->time = fg_date_parse(text);
    return found->time != FG_NEVER && found->time > 20 * 365 * FG_DAY && has_day(text);
}

/* Words that make the next date another than that of publishing. */
static bool is_against(struct fg_str word)
{
    struct fg_str bare = without_signs(word);
    if (bare.len && bare.at[bare.len - 1] == ':')
        bare.len--;
    return fg_dateline_is_against(bare);
}

static bool may_stand_before(struct fg_str word, unsigned kind)
{
    return is_joint(word) || (kind & NAMES && !is_against(word));
}

/* The first date, as long as it goes. */
static bool find_date(const struct words *words, unsigned kind, struct found *found)
{
    for (size_t first = 0; first < words->n && first <= NAME_WORDS; first++) {
        size_t most = first + DATE_WORDS < words->n ? first + DATE_WORDS : words->n;
        bool is_start = starts_date(words, first);
        for (size_t end = most; is_start && end > first; end--) {
            *found = (struct found){.first = first, .end = end};
            if (!is_filler(words->at[end - 1]) && read_date(words, found))
                return true;
        }
        if (!may_stand_before(words->at[first], kind))
            return false;
    }
    return false;
}

static bool is_whole(const struct words *words, const struct found *found)
{
    return found->first == 0 &&
           (found->end == words->n || words->at[found->end].at[0] == '(');
}

static bool follows_arrow(const struct words *words, const struct found *found)
{
    return found->first > 0 && fg_word_in(words->at[found->first - 1], "» ›");
}

/* --- lines --- */

static bool is_believed(const struct fg_dateline *d, unsigned kind, bool has_colon,
                        const struct words *words, const struct found *found)
{
    if (kind & (AUTHOR | BARE) &&
        (!found->has_clock || !found->has_zone || !is_whole(words, found)))
        return false;
    if (kind & ARROW && (!follows_arrow(words, found) || d->place.is_entry))
        return false;
    if (!found->has_clock && (!(kind & DAY) || d->place.is_row))
        return false;
    return has_colon || words->n - found->end <= REST_WORDS ||
           words->at[found->end].at[0] == '(';
}

static void keep(struct fg_dateline *d, unsigned label, unsigned kind,
                 const struct found *found, size_t depth)
{
    bool is_day = !found->has_clock || !found->has_zone;
    fg_time time = is_day ? found->time - found->time % FG_DAY : found->time;
    if (d->found == FG_NEVER && !d->is_over) {
        d->found = time;
        d->is_day = is_day;
        d->label = label;
        d->depth = depth;
        d->is_listed = d->place.is_entry;
        d->may_be_event = !kind && is_day;
        d->words_before = d->words;
    } else if (d->found != FG_NEVER && label == d->label && depth == d->depth &&
               time != d->found) {
        d->has_rivals = true;
    }
}

static void keep_seen(struct fg_dateline *d, const struct fg_date_seen *date)
{
    if (!d->byline.has_seen)
        d->byline.seen = *date;
    d->byline.has_two |= d->byline.has_seen && d->byline.seen.from != date->from;
    d->byline.has_seen = true;
}

/* What is no date to programs may be one to people. */
static void look_for_byline(struct fg_dateline *d, struct fg_str line, bool is_labelled)
{
    enum { LINKED_MOST = 5 };
    struct fg_date_seen date;
    const struct fg_dateline_place *place = &d->place;
    if (d->is_over || place->is_entry || place->is_row || place->is_pre ||
        d->linked_words > LINKED_MOST ||
        (!place->is_headed && !place->is_above && !is_labelled) ||
        !fg_byline_date(&date, &d->byline.reader, line, is_labelled))
        return;
    if (place->is_headed || is_labelled) {
        keep_seen(d, &date);
        return;
    }
    d->byline.above = date;
    d->byline.has_above = true;
    d->byline.words_above = d->words;
}

/* The line holds what the label of an earlier one announced, or nothing of it. */
static bool use_label_above(struct fg_dateline *d, const struct words *words)
{
    struct found found;
    if (!d->lines_awaited)
        return false;
    d->lines_awaited--;
    if (!find_date(words, d->awaited_kind, &found) ||
        !is_believed(d, d->awaited_kind, true, words, &found))
        return false;
    keep(d, d->awaited, d->awaited_kind, &found, d->awaited_depth);
    d->lines_awaited = 0;
    return true;
}

static void count_line(struct fg_dateline *d, struct fg_str line)
{
    size_t colon = fg_str_chr(line, ':');
    unsigned n = fg_count_words(line);
    d->is_over |= n > TEXT_WORDS;
    if (colon == FG_NOT_FOUND || colon > 30)
        d->words += n > d->linked_words ? n - d->linked_words : 0;
    d->is_over |= d->words > HEAD_WORDS;
}

static void read_labelled(struct fg_dateline *d, struct fg_str line, unsigned label,
                          unsigned kind)
{
    struct words words;
    struct found found;
    bool has_colon = take_colon(&line);
    if (kind & EVENT) {
        d->has_event |= has_colon || !line.len;
        return;
    }
    if (!line.len) {
        d->awaited = label;
        d->awaited_kind = kind;
        d->awaited_depth = d->place.depth;
        d->lines_awaited = kind & AUTHOR ? AUTHOR_LINES : 1;
        return;
    }
    take_words(&words, line);
    if (find_date(&words, kind, &found) &&
        is_believed(d, kind, has_colon, &words, &found))
        keep(d, label, kind, &found, d->place.depth);
    else if (kind & DAY)
        look_for_byline(d, line, true);
}

static void read_bare(struct fg_dateline *d, const struct words *words)
{
    struct found found;
    if (d->place.is_headed && !d->linked_words && !d->place.is_entry &&
        find_date(words, 0, &found) && is_believed(d, BARE, false, words, &found))
        keep(d, 0, BARE, &found, d->place.depth);
}

static void read_line(struct fg_dateline *d, struct fg_str line)
{
    struct words words;
    if (d->place.is_headed && !d->byline.is_headed)
        d->byline.words_at_heading = d->words;
    d->byline.is_headed |= d->place.is_headed;
    struct fg_str rest = fg_str_trim(fg_str_skip(line, d->lead));
    unsigned kind = 0, label = d->lead <= LEAD_BYTES ? take_label(&rest, &kind) : 0;
    if (d->lead && !(kind & ARROW))
        label = 0;
    take_words(&words, line);
    if (!use_label_above(d, &words)) {
        if (label)
            read_labelled(d, rest, label, kind);
        else
            read_bare(d, &words);
        if (!(kind & (DAY | EVENT)))
            look_for_byline(d, line, false);
    }
    if (!label)
        count_line(d, line);
}

static void end_line(struct fg_dateline *d)
{
    struct fg_str line = fg_prose_str(&d->line);
    bool is_listed = d->place.is_listed && !d->lines_awaited;
    if (line.len && !d->place.is_outside && !is_listed) {
        if (d->line.is_cut)
            d->is_over = true;
        else
            read_line(d, line);
    }
    fg_prose_reset(&d->line);
    d->is_begun = false;
    d->lead = 0;
    d->linked_words = 0;
}

static void add_text(struct fg_dateline *d, const struct fg_walk *walk,
                     struct fg_str source, const struct fg_dateline_place *place)
{
    size_t before = d->line.len;
    if (walk->token.text_rules & FG_HTML_REFS)
        fg_prose_add(&d->line, source);
    else
        fg_prose_add_plain(&d->line, source);
    if (d->line.len == before && !d->line.is_cut)
        return;
    if (!d->is_begun)
        d->place = *place;
    d->place.is_outside |= place->is_outside;
    if (place->is_linked && (!d->is_begun || d->lead == before))
        d->lead = d->line.len;
    if (place->is_linked)
        d->linked_words += fg_count_words(source);
    d->is_begun = true;
}

static bool parts_lines(enum fg_tag tag)
{
    return fg_tag_traits[tag] & FG_TRAIT_BLOCK || tag == FG_TAG_TD || tag == FG_TAG_TH ||
           tag == FG_TAG_DT || tag == FG_TAG_DD;
}

void fg_dateline_init(struct fg_dateline *d, fg_time now, struct fg_str language)
{
    *d = (struct fg_dateline){.found = FG_NEVER,
                              .byline.reader = {.now = now, .language = language}};
    fg_prose_init(&d->line, LINE_MAX);
}

void fg_dateline_clear(struct fg_dateline *d)
{
    fg_prose_clear(&d->line);
}

void fg_dateline_see(struct fg_dateline *d, const struct fg_walk *walk,
                     enum fg_walk_step step, const struct fg_dateline_place *place)
{
    if (fg_dateline_is_done(d))
        return;
    if (step != FG_WALK_TEXT) {
        if (parts_lines(walk->token.tag))
            end_line(d);
        return;
    }
    if (!fg_walk_is_seen(walk))
        return;
    struct fg_str text = walk->token.text, part;
    if (!place->is_pre) {
        add_text(d, walk, text, place);
        return;
    }
    while (fg_str_cut(&text, '\n', &part)) {
        add_text(d, walk, part, place);
        if (text.at)
            end_line(d);
    }
}

/* MHonArc says the date of a mail in a comment at the top of the file. */
static fg_time date_of_comment(struct fg_str html, bool *is_day)
{
    enum { TOP = 4096 };
    static const struct fg_str mark = {"<!--X-Date:", 11};
    struct fg_str top = fg_str_sub(html, 0, TOP);
    size_t at = fg_str_find(top, mark);
    if (at == FG_NOT_FOUND)
        return FG_NEVER;
    struct fg_str rest = fg_str_skip(top, at + mark.len);
    size_t end = fg_str_find(rest, FG_STR("-->"));
    struct words words;
    struct found found;
    take_words(&words, fg_str_trim(fg_str_sub(rest, 0, end)));
    if (end == FG_NOT_FOUND || !find_date(&words, 0, &found) || !found.has_clock ||
        !is_whole(&words, &found))
        return FG_NEVER;
    *is_day = !found.has_zone;
    return *is_day ? found.time - found.time % FG_DAY : found.time;
}

fg_time fg_dateline_date(struct fg_dateline *d, struct fg_str html, enum fg_grain *grain)
{
    fg_time now = d->byline.reader.now;
    bool is_day = false;
    end_line(d);
    fg_time time = date_of_comment(html, &is_day);
    if (time == FG_NEVER) {
        time = d->found;
        is_day = d->is_day;
        if ((d->has_rivals && (d->is_listed || d->words_before > FIRST_WORDS)) ||
            (d->has_event && d->may_be_event))
            return FG_NEVER;
    }
    *grain = is_day ? FG_GRAIN_DAY : FG_GRAIN_MOMENT;
    if (time == FG_NEVER || now == FG_NEVER)
        return time;
    /* What is dated this very second is the clock of the server. */
    bool is_clock = !is_day && time > now - 5 * FG_SECOND && time < now + 5 * FG_SECOND;
    /* The day may have begun elsewhere, and no clock is quite right. */
    fg_time ahead = is_day ? 14 * FG_HOUR : FG_HOUR;
    return is_clock || time > now + ahead ? FG_NEVER : time;
}

const struct fg_date_seen *fg_dateline_seen(const struct fg_dateline *d)
{
    enum { TITLE_WORDS = 30 };
    fg_time now = d->byline.reader.now;
    if (d->found != FG_NEVER || d->byline.has_two || d->has_event)
        return NULL;
    if (d->byline.has_seen)
        return &d->byline.seen;
    bool is_clock = now != FG_NEVER && d->byline.above.until > now - FG_DAY / 2;
    return d->byline.has_above && d->byline.is_headed && !is_clock &&
                   d->byline.words_at_heading - d->byline.words_above <= TITLE_WORDS
               ? &d->byline.above
               : NULL;
}
