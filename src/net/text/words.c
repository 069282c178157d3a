#include "net/text/words.h"

#include "base/buf.h"
#include "net/text/word_ranges.inc"

#include <pthread.h>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

enum { SEPARATOR, LETTER, DIGIT, SINGLE, INVISIBLE };
enum { RANDOM_FROM = 16, ASCII_WORD_MAX = 40, SLOTS = 1024, FILTER_WORDS = 512 };
enum { BLOCK_WORDS = 32 }; /* most words in 64 bytes */

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

/* Made of these lists at the first fg_words_init: the hashes, of which the lowest bit
 * says "always", and a bit for each, so that most words need not be looked up. */
static uint64_t dates[SLOTS], filter[FILTER_WORDS];

/* The hash of a word goes over its folded UTF-8 in blocks of 16 bytes, the last one
 * filled up with zeros: most words are one block, which the fast path below loads whole.
 */
static const struct fg_word_run empty_run = {
    .hash = UINT64_C(0x9E3779B97F4A7C15), .is_ascii = true, .is_hex = true};

static uint64_t hash_halves(uint64_t hash, uint64_t low, uint64_t high)
{
    return fg_fold_product(hash ^ low, high ^ UINT64_C(0x9FB21C651E98DF25));
}

static uint64_t hash_block(uint64_t hash, const char block[16])
{
    uint64_t low, high;
    memcpy(&low, block, 8);
    memcpy(&high, block + 8, 8);
    return hash_halves(hash, low, high);
}

static uint64_t hash_run(const struct fg_word_run *run)
{
    return run->fill ? hash_block(run->hash, run->block) : run->hash;
}

static void add_byte(struct fg_word_run *run, char c)
{
    run->block[run->fill++] = c;
    if (run->fill < sizeof run->block)
        return;
    run->hash = hash_block(run->hash, run->block);
    memset(run->block, 0, sizeof run->block);
    run->fill = 0;
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
    run->digits += digit;
    run->len++;
    if (c < 0x80) {
        run->is_hex &= digit || c <= 'f';
        add_byte(run, (char)c);
        return;
    }
    char bytes[4];
    size_t n = fg_utf8_put(bytes, c);
    for (size_t i = 0; i < n; i++)
        add_byte(run, bytes[i]);
    run->is_ascii = run->is_hex = false;
}

static const unsigned char ascii_class[128] = {
    ['0' ... '9'] = DIGIT, ['A' ... 'Z'] = LETTER, ['a' ... 'z'] = LETTER};

static int ascii_class_of(char c)
{
    return (unsigned char)c < 0x80 ? ascii_class[(unsigned char)c] : SEPARATOR;
}

#if defined(__SSE2__)
/* From 16 - n on, sixteen bytes of which the first n are ones. */
static const char keep_first[32] = {-1, -1, -1, -1, -1, -1, -1, -1,
                                    -1, -1, -1, -1, -1, -1, -1, -1};
#endif

/* Start a run with the ASCII letters at `at`, as most words are made of nothing else;
 * returns how many were taken, perhaps none. Twice as fast for English as letter by
 * letter, since nothing has to be guessed about the length of words. */
