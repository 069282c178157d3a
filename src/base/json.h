/* json.h - writing JSON
 *
 *     struct fg_json json = fg_json_to(&buf);
 *     fg_json_object(&json);
 *     fg_json_pair(&json, "url", url);
 *     fg_json_key(&json, "links");
 *     fg_json_array(&json);
 *     for (each) fg_json_str(&json, link);
 *     fg_json_end(&json);
 *     fg_json_end(&json);
 *
 * Commas and quotes look after themselves. Text is always valid UTF-8 in the output:
 * broken bytes become U+FFFD. "<", ">" and "&" are escaped, so the result may stand
 * inside an HTML page, and so is what acts on a terminal (plain.h). Numbers that JSON
 * cannot say (infinities) become null. Reading is done with jansson. */
#ifndef FG_BASE_JSON_H
#define FG_BASE_JSON_H

#include "base/buf.h"
#include "base/str.h"
#include "base/time.h"

struct fg_json {
    struct fg_buf *out;
    uint64_t is_array; /* a bit per open level, the innermost lowest */
    bool wants_comma;
    unsigned depth; /* at most 64 */
};

struct fg_json fg_json_to(struct fg_buf *out);

void fg_json_object(struct fg_json *json);
void fg_json_array(struct fg_json *json);
void fg_json_end(struct fg_json *json); /* of the innermost object or array */
void fg_json_key(struct fg_json *json, const char *key);
void fg_json_key_str(struct fg_json *json, struct fg_str key);

void fg_json_str(struct fg_json *json, struct fg_str value);
void fg_json_cstr(struct fg_json *json, const char *value); /* NULL becomes null */
void fg_json_int(struct fg_json *json, int64_t value);
void fg_json_uint(struct fg_json *json, uint64_t value);
void fg_json_double(struct fg_json *json,
                    double value); /* the shortest that reads back */
void fg_json_bool(struct fg_json *json, bool value);
void fg_json_null(struct fg_json *json);
void fg_json_time(struct fg_json *json,
                  fg_time value); /* ISO 8601; FG_NEVER becomes null */

/* A key and its value. A text without a start becomes null. */
void fg_json_pair(struct fg_json *json, const char *key, struct fg_str value);
void fg_json_pair_cstr(struct fg_json *json, const char *key, const char *value);
void fg_json_pair_int(struct fg_json *json, const char *key, int64_t value);
void fg_json_pair_uint(struct fg_json *json, const char *key, uint64_t value);
void fg_json_pair_double(struct fg_json *json, const char *key, double value);
void fg_json_pair_bool(struct fg_json *json, const char *key, bool value);
void fg_json_pair_time(struct fg_json *json, const char *key, fg_time value);

#endif
