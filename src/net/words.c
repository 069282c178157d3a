#include "net/words.h"

#include "base/buf.h"
#include "net/word_ranges.inc"

enum { SEPARATOR, LETTER, DIGIT, SINGLE, INVISIBLE };
enum { RANDOM_FROM = 16, ASCII_WORD_MAX = 40, SLOTS = 1024 };

/* Words of dates and ages, in lower case: figures when a figure or another of them stands
 * beside. English, German, French, Spanish, Portuguese, Italian, Dutch, Polish, Turkish,
 * Russian; then Chinese, Japanese and Korean. */
static const char *const beside[] = {
    "january february march april may june july august september october november "
    "december "
    "jan feb mar apr jun jul aug sep sept oct nov dec monday tuesday wednesday thursday "
    "friday saturday sunday mon tue tues wed thu thur thurs fri sat sun second seconds "
    "sec "
    "secs minute minutes min mins hour hours hr hrs day days week weeks month months "
    "year "
    "years yr yrs ago am pm utc gmt est edt pst pdt cet cest just now st nd rd th",
    "januar februar märz mai juni juli oktober dezember montag dienstag mittwoch "
    "donnerstag "
    "freitag samstag sonntag sekunde sekunden minuten stunde stunden tag tage tagen "
    "woche "
    "wochen monat monate monaten jahr jahre jahren vor uhr",
    "janvier février mars avril juin juillet août septembre octobre novembre décembre "
    "lundi "
    "mardi mercredi jeudi vendredi samedi dimanche seconde secondes heure heures jour "
    "jours "
    "semaine semaines mois ans année années hier",
    "enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre "
    "diciembre "
    "lunes martes miércoles jueves viernes sábado domingo segundo segundos minuto "
    "minutos "
    "hora horas día días semana semanas mes meses año años hace",
    "janeiro fevereiro março maio junho julho setembro outubro novembro dezembro segunda "
    "terça quarta quinta sexta dia dias mês ano anos há atrás",
    "gennaio febbraio aprile maggio giugno luglio settembre ottobre dicembre lunedì "
    "martedì "
    "mercoledì giovedì venerdì sabato domenica secondi minuti ora ore giorno giorni "
    "settimana "
    "settimane mese mesi anno anni fa",
    "januari februari maart mei augustus maandag dinsdag woensdag donderdag vrijdag "
    "zaterdag "
    "zondag seconden minuut uur uren dag dagen weken maand maanden jaar geleden",
    "stycznia lutego marca kwietnia maja czerwca lipca sierpnia września października "
    "listopada grudnia sekund minut minuty godzin godziny dni tygodni miesięcy lat temu",
    "ocak şubat mart nisan mayıs haziran temmuz ağustos eylül ekim kasım aralık saniye "
    "dakika "
    "saat gün hafta ay yıl önce",
    "января февраля марта апреля мая июня июля августа сентября октября ноября декабря "
    "понедельник вторник среда четверг пятница суббота воскресенье секунд секунды минут "
    "минуты минуту час часа часов день дня дней неделю недели месяц месяца месяцев год "
    "года "
    "лет назад",
    "年 月 日 天 时 時 分 秒 前 周 週 间 間 小 点 년 월 일 시간 분 초 전",
};
static const char *const always[] = {
    "yesterday today tomorrow heute gestern morgen aujourd hui demain ayer hoy mañana "
    "hoje "
    "ontem amanhã oggi ieri domani vandaag gisteren wczoraj dzisiaj dziś jutro bugün dün "
    "сегодня вчера завтра",
};

static uint64_t mix(uint64_t x)
{
    x ^= x >> 33;
    x *= UINT64_C(0xFF51AFD7ED558CCD);
    x ^= x >> 33;
    x *= UINT64_C(0xC4CEB9FE1A85EC53);
    return x ^ x >> 33;
}

static const struct fg_word_run empty_run = {
    .hash = UINT64_C(0x9E3779B97F4A7C15), .is_ascii = true, .is_hex = true};