static size_t start_run(struct fg_word_run *run, const char *at, const char *end)
{
#if defined(__SSE2__)
    if (end - at < 16)
        return 0;
    __m128i text = _mm_loadu_si128((const __m128i *)at);
    __m128i lower = _mm_or_si128(text, _mm_set1_epi8(0x20));
    __m128i letters = _mm_and_si128(_mm_cmpgt_epi8(lower, _mm_set1_epi8('a' - 1)),
                                    _mm_cmplt_epi8(lower, _mm_set1_epi8('z' + 1)));
    unsigned n = (unsigned)__builtin_ctz(~(unsigned)_mm_movemask_epi8(letters));
    if (n == 16)
        return 0;
    __m128i mask = _mm_loadu_si128((const __m128i *)(keep_first + 16 - n));
    lower = _mm_and_si128(lower, mask);
    _mm_storeu_si128((__m128i *)run->block, lower);
    run->is_hex = !_mm_movemask_epi8(_mm_cmpgt_epi8(lower, _mm_set1_epi8('f')));
    run->fill = run->len = n;
    return n;
#else
    (void)run, (void)at, (void)end;
    return 0;
#endif
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
        size_t started =
            kind == LETTER && !w->run.len ? start_run(&w->run, w->at, w->end) : 0;
        if (started) {
            w->at += started;
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

static uint64_t filter_bit(uint64_t hash)
{
    return UINT64_C(1) << (hash >> 58);
}

static bool may_be_date(uint64_t hash)
{
    return filter[hash % FILTER_WORDS] & filter_bit(hash);
}

static enum sort sort_of_date(uint64_t hash)
{
    if (!may_be_date(hash))
        return PLAIN;
    for (size_t i = hash % SLOTS; dates[i]; i = (i + 1) % SLOTS)
        if ((dates[i] | 1) == (hash | 1))
            return dates[i] & 1 ? NUMBER : DATE_IF_BESIDE;
    return PLAIN;
}

static enum sort sort_run(const struct fg_word_run *run, uint64_t hash)
{
    if (run->digits == run->len)
        return NUMBER;
    if (looks_random(run))
        return NOISE;
    if (run->digits)
        return run->starts_with_digit ? NUMBER : PLAIN;
    return sort_of_date(hash);
}

/* Decide by the neighbours; a word of a date waits for the one behind it. False if it
 * does: then there is no word yet. */
static bool settle(struct fg_words *w, uint64_t hash, enum sort sort,
                   struct fg_word *word)
{
    if (sort == DATE_IF_BESIDE && !w->after_figure && !w->has_held) {
        w->held = hash;
        w->has_held = true;
        return false;
    }
    bool is_figure = sort == NUMBER || sort == DATE_IF_BESIDE;
    enum fg_word_kind kind = is_figure ? FG_FIGURE : sort == NOISE ? FG_RANDOM : FG_WORD;
    w->after_figure = is_figure;
    if (!w->has_held) {
        word->hash = hash;
        word->kind = kind;
        return true;
    }
    *word = (struct fg_word){w->held, is_figure ? FG_FIGURE : FG_WORD};
    w->ready = (struct fg_word){hash, kind};
    w->has_ready = true;
    w->has_held = false;
    return true;
}

static bool settle_run(struct fg_words *w, struct fg_word *word)
{
    uint64_t hash = hash_run(&w->run);
    enum sort sort = sort_run(&w->run, hash);
    w->run = empty_run;
    return settle(w, hash, sort, word);
}

static bool settle_single(struct fg_words *w, struct fg_word *word)
{
    struct fg_word_run run = empty_run;
    add_character(&run, w->single, false);
    w->single = 0;
    uint64_t hash = hash_run(&run);
    return settle(w, hash, sort_of_date(hash), word);
}

bool fg_words_next(struct fg_words *words, struct fg_word *word)
{
    if (words->has_ready) {
        *word = words->ready;
        words->has_ready = false;
        return true;
    }
    while (end_run(words))
        if (words->run.len ? settle_run(words, word) : settle_single(words, word))
            return true;
    if (!words->is_finished || !words->has_held)
        return false;
    *word = (struct fg_word){words->held, FG_WORD};
    words->has_held = false;
    return true;
}

#if defined(__SSE2__)
enum { AHEAD = 64 + 16 }; /* bytes looked at, and what the last word of them may need */

/* A bit for each of 64 bytes: which are ASCII letters, and which are digits or not ASCII.
 */
struct letters {
    uint64_t letters, others;
};

static struct letters classify(const char *at)
{
    struct letters found = {0};
    for (unsigned i = 0; i < 64; i += 16) {
        __m128i text = _mm_loadu_si128((const __m128i *)(at + i));
        __m128i lower = _mm_or_si128(text, _mm_set1_epi8(0x20));
        __m128i letters = _mm_and_si128(_mm_cmpgt_epi8(lower, _mm_set1_epi8('a' - 1)),
                                        _mm_cmplt_epi8(lower, _mm_set1_epi8('z' + 1)));
        __m128i digits = _mm_and_si128(_mm_cmpgt_epi8(text, _mm_set1_epi8('0' - 1)),
                                       _mm_cmplt_epi8(text, _mm_set1_epi8('9' + 1)));
        /* the sign bit is set where the byte is not ASCII */
        found.letters |= (uint64_t)(unsigned)_mm_movemask_epi8(letters) << i;
        found.others |= (uint64_t)(unsigned)_mm_movemask_epi8(_mm_or_si128(digits, text))
                        << i;
    }
    return found;
}

/* As start_run and settle_run for a word of n letters, at most 15. */
static uint64_t hash_letters(const char *at, size_t n)
{
    __m128i text = _mm_loadu_si128((const __m128i *)at);
    __m128i keep = _mm_loadu_si128((const __m128i *)(keep_first + 16 - n));
    text = _mm_and_si128(_mm_or_si128(text, _mm_set1_epi8(0x20)), keep);
    uint64_t halves[2];
    _mm_storel_epi64((__m128i *)&halves[0], text);
    _mm_storel_epi64((__m128i *)&halves[1], _mm_unpackhi_epi64(text, text));
    return hash_halves(empty_run.hash, halves[0], halves[1]);
}

/* What is left of a chunk, with letters behind it: its last word may go on in the next
 * chunk, so it has no end here. */
static const char *pad(char room[static AHEAD], const char *at, size_t left)
{
    memset(room, 'a', AHEAD);
    memcpy(room, at, left);
    return room;
}

/* Words of ASCII letters between blanks and punctuation, for as long as there is nothing
 * else: where they begin and end is found for 64 bytes at once. Letter by letter each
 * step would wait for the one before it; 4,000 words took 110 us that way, and 25 us
 * this way. */
static size_t take_plain(struct fg_words *w, struct fg_word *out, size_t room)
{
    enum { LONGEST = 15 };
    char room_for_rest[AHEAD];
    size_t n = 0;
    if (w->run.len || w->single || w->has_held || w->has_ready)
        return 0;
    const char *at = w->at, *before = NULL;
    while (at < w->end && room - n >= BLOCK_WORDS && at != before) {
        before = at;
        size_t left = (size_t)(w->end - at);
        const char *text = left < AHEAD ? pad(room_for_rest, at, left) : at;
        struct letters found = classify(text);
        uint64_t begins = found.letters & ~(found.letters << 1);
        uint64_t ends = ~found.letters & found.letters << 1;
        if (found.others) /* what ends there or behind is not ours */
            ends &= (found.others & -found.others) - 1;
        for (; ends; begins &= begins - 1, ends &= ends - 1) {
            const char *word = text + __builtin_ctzll(begins);
            const char *end = text + __builtin_ctzll(ends);
            if (end - word > LONGEST)
                break;
            uint64_t hash = hash_letters(word, (size_t)(end - word));
            if (may_be_date(hash))
                break;
            out[n++] = (struct fg_word){hash, FG_WORD};
            at = before + (end - text);
        }
    }
    w->at = at;
    if (n)
        w->after_figure = false;
    return n;
}

#else
static size_t take_plain(struct fg_words *w, struct fg_word *out, size_t room)
{
    (void)w, (void)out, (void)room;
    return 0;
}
#endif

size_t fg_words_take(struct fg_words *words, struct fg_word *out, size_t room)
{
    size_t n = 0;
    do {
        n += take_plain(words, out + n, room - n);
        /* What comes may be plain as well: one by one only if it is not. */
        bool is_full = n && room - n < BLOCK_WORDS;
        if (is_full || n == room || !fg_words_next(words, &out[n]))
            return n;
        n++;
    } while (room - n >= BLOCK_WORDS);
    return n;
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

#if defined(__SSE2__)
/* A bit for each of 16 bytes that is an ASCII letter or digit; and for each that is not
 * ASCII. */
static unsigned alphanumerics(const char *at, unsigned *others)
{
    __m128i text = _mm_loadu_si128((const __m128i *)at);
    __m128i lower = _mm_or_si128(text, _mm_set1_epi8(0x20));
    __m128i letters = _mm_and_si128(_mm_cmpgt_epi8(lower, _mm_set1_epi8('a' - 1)),
                                    _mm_cmplt_epi8(lower, _mm_set1_epi8('z' + 1)));
    __m128i digits = _mm_and_si128(_mm_cmpgt_epi8(text, _mm_set1_epi8('0' - 1)),
                                   _mm_cmplt_epi8(text, _mm_set1_epi8('9' + 1)));
    *others = (unsigned)_mm_movemask_epi8(text);
    return (unsigned)_mm_movemask_epi8(_mm_or_si128(letters, digits));
}
#endif

#if defined(__SSE2__)
/* Of sixteen. Processors of the last fifteen years have an instruction for it that this
 * program may not rely on, and the compiler's own way is a call. */
static size_t count_bits(unsigned bits)
{
    bits -= bits >> 1 & 0x5555;
    bits = (bits & 0x3333) + (bits >> 2 & 0x3333);
    bits = (bits + (bits >> 4)) & 0x0F0F;
    return (bits + (bits >> 8)) & 0x1F;
}
#endif

/* How many words begin in the ASCII characters at the start of a text, and how far they
 * go: to its end, or to the last that surely ends before something else. There every run
 * of letters and digits is a word, whatever it means. */
static size_t count_ascii(struct fg_str text, size_t *used)
{
    size_t n = 0, sure = 0, i = 0;
    bool in_word = false;
#if defined(__SSE2__)
    for (unsigned carry = 0; text.len - i >= 16; i += 16) {
        unsigned others, words = alphanumerics(text.at + i, &others);
        if (others)
            break;
        n += count_bits(words & ~(words << 1 | carry));
        carry = words >> 15;
        in_word = carry;
        if (words != 0xFFFF)
            sure = i + 31 - (unsigned)__builtin_clz(~words & 0xFFFF);
    }
#endif
    for (; i < text.len && (unsigned char)text.at[i] < 0x80; i++) {
        bool was_in_word = in_word;
        in_word = ascii_class[(unsigned char)text.at[i]] != SEPARATOR;
        n += in_word && !was_in_word;
        if (!in_word)
            sure = i;
    }
    *used = i == text.len ? i : sure;
    return i == text.len || !in_word ? n : n - 1;
}

static size_t count_any(struct fg_str text)
{
    struct fg_words words;
    struct fg_word word;
    size_t n = 0;
    fg_words_init(&words);
    fg_words_feed(&words, text);
    while (fg_words_next(&words, &word))
        n++;
    fg_words_finish(&words);
    while (fg_words_next(&words, &word))
        n++;
    return n;
}

/* Up to the first sign of ASCII behind what is not. */
static size_t end_of_others(struct fg_str text)
{
    size_t i = 0;
    while (i < text.len && (unsigned char)text.at[i] < 0x80)
        i++;
    while (i < text.len && ((unsigned char)text.at[i] >= 0x80 ||
                            ascii_class[(unsigned char)text.at[i]] != SEPARATOR))
        i++;
    return i;
}

size_t fg_words_count(struct fg_str text)
{
    size_t n = 0;
    while (text.len) {
        size_t used;
        n += count_ascii(text, &used);
        text = fg_str_skip(text, used);
        size_t others = end_of_others(text);
        n += others ? count_any(fg_str_sub(text, 0, others)) : 0;
        text = fg_str_skip(text, others);
    }
    return n;
}

void fg_words_finish(struct fg_words *w)
{
    w->is_finished = true;
    w->n_partial = 0; /* a character cut off by the end separates, as the end does */
}

static uint64_t hash_of(struct fg_str word)
{
    struct fg_word_run run = empty_run;
    const char *at = word.at, *end = word.at + word.len;
    while (at < end)
        add_character(&run, fold(fg_utf8_take(&at, end)), false);
    return hash_run(&run);
}

static void add_dates(const char *const *lists, size_t n, bool always_)
{
    for (size_t i = 0; i < n; i++) {
        struct fg_str rest = fg_str_from(lists[i]), word;
        while (fg_str_cut(&rest, ' ', &word)) {
            uint64_t hash = hash_of(word);
            size_t slot = hash % SLOTS;
            while (dates[slot])
                slot = (slot + 1) % SLOTS;
            dates[slot] = (hash & ~UINT64_C(1)) | always_;
            filter[hash % FILTER_WORDS] |= filter_bit(hash);
        }
    }
}

static void fill_tables(void)
{
    add_dates(beside, sizeof beside / sizeof *beside, false);
    add_dates(always, sizeof always / sizeof *always, true);
}

void fg_words_init(struct fg_words *words)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, fill_tables);
    *words = (struct fg_words){.run = empty_run};
}
