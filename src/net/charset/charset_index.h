/* charset_index.h - the code points of the multi-byte encodings; not for others
 *
 * An index of the Encoding Standard goes from a pointer (the place of a character in the
 * grid of its national standard) to a code point, FG_NO_CODE where there is none, and
 * back. Each is made when it is first asked for, and constant from then on. */
#ifndef FG_NET_CHARSET_INDEX_H
#define FG_NET_CHARSET_INDEX_H

#include "net/charset/charset_parts.h"

enum fg_index {
    FG_INDEX_JIS0208, /* also Shift_JIS, which goes another way back */
    FG_INDEX_JIS0212,
    FG_INDEX_EUC_KR,
    FG_INDEX_GB18030,
    FG_INDEX_BIG5,
    FG_INDEX_SHIFT_JIS,
    FG_INDEXES
};

#define FG_BIG5_POINTERS (126 * 157)

/* The code points of an index. Those of Big5 that lie in plane 2 are given without their
 * high bits, and are the ones for which fg_big5_is_plane2 is true. */
const uint16_t *fg_index_codes(enum fg_index index);
bool fg_big5_is_plane2(size_t pointer);

/* The pointer that an encoder uses for a code point, or -1. */
int fg_index_pointer(enum fg_index index, uint32_t code_point);

/* gb18030 in four bytes: UINT32_MAX where there is none. */
uint32_t fg_gb_range_code(uint32_t pointer);
uint32_t fg_gb_range_pointer(uint32_t code_point);

#endif