static uint64_t step(uint64_t hash, uint32_t code_point)
{
    return (hash ^ code_point) * UINT64_C(0x9FB21C651E98DF25);
}

static bool is_separator(uint32_t c)
{
    size_t low = 0, high = sizeof separators / sizeof *separators;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (separators[middle][1] < c)
            low = middle + 1;
        else
            high = middle;
    }
    return low < sizeof separators / sizeof *separators && separators[low][0] <= c;
}

static bool is_digit(uint32_t c)
{
    size_t low = 0, high = sizeof zeros / sizeof *zeros;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (zeros[middle] <= c)
            low = middle + 1;
        else
            high = middle;
    }
    return low && c - zeros[low - 1] < 10;
}

static bool is_within(uint32_t c, uint32_t first, uint32_t last)
{
    return c - first <= last - first;
}

/* Scripts that run their words together. */
static bool is_single(uint32_t c)
{
    return is_within(c, 0x3040, 0x30FF) || is_within(c, 0x3400, 0x9FFF) ||
           is_within(c, 0xE00, 0xEFF) || is_within(c, 0x1000, 0x109F) ||
           is_within(c, 0x1780, 0x17FF) || is_within(c, 0xF900, 0xFAFF) ||
           is_within(c, 0x20000, 0x3FFFF);
}

/* For what lies beyond ASCII; the alphabets met most come first. */
static int class_of(uint32_t c)
{
    if (is_within(c, 0xC0, 0x24F))
        return c == 0xD7 || c == 0xF7 ? SEPARATOR : LETTER;
    if (is_within(c, 0x4E00, 0x9FFF))
        return SINGLE;
    if (is_within(c, 0x400, 0x481) || is_within(c, 0xAC00, 0xD7A3))
        return LETTER;
    if (c == 0xAD || is_within(c, 0x200B, 0x200D) || c == 0x2060 || c == 0xFEFF)
        return INVISIBLE;
    if (is_digit(c))
        return DIGIT;
    if (is_separator(c))
        return SEPARATOR;
    return is_single(c) ? SINGLE : LETTER;
}

/* Rows where capitals and small letters take turns, capitals on even places or odd. */
static uint32_t fold_pairs(uint32_t c)
{
    if (is_within(c, 0x139, 0x148) || is_within(c, 0x179, 0x17E))
        return c + (c & 1);
    if (is_within(c, 0x100, 0x137) || is_within(c, 0x14A, 0x177) ||
        is_within(c, 0x460, 0x481) || is_within(c, 0x48A, 0x4BF) ||
        is_within(c, 0x4D0, 0x52F) || is_within(c, 0x1E00, 0x1EFF))
        return c | 1;
    return c;
}

static uint32_t fold(uint32_t c)
{
    if (is_within(c, 0xC0, 0xDE) || is_within(c, 0x391, 0x3A9) ||
        is_within(c, 0x410, 0x42F) || is_within(c, 0xFF21, 0xFF3A))
        return c + 32;
    if (is_within(c, 0x400, 0x40F))
        return c + 80;
    if (is_within(c, 0x531, 0x556))
        return c + 48;
    switch (c) {
    case 0x130: /* dotted I, and the small letter without a dot: Turkish */
    case 0x131:
        return 'i';
    case 0x178:
        return 0xFF;
    case 0x17F:
        return 's';
    case 0x386:
        return 0x3AC;
    case 0x388:
    case 0x389:
    case 0x38A:
        return c + 37;
    case 0x38C:
        return 0x3CC;
    case 0x38E:
    case 0x38F:
        return c + 63;
    case 0x3C2: /* final sigma */
        return 0x3C3;
    default:
        return fold_pairs(c);
    }
}

static void add_character(struct fg_word_run *run, uint32_t c, bool digit)
{
    run->flips += run->len && digit != run->last_is_digit;
    run->starts_with_digit |= !run->len && digit;
    run->last_is_digit = digit;
    run->hash = step(run->hash, c);
    run->digits += digit;
    run->len++;
    if (c >= 0x80)
        run->is_ascii = run->is_hex = false;
    else if (!digit && c > 'f')
        run->is_hex = false;
}

