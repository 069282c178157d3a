/* The indexes have 65 000 entries. glibc knows nearly all of them, so they are taken from
 * iconv, one pointer at a time (a few milliseconds, once), and put right by the short
 * lists below. The results are those of the standard to the last entry: the test compares
 * them with the identifiers that it publishes. Where the C library comes without its
 * conversions the indexes stay empty, and such pages decode to U+FFFD. */
#include "net/charset/charset_index.h"

#include <iconv.h>
#include <pthread.h>

enum {
    JIS0208_LEN = 11280, /* 120 rows of 94: the 94 of the standard and those of IBM */
    JIS0212_LEN = 94 * 94,
    EUC_KR_LEN = 126 * 190,
    GB18030_LEN = 126 * 190,
    BMP = 0x10000,
};

static uint16_t jis0208[JIS0208_LEN], jis0212[JIS0212_LEN], euc_kr[EUC_KR_LEN],
    gb18030[GB18030_LEN], big5[FG_BIG5_POINTERS];
static uint8_t big5_plane2[FG_BIG5_POINTERS / 8 + 1];

/* Of each code point its pointer plus one, or 0; for Big5 plane 2 follows the BMP. */
static uint16_t jis0208_back[BMP], shift_jis_back[BMP], euc_kr_back[BMP],
    gb18030_back[BMP], big5_back[2 * BMP];

/* Two bytes as they stand in a page, and their code point. */
struct correction {
    uint16_t bytes, code;
};

/* GB18030-2022. 0xA3A0 is what deployed content means by it; six characters keep their
 * places in the private use area, where glibc has moved on. */
static const struct correction gb18030_corrections[] = {
    {0xA3A0, 0x3000}, {0xA8BC, 0x1E3F}, {0xA6D9, 0xFE10}, {0xA6DA, 0xFE12},
    {0xA6DB, 0xFE11}, {0xA6DC, 0xFE13}, {0xA6DD, 0xFE14}, {0xA6DE, 0xFE15},
    {0xA6DF, 0xFE16}, {0xA6EC, 0xFE17}, {0xA6ED, 0xFE18}, {0xA6F3, 0xFE19},
    {0xFE51, 0xE816}, {0xFE52, 0xE817}, {0xFE53, 0xE818}, {0xFE59, 0x9FB4},
    {0xFE61, 0x9FB5}, {0xFE66, 0x9FB6}, {0xFE67, 0x9FB7}, {0xFE6C, 0xE831},
    {0xFE6D, 0x9FB8}, {0xFE76, 0xE83B}, {0xFE7E, 0x9FB9}, {0xFE90, 0x9FBA},
    {0xFE91, 0xE855}, {0xFEA0, 0x9FBB},
};

/* Punctuation as in code page 950, radicals of the ETEN extension, and the compatibility
 * points of HKSCS, which glibc leaves open. */
