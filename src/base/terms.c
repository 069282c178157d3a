/* Most words of a text are few words, often: stems are remembered in a table of the last
 * word for each hash. It is small for a stemmer that reads a query, and grows for one
 * that reads on. */
#include "base/terms.h"

#include "base/err.h"
#include "base/memory.h"
#include "base/utf8.h"

#include <endian.h>
#include <libstemmer.h>
#include <stdlib.h>
#include <unicode/uchar.h>
#include <unicode/unorm2.h>

enum {
    BITS_FIRST = 9, /* of the words remembered */
    BITS_MOST = 15,
    BITS_MORE = 3, /* when all have been replaced a few times */
    REPLACED_MOST = 4,
    /* Bytes of a word, and of what its term has instead of its end. */
    REMEMBERED = FG_TERM_READABLE,
    PLAIN_MOST = 16, /* letters of a plain word */
    STEMMED_MOST = 60,
    LETTERS = 128,  /* UTF-16 units of a word that is looked at */
    BYTES_MOST = 90 /* of a word as it stands; the rest of it is passed over */
};

/* The word, and its term: so many of its bytes, and the rest behind it. */
struct memory {
    uint8_t word_len, kept, rest;
    char bytes[REMEMBERED];
};

struct fg_stemmer {
    struct sb_stemmer *rules; /* NULL: none */
    const UNormalizer2 *nfc, *nfkd;
    struct memory *memory; /* aligned: a look costs one line of the cache, of which all
                              are half a megabyte or so: they stay there */
    unsigned bits;
    size_t n_put; /* into it */
};

const char *const fg_stemmer_codes[] = {
    "en", "ar", "ca", "da", "de", "el", "es", "eu", "fi", "fr",
    "ga", "hi", "hu", "hy", "id", "it", "lt", "ne", "nl", "no",
    "pt", "ro", "ru", "sr", "sv", "ta", "tr", "yi", NULL,
};

const char *fg_stemmer_language(struct fg_str language)
{
    size_t len = 0;
    while (len < language.len && fg_is_alpha(language.at[len]))
        len++;
    struct fg_str code = fg_str_sub(language, 0, len);
    if (!fg_str_trim(language).len)
        return "en";
    if (fg_str_eq_nocase(code, FG_STR("nb")) || fg_str_eq_nocase(code, FG_STR("nn")))
        return "no";
    for (size_t i = 0; fg_stemmer_codes[i]; i++)
        if (fg_str_eq_nocase(code, fg_str_from(fg_stemmer_codes[i])))
            return fg_stemmer_codes[i];
    return "";
}

bool fg_language_is(struct fg_str language, struct fg_str wanted)
{
    size_t n = 0;
    while (n < wanted.len && fg_is_alpha(wanted.at[n]))
        n++;
    return n && language.len >= n &&
           fg_str_eq_nocase(fg_str_sub(language, 0, n), fg_str_sub(wanted, 0, n)) &&
           (language.len == n || !fg_is_alpha(language.at[n]));
}

/* What was in it is forgotten. */
static void make_memory(struct fg_stemmer *stemmer, unsigned bits)
{
    size_t bytes = sizeof(struct memory) << bits;
    free(stemmer->memory);
    stemmer->memory = aligned_alloc(sizeof(struct memory), bytes);
    if (!stemmer->memory)
        fg_out_of_memory();
    memset(stemmer->memory, 0, bytes);
    stemmer->bits = bits;
    stemmer->n_put = 0;
}

struct fg_stemmer *fg_stemmer_new(const char *code)
{
    UErrorCode status = U_ZERO_ERROR;
    struct fg_stemmer *stemmer = fg_zeroed(1, sizeof *stemmer);
    make_memory(stemmer, BITS_FIRST);
    stemmer->rules = *code ? sb_stemmer_new(code, "UTF_8") : NULL;
    stemmer->nfc = unorm2_getNFCInstance(&status);
    stemmer->nfkd = unorm2_getNFKDInstance(&status);
    return stemmer;
}

void fg_stemmer_free(struct fg_stemmer *stemmer)
{
    if (!stemmer)
        return;
    sb_stemmer_delete(stemmer->rules);
    free(stemmer->memory);
    free(stemmer);
}

/* --- characters --- */

static bool is_single(uint32_t c)
{
    return (c >= 0x2E80 && c <= 0x30FF && c != 0x3000) || (c >= 0x3400 && c <= 0x9FFF) ||
           (c >= 0xF900 && c <= 0xFAFF) || (c >= 0x20000 && c <= 0x3FFFF) ||
           (c >= 0x0E00 && c <= 0x0EFF) || (c >= 0x1000 && c <= 0x109F) ||
           (c >= 0x1780 && c <= 0x17FF);
}

