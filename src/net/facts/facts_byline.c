/* facts_byline.c - the date in a line that says by whom and when, or only when
 *
 * "September 23, 2024", "By Ann Smith | 23.09.2024, 14:56 Uhr", "Sports · 3 hours ago · 5
 * min read". What makes it one is that there is little else: names, which are behind a
 * "by" or before a sign that parts them from the date, and a few words that belong there.
 * In a sentence ("The council met on 3 March 2019") there are others. A word that may say
 * that the date is not that of publishing makes it none. */
#include "net/facts/facts_parts.h"
#include "net/text/date_names.h"
#include "net/text/word_list.h"

enum { HEAD_WORDS = 9, REST_WORDS = 9 };

bool fg_dateline_is_against(struct fg_str word)
{
    return fg_word_in(
        word,
        "updated update modified edited last joined due expires until event revised "
        "changed closed released release starts start begins ends opens opened "
        "closes closing deadline apply valid founded born since from between "
        "reviewed accessed retrieved effective copyright © (c) "
        "bearbeitet geändert aktualisiert stand letzte bis seit ab "
        "modifié modification jour jusqu'au depuis actualizado actualización desde "
        "hasta modificato aggiornato aggiornamento fino dal bijgewerkt gewijzigd "
        "uppdaterad senast atualizado обновлено");
}

static bool is_weekday(struct fg_str word)
{
    return fg_date_is_weekday(word) ||
           fg_word_in(word,
                      "montag dienstag mittwoch donnerstag freitag samstag sonnabend "
                      "sonntag mo di mi do fr sa so lundi mardi mercredi jeudi vendredi "
                      "samedi dimanche lunes martes miércoles jueves viernes sábado "
                      "domingo lunedì martedì mercoledì giovedì venerdì sabato domenica "
                      "maandag dinsdag woensdag donderdag vrijdag zaterdag zondag "
                      "segunda-feira terça-feira quarta-feira quinta-feira sexta-feira "
                      "måndag tisdag onsdag torsdag fredag lördag söndag mandag tirsdag "
                      "lørdag søndag pondělí úterý středa čtvrtek pátek sobota neděle "
                      "poniedziałek wtorek środa czwartek piątek niedziela понедельник "
                      "вторник среда четверг пятница суббота воскресенье");
}

static bool is_by(struct fg_str word)
{
    return fg_word_in(word, "by von par por di da door av af przez autor author");
}

static bool is_joint(struct fg_str word)
{
    return fg_word_in(word, "on the am le el il op em den at um à às a las ore om kl kl. "
                            "- – — | · • @ / » › , dne dnia");
}

static bool is_publishing(struct fg_str word)
{
    return fg_word_in(word, "published posted written publié veröffentlicht publicado "
                            "pubblicato gepubliceerd geschreven submitted erschienen "
                            "publicerad publicerat opublikowano");
}

/* Behind the date. */
static bool may_follow(struct fg_str word)
{
    return fg_word_in(word, "uhr am pm a.m. p.m. in by von par por di da door min min. "
                            "mins minute minutes minuten read reading lesezeit lecture "
                            "de lectura lettura comment comments kommentare "
                            "commentaires views r. г. år h hs o'clock and und et y e");
}

static bool is_one_of(char c, struct fg_str signs)
{
    return fg_str_chr(signs, c) != FG_NOT_FOUND;
}

static struct fg_str without_signs(struct fg_str word)
{
    while (word.len && is_one_of(word.at[word.len - 1], FG_STR(",.:;|()")))
        word.len--;
    while (word.len && is_one_of(word.at[0], FG_STR("|([")))
        word = fg_str_skip(word, 1);
    return word;
}

static bool is_sign(struct fg_str word)
{
    return !without_signs(word).len ||
           fg_word_in(word, "- – — | · • @ / » › : , ~ ■ ▪ ● ⋅ ‧");
}

/* Names start with a capital, and all that is written in other letters may be one. */
static bool is_name(struct fg_str word)
{
    return (word.at[0] >= 'A' && word.at[0] <= 'Z') ||
           (unsigned char)word.at[0] >= 0x80 || word.at[0] == '@';
}

static bool parts_from_date(struct fg_str word)
{
    return is_one_of(word.at[word.len - 1], FG_STR(",|"));
}

/* Before the date. `is_labelled`: the line has said that it is about publishing. */
static bool is_head(struct fg_str head, bool is_labelled)
{
    struct fg_str word;
    size_t n = 0;
    bool is_behind_by = is_labelled, is_open = false;
    while (fg_str_cut(&head, ' ', &word)) {
        struct fg_str bare = without_signs(word);
        if (!word.len)
            continue;
        if (++n > HEAD_WORDS || fg_dateline_is_against(bare))
            return false;
        bool is_label = word.at[word.len - 1] == ':';
        if (is_sign(word) || is_joint(bare) || is_weekday(bare) || is_publishing(bare)) {
            is_open = is_open && !is_sign(word) && !is_publishing(bare);
        } else if (is_by(bare)) {
            is_behind_by = true;
        } else if (is_label || (!is_behind_by && !is_name(bare))) {
            return false;
        } else {
            is_open = !is_behind_by && !parts_from_date(word);
        }
    }
    return !is_open;
}

/* Behind it. Once a word says that another date follows, all may. */
static bool is_rest(struct fg_str rest)
{
    struct fg_str word;
    size_t n = 0;
    bool is_behind_by = false;
    while (fg_str_cut(&rest, ' ', &word)) {
        struct fg_str bare = without_signs(word);
        if (!bare.len || is_sign(word))
            continue;
        if (fg_dateline_is_against(bare))
            return true;
        is_behind_by |= is_by(bare);
        if (++n > REST_WORDS ||
            (!is_behind_by && !fg_is_digit(bare.at[0]) && bare.at[0] != '+' &&
             !may_follow(bare) && !is_name(bare)))
            return false;
    }
    return true;
}

/* A second date, unless it is introduced as that of a change, makes both those of
 * something that goes on from one to the other. */
static bool has_second(const struct fg_date_reader *reader, struct fg_str line,
                       const struct fg_date_seen *first)
{
    struct fg_date_seen second;
    struct fg_str between, word;
    if (!fg_date_find(&second, reader, line, first->end))
        return false;
    between = fg_str_sub(line, first->end, second.at);
    while (fg_str_cut(&between, ' ', &word))
        if (fg_dateline_is_against(without_signs(word)))
            return false;
    return second.from != first->from;
}

bool fg_byline_date(struct fg_date_seen *date, const struct fg_date_reader *reader,
                    struct fg_str line, bool is_labelled)
{
    return fg_date_find(date, reader, line, 0) &&
           is_head(fg_str_sub(line, 0, date->at), is_labelled) &&
           is_rest(fg_str_skip(line, date->end)) && !has_second(reader, line, date);
}