static const struct correction big5_corrections[] = {
    {0xA145, 0x2027}, {0xA14E, 0xFE51}, {0xA15A, 0x2574}, {0xA1C2, 0x00AF},
    {0xA1C3, 0xFFE3}, {0xA1C5, 0x02CD}, {0xA1E3, 0xFF5E}, {0xA1F2, 0x2295},
    {0xA1F3, 0x2299}, {0xA1FE, 0xFF0F}, {0xA240, 0xFF3C}, {0xA241, 0x2215},
    {0xA242, 0xFE68}, {0xA244, 0xFFE5}, {0xA246, 0xFFE0}, {0xA247, 0xFFE1},
    {0xA2CC, 0x5341}, {0xA2CE, 0x5345}, {0xA3E0, 0x2421}, {0xA3E1, 0x20AC},
    {0xC6CF, 0x5EF4}, {0xC6D3, 0x65E0}, {0xC6D5, 0x7676}, {0xC6D7, 0x96B6},
    {0xC6DE, 0x3003}, {0xC6DF, 0x4EDD}, {0x8E69, 0x7BB8}, {0x8E6F, 0x7C06},
    {0x8E7E, 0x7CCE}, {0x8EAB, 0x7DD2}, {0x8EB4, 0x7E1D}, {0x8ECD, 0x8005},
    {0x8ED0, 0x8028}, {0x8F57, 0x83C1}, {0x8F69, 0x84A8}, {0x8F6E, 0x840F},
    {0x8FCB, 0x89A6}, {0x8FCC, 0x89A9}, {0x8FFE, 0x8D77}, {0x906D, 0x90FD},
    {0x907A, 0x92B9}, {0x90DC, 0x975C}, {0x90F1, 0x97FF}, {0x91BF, 0x9F16},
    {0x9244, 0x8503}, {0x92AF, 0x5159}, {0x92B0, 0x515B}, {0x92B1, 0x515D},
    {0x92B2, 0x515E}, {0x92C8, 0x936E}, {0x92D1, 0x7479}, {0x9447, 0x6D67},
    {0x94CA, 0x799B}, {0x95D9, 0x9097}, {0x9644, 0x975D}, {0x96ED, 0x701E},
    {0x96FC, 0x5B28}, {0x9B76, 0x7201}, {0x9B78, 0x77D7}, {0x9B7B, 0x7E87},
    {0x9BC6, 0x99D6}, {0x9BDE, 0x91D4}, {0x9BEC, 0x60DE}, {0x9BF6, 0x6FB6},
    {0x9C42, 0x8F36}, {0x9C53, 0x4FBB}, {0x9C62, 0x71DF}, {0x9C68, 0x9104},
    {0x9C6B, 0x9DF0}, {0x9C77, 0x83CF}, {0x9CBC, 0x5C10}, {0x9CBD, 0x79E3},
    {0x9CD0, 0x5A67}, {0x9D57, 0x8F0B}, {0x9D5A, 0x7B51}, {0x9DC4, 0x62D0},
    {0x9EA9, 0x6062}, {0x9EEF, 0x75F9}, {0x9EFD, 0x6C4A}, {0x9F60, 0x9B2E},
    {0x9F66, 0x9F17}, {0x9FCB, 0x50ED}, {0x9FD8, 0x5F0C}, {0xA063, 0x880F},
    {0xA077, 0x62CE}, {0xA0D5, 0x7468}, {0xA0DF, 0x7162}, {0xA0E4, 0x7250},
    {0xFA5F, 0x5029}, {0xFA66, 0x507D}, {0xFABD, 0x5305}, {0xFAC5, 0x5344},
    {0xFAD5, 0x537F}, {0xFB48, 0x5605}, {0xFBB8, 0x5A77}, {0xFBF3, 0x5E75},
    {0xFBF9, 0x5ED0}, {0xFC4F, 0x5F58}, {0xFC6C, 0x60A4}, {0xFCB9, 0x6490},
    {0xFCE2, 0x6674}, {0xFCF1, 0x675E}, {0xFDB7, 0x6C9C}, {0xFDB8, 0x6E1D},
    {0xFDBB, 0x6E2F}, {0xFDF1, 0x716E}, {0xFE52, 0x732A}, {0xFE6F, 0x745C},
    {0xFEAA, 0x74E9}, {0xFEDD, 0x7809},
};

/* From a pointer to the bytes of a character in the encoding that iconv knows. */
typedef size_t spell_fn(unsigned char *bytes, size_t pointer);

static unsigned char trail_byte(size_t cell, unsigned gap_at, unsigned gap)
{
    return (unsigned char)(0x40 + cell + (cell < gap_at ? 0 : gap));
}

static size_t spell_shift_jis(unsigned char *bytes, size_t pointer)
{
    size_t row = pointer / 188;
    bytes[0] = (unsigned char)(row + (row < 0x1F ? 0x81 : 0xC1));
    bytes[1] = trail_byte(pointer % 188, 0x3F, 1);
    return 2;
}

static size_t spell_jis0212(unsigned char *bytes, size_t pointer)
{
    bytes[0] = 0x8F;
    bytes[1] = (unsigned char)(0xA1 + pointer / 94);
    bytes[2] = (unsigned char)(0xA1 + pointer % 94);
    return 3;
}

static size_t spell_euc_kr(unsigned char *bytes, size_t pointer)
{
    bytes[0] = (unsigned char)(0x81 + pointer / 190);
    bytes[1] = (unsigned char)(0x41 + pointer % 190);
    return 2;
}

static size_t spell_gb18030(unsigned char *bytes, size_t pointer)
{
    bytes[0] = (unsigned char)(0x81 + pointer / 190);
    bytes[1] = trail_byte(pointer % 190, 0x3F, 1);
    return 2;
}

static size_t spell_big5(unsigned char *bytes, size_t pointer)
{
    bytes[0] = (unsigned char)(0x81 + pointer / 157);
    bytes[1] = trail_byte(pointer % 157, 0x3F, 0x22);
    return 2;
}