static const unsigned char ascii_class[128] = {
    ['0' ... '9'] = DIGIT, ['A' ... 'Z'] = LETTER, ['a' ... 'z'] = LETTER};

static int ascii_class_of(char c)
{
    return (unsigned char)c < 0x80 ? ascii_class[(unsigned char)c] : SEPARATOR;
}

/* The words most texts are made of: ASCII letters and nothing else in the run so far. */
static const char *add_letters(struct fg_word_run *run, const char *at, const char *end)
{
    const char *first = at;
    uint64_t hash = run->hash;
    unsigned largest = 0;
    for (; at < end && ascii_class_of(*at) == LETTER; at++) {
        unsigned c = (unsigned char)*at | 0x20u;
        largest = c > largest ? c : largest;
        hash = step(hash, c);
    }
    run->hash = hash;
    run->len += (uint32_t)(at - first);
    run->is_hex &= largest <= 'f';
    return at;
}

/* Decode the character at `at`, or put it aside if the chunk ends within it. */
static bool take_character(struct fg_words *w, uint32_t *c)
{
    unsigned char lead = (unsigned char)*w->at;
    size_t need = lead < 0xC2 || lead > 0xF4 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
    size_t have = (size_t)(w->end - w->at);
    size_t good = 1;
    while (good < have && good < need && ((unsigned char)w->at[good] & 0xC0) == 0x80)
        good++;
    if (good == have && have < need && !w->next_at && !w->is_finished) {
        memmove(w->partial, w->at, have);
        w->n_partial = (unsigned)have;
        w->at = w->end;
        return false;
    }
    *c = fg_utf8_take(&w->at, w->end);
    return true;
}

static bool step_chunk(struct fg_words *w)
{
    if (w->at < w->end)
        return true;
    w->at = w->next_at;
    w->end = w->next_end;
    w->next_at = w->next_end = NULL;
    return w->at < w->end;
}

/* Reads on until a run of letters or digits has ended. */
static bool end_run(struct fg_words *w)
{
    uint32_t c;
    while (!w->single && step_chunk(w)) {
        int kind = ascii_class_of(*w->at);
        if (kind == LETTER && w->run.len == 0) {
            w->at = add_letters(&w->run, w->at, w->end);
            continue;
        }
        if ((unsigned char)*w->at < 0x80) {
            c = (unsigned char)*w->at++;
            c |= kind == LETTER ? 0x20 : 0;
        } else {
            if (!take_character(w, &c))
                return false;
            kind = class_of(c);
            c = fold(c);
        }
        if (kind == LETTER || kind == DIGIT)
            add_character(&w->run, c, kind == DIGIT);
        else if (kind == SINGLE)
            w->single = c;
        else if (kind == SEPARATOR && w->run.len)
            return true;
    }
    return w->single || (w->is_finished && w->run.len);
}

static bool looks_random(const struct fg_word_run *run)
{
    if (!run->digits)
        return run->is_ascii && run->len > ASCII_WORD_MAX;
    return run->len >= RANDOM_FROM || (run->flips >= 3 && run->len >= 6) ||
           (run->is_hex && run->len >= 4);
}

/* What a word is when seen alone. */
enum sort { PLAIN, NUMBER, NOISE, DATE_IF_BESIDE };

static enum sort sort_of_date(const struct fg_words *w, uint64_t hash)
{
    for (size_t i = hash % SLOTS; w->dates[i]; i = (i + 1) % SLOTS)
        if ((w->dates[i] | 1) == (hash | 1))
            return w->dates[i] & 1 ? NUMBER : DATE_IF_BESIDE;
    return PLAIN;
}

static enum sort sort_run(const struct fg_words *w, const struct fg_word_run *run,
                          uint64_t hash)
{
    if (run->digits == run->len)
        return NUMBER;
    if (looks_random(run))
        return NOISE;
    if (run->digits)
        return run->starts_with_digit ? NUMBER : PLAIN;
    return sort_of_date(w, hash);
}

