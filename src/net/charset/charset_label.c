/* Encodings by their labels. */
#include "net/charset/charset.h"
#include "net/charset/charset_parts.h"

#include <stdlib.h>

enum { LABEL_MAX = 32 }; /* longer than the longest label */

static int by_label(const void *key, const void *item)
{
    return strcmp(key, ((const struct fg_label *)item)->text);
}

const struct fg_encoding *fg_encoding_find(struct fg_str label)
{
    char text[LABEL_MAX];
    label = fg_str_trim(label);
    if (!label.len || label.len >= sizeof text || memchr(label.at, 0, label.len))
        return NULL;
    for (size_t i = 0; i < label.len; i++)
        text[i] = fg_lower(label.at[i]);
    text[label.len] = '\0';
    const struct fg_label *hit =
        bsearch(text, fg_labels, fg_labels_len, sizeof *fg_labels, by_label);
    return hit ? &fg_encodings[hit->encoding] : NULL;
}

const char *fg_encoding_name(const struct fg_encoding *encoding)
{
    return encoding->name;
}