/* The one code point that some bytes stand for, or FG_NO_CODE. */
static uint32_t ask_iconv(iconv_t converter, unsigned char *bytes, size_t n)
{
    uint32_t codes[8];
    char *in = (char *)bytes, *out = (char *)codes;
    size_t in_left = n, out_left = sizeof codes;
    iconv(converter, NULL, NULL, NULL, NULL);
    iconv(converter, &in, &in_left, &out, &out_left);
    iconv(converter, NULL, NULL, &out, &out_left); /* some wait for a combining mark */
    bool is_one = in_left == 0 && sizeof codes - out_left == sizeof *codes;
    return is_one ? codes[0] : FG_NO_CODE;
}

static void fill(uint16_t *codes, size_t len, const char *charset, spell_fn *spell)
{
    memset(codes, 0xFF, len * sizeof *codes);
    iconv_t converter = iconv_open(
        __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? "UTF-32LE" : "UTF-32BE", charset);
    if ((intptr_t)converter == -1)
        return;
    for (size_t pointer = 0; pointer < len; pointer++) {
        unsigned char bytes[4];
        size_t n = spell(bytes, pointer);
        uint32_t code = ask_iconv(converter, bytes, n);
        bool is_plane2 = codes == big5 && code >> 16 == 2;
        if (code <= FG_NO_CODE || is_plane2)
            codes[pointer] = (uint16_t)code;
        if (is_plane2)
            big5_plane2[pointer / 8] |= (uint8_t)(1u << pointer % 8);
    }
    iconv_close(converter);
}

static size_t two_byte_pointer(unsigned bytes, size_t row_len, unsigned gap)
{
    unsigned lead = bytes >> 8, trail = bytes & 0xFF;
    return (lead - 0x81) * row_len + trail - (trail < 0x7F ? 0x40 : 0x40 + gap);
}

static void make_jis0208(void)
{
    enum { FIRST_PRIVATE = 8836, LAST_PRIVATE = 10715 };
    fill(jis0208, JIS0208_LEN, "CP932", spell_shift_jis);
    for (size_t i = FIRST_PRIVATE; i <= LAST_PRIVATE; i++)
        jis0208[i] = FG_NO_CODE; /* the decoder of Shift_JIS counts these itself */
}

static void make_jis0212(void)
{
    fill(jis0212, JIS0212_LEN, "EUC-JP", spell_jis0212);
}

static void make_euc_kr(void)
{
    fill(euc_kr, EUC_KR_LEN, "UHC", spell_euc_kr);
}

static void make_gb18030(void)
{
    fill(gb18030, GB18030_LEN, "GB18030", spell_gb18030);
    for (size_t i = 0; i < sizeof gb18030_corrections / sizeof *gb18030_corrections;
         i++) {
        struct correction c = gb18030_corrections[i];
        gb18030[two_byte_pointer(c.bytes, 190, 1)] = c.code;
    }
}

static void make_big5(void)
{
    fill(big5, FG_BIG5_POINTERS, "BIG5-HKSCS", spell_big5);
    for (size_t i = 0; i < sizeof big5_corrections / sizeof *big5_corrections; i++) {
        struct correction c = big5_corrections[i];
        big5[two_byte_pointer(c.bytes, 157, 0x22)] = c.code;
    }
    for (unsigned i = 0; i < 32; i++) /* pictures of the control characters */
        big5[two_byte_pointer(0xA3C0 + i, 157, 0x22)] = (uint16_t)(0x2400 + i);
}

const uint16_t *fg_index_codes(enum fg_index index)
{
    static pthread_once_t once[FG_INDEXES] = {[0 ... FG_INDEXES - 1] = PTHREAD_ONCE_INIT};
    static const struct {
        void (*make)(void);
        const uint16_t *codes;
    } indexes[FG_INDEXES] = {
        [FG_INDEX_JIS0208] = {make_jis0208, jis0208},
        [FG_INDEX_JIS0212] = {make_jis0212, jis0212},
        [FG_INDEX_EUC_KR] = {make_euc_kr, euc_kr},
        [FG_INDEX_GB18030] = {make_gb18030, gb18030},
        [FG_INDEX_BIG5] = {make_big5, big5},
    };
    if (index == FG_INDEX_SHIFT_JIS)
        index = FG_INDEX_JIS0208;
    pthread_once(&once[index], indexes[index].make);
    return indexes[index].codes;
}

bool fg_big5_is_plane2(size_t pointer)
{
    return big5_plane2[pointer / 8] >> pointer % 8 & 1;
}