static void put(struct fg_words *w, uint64_t hash, enum fg_word_kind kind)
{
    w->ready[w->n_ready++] = (struct fg_word){hash, kind};
}

static void put_held(struct fg_words *w, enum fg_word_kind kind)
{
    if (w->has_held)
        put(w, w->held.hash, kind);
    w->has_held = false;
}

/* Decide by the neighbours; a word of a date waits for the one behind it. */
static void settle(struct fg_words *w, uint64_t hash, enum sort sort)
{
    if (sort == DATE_IF_BESIDE && !w->after_figure && !w->has_held) {
        w->held.hash = hash;
        w->has_held = true;
        return;
    }
    bool is_figure = sort == NUMBER || sort == DATE_IF_BESIDE;
    put_held(w, is_figure ? FG_FIGURE : FG_WORD);
    put(w, hash, is_figure ? FG_FIGURE : sort == NOISE ? FG_RANDOM : FG_WORD);
    w->after_figure = is_figure;
}

static bool read_word(struct fg_words *w)
{
    if (!end_run(w))
        return false;
    if (w->run.len) {
        uint64_t hash = mix(w->run.hash);
        settle(w, hash, sort_run(w, &w->run, hash));
        w->run = empty_run;
    } else {
        uint64_t hash = mix(step(empty_run.hash, w->single));
        w->single = 0;
        settle(w, hash, sort_of_date(w, hash));
    }
    return true;
}

bool fg_words_next(struct fg_words *words, struct fg_word *word)
{
    while (!words->n_ready) {
        if (read_word(words))
            continue;
        if (!words->is_finished || !words->has_held)
            return false;
        put_held(words, FG_WORD);
    }
    *word = words->ready[0];
    words->ready[0] = words->ready[1];
    words->n_ready--;
    return true;
}

void fg_words_feed(struct fg_words *w, struct fg_str chunk)
{
    if (w->is_finished) {
        w->is_finished = w->after_figure = false;
        w->run = empty_run;
    }
    if (!chunk.len)
        return;
    w->at = chunk.at;
    w->end = chunk.at + chunk.len;
    if (!w->n_partial)
        return;
    unsigned char lead = (unsigned char)w->partial[0];
    unsigned need = lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
    while (w->n_partial < need && w->at < w->end &&
           ((unsigned char)*w->at & 0xC0) == 0x80)
        w->partial[w->n_partial++] = *w->at++;
    if (w->n_partial < need && w->at == w->end)
        return; /* the chunk was smaller than the rest of a character */
    w->next_at = w->at;
    w->next_end = w->end;
    w->at = w->partial;
    w->end = w->partial + w->n_partial;
    w->n_partial = 0;
}

void fg_words_finish(struct fg_words *w)
{
    w->is_finished = true;
    w->n_partial = 0; /* a character cut off by the end separates, as the end does */
}

static uint64_t hash_of(struct fg_str word)
{
    uint64_t hash = empty_run.hash;
    const char *at = word.at, *end = word.at + word.len;
    while (at < end)
        hash = step(hash, fold(fg_utf8_take(&at, end)));
    return mix(hash);
}

static void add_dates(struct fg_words *w, const char *const *lists, size_t n,
                      bool always_)
{
    for (size_t i = 0; i < n; i++) {
        struct fg_str rest = fg_str_from(lists[i]), word;
        while (fg_str_cut(&rest, ' ', &word)) {
            uint64_t hash = hash_of(word);
            size_t slot = hash % SLOTS;
            while (w->dates[slot])
                slot = (slot + 1) % SLOTS;
            w->dates[slot] = (hash & ~UINT64_C(1)) | always_;
        }
    }
}

void fg_words_init(struct fg_words *words)
{
    memset(words, 0, sizeof *words);
    words->run = empty_run;
    add_dates(words, beside, sizeof beside / sizeof *beside, false);
    add_dates(words, always, sizeof always / sizeof *always, true);
}