/* Accents, and the points of Hebrew and Arabic: what is left out in haste. */
static bool is_accent(uint32_t c)
{
    return (c >= 0x300 && c <= 0x36F) || (c >= 0x591 && c <= 0x5C7) ||
           (c >= 0x64B && c <= 0x65F) || c == 0x670;
}

static bool is_of_word(uint32_t c)
{
    return u_isalnum((UChar32)c) || (U_MASK(u_charType((UChar32)c)) & U_GC_M_MASK);
}

/* Letters that are no accented ones, but are typed as others. */
static const char *respelt(uint32_t c)
{
    switch (c) {
    case 0xDF:
        return "ss";
    case 0xE6:
        return "ae";
    case 0xF0:
    case 0x111:
        return "d";
    case 0xF8:
        return "o";
    case 0xFE:
        return "th";
    case 0x131:
        return "i";
    case 0x142:
        return "l";
    case 0x153:
        return "oe";
    case 0x3C2:
        return "\xCF\x83"; /* the sigma at the end of a word */
    default:
        return NULL;
    }
}

/* --- a word, and its term --- */

static uint32_t take_utf16(const UChar *units, int32_t n, int32_t *at)
{
    uint32_t c = units[(*at)++];
    if (U16_IS_LEAD(c) && *at < n)
        c = (uint32_t)U16_GET_SUPPLEMENTARY((UChar32)c, (UChar32)units[(*at)++]);
    return c;
}

/* Lower case, each letter with its accents as one character. */
static size_t lower(const struct fg_stemmer *stemmer, char out[static 3 * LETTERS],
                    struct fg_str word)
{
    UChar letters[LETTERS], composed[2 * LETTERS];
    int32_t n = 0, m;
    UErrorCode status = U_ZERO_ERROR;
    for (const char *at = word.at, *end = at + word.len; at < end && n < LETTERS - 2;) {
        UChar32 c = u_tolower((UChar32)fg_utf8_take(&at, end));
        U16_APPEND_UNSAFE(letters, n, c);
    }
    m = unorm2_normalize(stemmer->nfc, letters, n, composed, 2 * LETTERS, &status);
    if (U_FAILURE(status) || m > LETTERS)
        m = 0;
    size_t len = 0;
    for (int32_t i = 0; i < m;)
        len += fg_utf8_put(out + len, take_utf16(composed, m, &i));
    return len;
}

static size_t put_plain(const struct fg_stemmer *stemmer, char *out, size_t room,
                        uint32_t c)
{
    UChar parts[32];
    UErrorCode status = U_ZERO_ERROR;
    int32_t n = unorm2_getDecomposition(stemmer->nfkd, (UChar32)c, parts, 32, &status);
    size_t len = 0;
    if (U_FAILURE(status) || n < 0) {
        const char *other = respelt(c);
        len = other ? strlen(other) : 4;
        if (len > room)
            return 0;
        if (other)
            memcpy(out, other, len);
        else
            len = is_accent(c) ? 0 : fg_utf8_put(out, c);
        return len;
    }
    for (int32_t i = 0; i < n && len + 4 <= room;) {
        uint32_t part = take_utf16(parts, n, &i);
        if (!is_accent(part) && is_of_word(part))
            len += fg_utf8_put(out + len, (uint32_t)u_tolower((UChar32)part));
    }
    return len;
}

/* Without accents, and of bounded length. */
static size_t fold(const struct fg_stemmer *stemmer, char out[static FG_TERM_MAX],
                   struct fg_str word)
{
    size_t len = 0;
    for (const char *at = word.at, *end = at + word.len; at < end;) {
        if ((unsigned char)*at < 0x80) {
            if (len == FG_TERM_MAX)
                break;
            out[len++] = *at++;
        } else {
            len +=
                put_plain(stemmer, out + len, FG_TERM_MAX - len, fg_utf8_take(&at, end));
        }
    }
    return len;
}

static struct fg_str stem(struct fg_stemmer *stemmer, struct fg_str word)
{
    if (!stemmer->rules || word.len > STEMMED_MOST)
        return word;
    const sb_symbol *stem =
        sb_stemmer_stem(stemmer->rules, (const sb_symbol *)word.at, (int)word.len);
    if (!stem)
        fg_out_of_memory();
    struct fg_str short_word = {(const char *)stem,
                                (size_t)sb_stemmer_length(stemmer->rules)};
    return short_word.len ? short_word : word;
}