/* Of several pointers of a code point the first counts. */
static void reverse(uint16_t *back, const uint16_t *codes, size_t first, size_t end)
{
    for (size_t pointer = end; pointer-- > first;) {
        if (codes[pointer] == FG_NO_CODE)
            continue;
        size_t code = codes[pointer];
        if (codes == big5 && fg_big5_is_plane2(pointer))
            code += BMP;
        back[code] = (uint16_t)(pointer + 1);
    }
}

static void reverse_jis0208(void)
{
    reverse(jis0208_back, fg_index_codes(FG_INDEX_JIS0208), 0, JIS0208_LEN);
}

/* Windows encodes what NEC and IBM both added as IBM did. */
static void reverse_shift_jis(void)
{
    enum { FIRST_NEC = 8272, AFTER_NEC = 8836 };
    const uint16_t *codes = fg_index_codes(FG_INDEX_JIS0208);
    reverse(shift_jis_back, codes, AFTER_NEC, JIS0208_LEN);
    reverse(shift_jis_back, codes, 0, FIRST_NEC);
}

static void reverse_euc_kr(void)
{
    reverse(euc_kr_back, fg_index_codes(FG_INDEX_EUC_KR), 0, EUC_KR_LEN);
}

static void reverse_gb18030(void)
{
    reverse(gb18030_back, fg_index_codes(FG_INDEX_GB18030), 0, GB18030_LEN);
}

/* The rows before 0xA1 are not written, and of six characters the last place counts. */
static void reverse_big5(void)
{
    static const uint16_t last[] = {0x2550, 0x255E, 0x2561, 0x256A, 0x5341, 0x5345};
    size_t first = (0xA1 - 0x81) * 157;
    const uint16_t *codes = fg_index_codes(FG_INDEX_BIG5);
    reverse(big5_back, codes, first, FG_BIG5_POINTERS);
    for (size_t i = 0; i < sizeof last / sizeof *last; i++)
        for (size_t pointer = first; pointer < FG_BIG5_POINTERS; pointer++)
            if (codes[pointer] == last[i] && !fg_big5_is_plane2(pointer))
                big5_back[last[i]] = (uint16_t)(pointer + 1);
}

int fg_index_pointer(enum fg_index index, uint32_t code)
{
    static pthread_once_t once[FG_INDEXES] = {[0 ... FG_INDEXES - 1] = PTHREAD_ONCE_INIT};
    static const struct {
        void (*make)(void);
        const uint16_t *back;
    } backs[FG_INDEXES] = {
        [FG_INDEX_JIS0208] = {reverse_jis0208, jis0208_back},
        [FG_INDEX_EUC_KR] = {reverse_euc_kr, euc_kr_back},
        [FG_INDEX_GB18030] = {reverse_gb18030, gb18030_back},
        [FG_INDEX_BIG5] = {reverse_big5, big5_back},
        [FG_INDEX_SHIFT_JIS] = {reverse_shift_jis, shift_jis_back},
    };
    if (code >> 16 == 2 && index == FG_INDEX_BIG5)
        code -= BMP;
    else if (code >= BMP)
        return -1;
    pthread_once(&once[index], backs[index].make);
    return backs[index].back[code] - 1;
}

static const struct fg_gb_range *range_of(uint32_t value, bool by_code)
{
    size_t low = 0, high = fg_gb_ranges_len;
    while (high - low > 1) {
        size_t middle = (low + high) / 2;
        const struct fg_gb_range *range = &fg_gb_ranges[middle];
        if ((by_code ? range->code : range->pointer) <= value)
            low = middle;
        else
            high = middle;
    }
    return &fg_gb_ranges[low];
}

/* U+E7C7 stands where U+1E3F stood before that was given two bytes. */
enum { GB_ODD_POINTER = 7457, GB_ODD_CODE = 0xE7C7 };

uint32_t fg_gb_range_code(uint32_t pointer)
{
    if ((pointer > 39419 && pointer < 189000) || pointer > 1237575)
        return UINT32_MAX;
    if (pointer == GB_ODD_POINTER)
        return GB_ODD_CODE;
    const struct fg_gb_range *range = range_of(pointer, false);
    return range->code + (pointer - range->pointer);
}

uint32_t fg_gb_range_pointer(uint32_t code)
{
    if (code == GB_ODD_CODE)
        return GB_ODD_POINTER;
    const struct fg_gb_range *range = range_of(code, true);
    return range->pointer + (code - range->code);
}