static struct memory *memory_of(struct fg_stemmer *stemmer, uint64_t hash)
{
    return &stemmer->memory[hash >> (64 - stemmer->bits)];
}

static void remember(struct fg_stemmer *stemmer, struct fg_str word, struct fg_str term,
                     uint64_t hash)
{
    bool is_full = stemmer->n_put++ >> stemmer->bits >= REPLACED_MOST;
    if (is_full && stemmer->bits < BITS_MOST)
        make_memory(stemmer, stemmer->bits + BITS_MORE);
    struct memory *memory = memory_of(stemmer, hash);
    size_t kept = 0;
    while (kept < word.len && kept < term.len && word.at[kept] == term.at[kept])
        kept++;
    if (word.len + term.len - kept > REMEMBERED)
        return;
    memory->word_len = (uint8_t)word.len;
    memory->kept = (uint8_t)kept;
    memory->rest = (uint8_t)(term.len - kept);
    memcpy(memory->bytes, word.at, word.len);
    memcpy(memory->bytes + word.len, term.at + kept, term.len - kept);
}

/* The term of a word that was found in memory; `out` is used if it is not its beginning.
 */
static struct fg_str recall(const struct memory *memory, char out[static FG_TERM_MAX])
{
    if (!memory->rest)
        return (struct fg_str){memory->bytes, memory->kept};
    memcpy(out, memory->bytes, sizeof memory->bytes);
    for (size_t i = 0; i < memory->rest; i++)
        out[memory->kept + i] = memory->bytes[memory->word_len + i];
    return (struct fg_str){out, (size_t)memory->kept + memory->rest};
}

/* `word` is in lower case if it is ASCII, and as it stands if not. */
static struct fg_str make_term(struct fg_stemmer *stemmer, char out[static FG_TERM_MAX],
                               struct fg_str word, uint64_t hash, bool is_ascii)
{
    char lowered[3 * LETTERS];
    struct fg_str letters = word;
    if (!is_ascii)
        letters = (struct fg_str){lowered, lower(stemmer, lowered, word)};
    struct fg_str term = {out, fold(stemmer, out, stem(stemmer, letters))};
    if (word.len <= REMEMBERED)
        remember(stemmer, word, term, hash);
    return term;
}

static struct fg_str term_of(struct fg_stemmer *stemmer, char out[static FG_TERM_MAX],
                             struct fg_str word, uint64_t hash, bool is_ascii)
{
    const struct memory *memory = memory_of(stemmer, hash);
    return memory->word_len == word.len && word.len &&
                   memcmp(memory->bytes, word.at, word.len) == 0
               ? recall(memory, out)
               : make_term(stemmer, out, word, hash, is_ascii);
}

/* --- plain words: ASCII, eight bytes at a time --- */

static const uint64_t ones = 0x0101010101010101U, tops = 0x8080808080808080U;

/* Eight bytes, the first one lowest; blanks or so behind the end. */
static inline uint64_t load(const char *at, const char *end)
{
    uint64_t x = 0;
    if (end - at >= (ptrdiff_t)sizeof x)
        memcpy(&x, at, sizeof x);
    else
        memcpy(&x, at, (size_t)(end - at));
    return le64toh(x);
}

/* Those of the `n` first bytes, n from 1 to 8. */
static inline uint64_t mask(size_t n)
{
    return UINT64_MAX >> (64 - 8 * n);
}

/* The top bit of each byte that is a letter, and of each letter or digit. No sum of two
 * bytes below 128 reaches the byte above. */
static inline uint64_t letters_in(uint64_t x, uint64_t *or_digits)
{
    uint64_t low = x & ~tops, small = low | ones * 0x20;
    uint64_t letters = (small + ones * (0x80 - 'a')) & ~(small + ones * (0x7f - 'z'));
    uint64_t digits = (low + ones * (0x80 - '0')) & ~(low + ones * (0x7f - '9'));
    *or_digits = (letters | digits) & ~x & tops;
    return letters & ~x & tops;
}

/* The letters and digits that `x` begins with, in lower case; how many. */
static inline size_t first_letters(uint64_t x, uint64_t *lowered)
{
    uint64_t all, letters = letters_in(x, &all), others = ~all & tops;
    size_t n = others ? (size_t)__builtin_ctzll(others) / 8 : 8;
    *lowered = n ? (x | letters >> 2) & mask(n) : 0;
    return n;
}

static inline uint64_t hash_plain(uint64_t head, uint64_t tail, size_t len)
{
    uint64_t hash = (head ^ len) * 0x9E3779B97F4A7C15u ^ (tail << 23 | tail >> 41);
    return (hash ^ hash >> 32) * 0xD6E8FEB86659FD93u;
}

static inline bool is_remembered(const struct memory *memory,
                                 const struct fg_plain_word *word, size_t len)
{
    uint64_t head, tail;
    memcpy(&head, memory->bytes, sizeof head);
    memcpy(&tail, memory->bytes + sizeof head, sizeof tail);
    if (memory->word_len != len)
        return false;
    if (len <= sizeof head)
        return !((le64toh(head) ^ word->head) & mask(len));
    return le64toh(head) == word->head &&
           !((le64toh(tail) ^ word->tail) & mask(len - sizeof head));
}

static struct fg_str term_of_plain(struct fg_stemmer *stemmer,
                                   char out[static FG_TERM_MAX],
                                   const struct fg_plain_word *word)
{
    size_t len = (size_t)(word->to - word->from);
    const struct memory *memory = memory_of(stemmer, word->hash);
    if (is_remembered(memory, word, len))
        return recall(memory, out);
    uint64_t head = htole64(word->head), tail = htole64(word->tail);
    char letters[PLAIN_MOST];
    memcpy(letters, &head, sizeof head);
    memcpy(letters + sizeof head, &tail, sizeof tail);
    struct fg_str lowered = {letters, len};
    return make_term(stemmer, out, lowered, word->hash, true);
}

/* --- a text --- */

struct fg_terms fg_terms_of(struct fg_str text, struct fg_stemmer *stemmer)
{
    return (struct fg_terms){.start = text.at,
                             .at = text.at,
                             .end = text.at ? text.at + text.len : NULL,
                             .stemmer = stemmer};
}

/* The end of the word that begins here; a single character is a word with its marks. */
static const char *end_of_word(const char *at, const char *end, bool *is_ascii,
                               bool *is_alone)
{
    *is_ascii = true;
    *is_alone = false;
    for (const char *first = at, *next = at; at < end; at = next) {
        if ((unsigned char)*at < 0x80) {
            if (*is_alone || !fg_is_alnum(*at))
                return at;
            next = at + 1;
            continue;
        }
        uint32_t c = fg_utf8_take(&next, end);
        bool is_mark = U_MASK(u_charType((UChar32)c)) & U_GC_M_MASK;
        if (*is_alone && !is_mark)
            return at;
        if (is_single(c) && !is_mark) {
            if (at != first)
                return at;
            *is_alone = true;
        } else if (!is_of_word(c)) {
            return at;
        }
        *is_ascii = false;
    }
    return end;
}

/* Letters and digits of ASCII, in lower case; 0 for what is none. */
static const char plain[256] = {
    ['0'] = '0', ['1'] = '1', ['2'] = '2', ['3'] = '3', ['4'] = '4', ['5'] = '5',
    ['6'] = '6', ['7'] = '7', ['8'] = '8', ['9'] = '9', ['a'] = 'a', ['b'] = 'b',
    ['c'] = 'c', ['d'] = 'd', ['e'] = 'e', ['f'] = 'f', ['g'] = 'g', ['h'] = 'h',
    ['i'] = 'i', ['j'] = 'j', ['k'] = 'k', ['l'] = 'l', ['m'] = 'm', ['n'] = 'n',
    ['o'] = 'o', ['p'] = 'p', ['q'] = 'q', ['r'] = 'r', ['s'] = 's', ['t'] = 't',
    ['u'] = 'u', ['v'] = 'v', ['w'] = 'w', ['x'] = 'x', ['y'] = 'y', ['z'] = 'z',
    ['A'] = 'a', ['B'] = 'b', ['C'] = 'c', ['D'] = 'd', ['E'] = 'e', ['F'] = 'f',
    ['G'] = 'g', ['H'] = 'h', ['I'] = 'i', ['J'] = 'j', ['K'] = 'k', ['L'] = 'l',
    ['M'] = 'm', ['N'] = 'n', ['O'] = 'o', ['P'] = 'p', ['Q'] = 'q', ['R'] = 'r',
    ['S'] = 's', ['T'] = 't', ['U'] = 'u', ['V'] = 'v', ['W'] = 'w', ['X'] = 'x',
    ['Y'] = 'y', ['Z'] = 'z',
};

static const char *start_of_word(const char *at, const char *end)
{
    while (at < end) {
        const char *next = at;
        if ((unsigned char)*at < 0x80) {
            if (plain[(unsigned char)*at])
                return at;
            at++;
            continue;
        }
        uint32_t c = fg_utf8_take(&next, end);
        if (u_isalnum((UChar32)c) || (is_single(c) && is_of_word(c)))
            return at;
        at = next;
    }
    return end;
}

static uint64_t hash_word(const char *word, size_t len)
{
    const char *end = word + len;
    if (len > PLAIN_MOST)
        return fg_str_hash((struct fg_str){word, len});
    return hash_plain(load(word, end), len > 8 ? load(word + 8, end) : 0, len);
}

/* Is the word that begins here one of ASCII letters and digits, as nearly all are? Then
 * its end, and in `small` the word in lower case, with its hash; else NULL, and `small`
 * has what there is before the first other letter. */
static const char *take_ascii(const char *at, const char *end,
                              char small[static BYTES_MOST], size_t *len, uint64_t *hash)
{
    size_t n = 0;
    for (char c; at < end && (c = plain[(unsigned char)*at]); at++)
        if (n < BYTES_MOST)
            small[n++] = c;
    *hash = hash_word(small, n);
    *len = n;
    return n && (at == end || (unsigned char)*at < 0x80) ? at : NULL;
}

/* Does a word that ends before this character end there? */
static bool ends_word(const char *at, const char *end)
{
    uint32_t c = fg_utf8_take(&at, end);
    return !is_of_word(c) ||
           (is_single(c) && !(U_MASK(u_charType((UChar32)c)) & U_GC_M_MASK));
}

/* The next one, if it is plain: its end, else NULL. */
static inline const char *take_plain(struct fg_plain_word *word, const char *at,
                                     const char *end)
{
    size_t n = first_letters(load(at, end), &word->head);
    word->tail = 0;
    word->from = at;
    if (n == 8 && end - at > 8)
        n += first_letters(load(at + 8, end), &word->tail);
    word->to = at + n;
    if (!n || (n == PLAIN_MOST && word->to < end && plain[(unsigned char)*word->to]) ||
        (word->to < end && (unsigned char)*word->to >= 0x80 && !ends_word(word->to, end)))
        return NULL;
    word->hash = hash_plain(word->head, word->tail, n);
    return word->to;
}

static void look_ahead(struct fg_terms *terms)
{
    const char *at = terms->at;
    terms->n_ahead = terms->next = 0;
    while (terms->n_ahead < FG_TERMS_AHEAD) {
        struct fg_plain_word *word = &terms->ahead[terms->n_ahead];
        at = start_of_word(at, terms->end);
        if (at == terms->end || !(at = take_plain(word, at, terms->end)))
            break;
        __builtin_prefetch(memory_of(terms->stemmer, word->hash));
        terms->n_ahead++;
    }
}

static struct fg_term take_ahead(struct fg_terms *terms)
{
    const struct fg_plain_word *word = &terms->ahead[terms->next++];
    terms->at = word->to;
    terms->last_single = NULL;
    return (struct fg_term){term_of_plain(terms->stemmer, terms->text, word),
                            (size_t)(word->from - terms->start),
                            (size_t)(word->to - terms->start), false};
}

/* Any word; its term may be empty. */
static bool take_any(struct fg_terms *terms, struct fg_term *term)
{
    const char *from = start_of_word(terms->at, terms->end);
    if (from == terms->end)
        return false;
    char small[BYTES_MOST];
    struct fg_str word = {small, 0};
    uint64_t hash;
    bool is_ascii = true, is_alone = false;
    const char *to = take_ascii(from, terms->end, small, &word.len, &hash);
    if (!to) {
        to = end_of_word(from, terms->end, &is_ascii, &is_alone);
        if (to == from) /* a letter that follows none of its kind */
            fg_utf8_take(&to, terms->end);
    }
    if (!is_ascii || !word.len) {
        word = fg_str_sub(fg_str_range(from, to), 0, BYTES_MOST);
        hash = fg_str_hash(word);
    }
    bool joins = is_alone && terms->last_single == from;
    terms->at = to;
    terms->last_single = is_alone ? to : NULL;
    *term = (struct fg_term){term_of(terms->stemmer, terms->text, word, hash, is_ascii),
                             (size_t)(from - terms->start), (size_t)(to - terms->start),
                             joins};
    return true;
}

bool fg_terms_next(struct fg_terms *terms, struct fg_term *term)
{
    for (;;) {
        if (terms->next == terms->n_ahead)
            look_ahead(terms);
        if (terms->next < terms->n_ahead)
            *term = take_ahead(terms);
        else if (!take_any(terms, term))
            return false;
        if (term->text.len)
            return true;
    }
}
