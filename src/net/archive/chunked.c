#include "net/archive/chunked.h"

enum { MOST_DIGITS = 15 };

static enum fg_chunked_state after_size(const struct fg_chunked *chunked)
{
    if (!chunked->digits)
        return FG_CHUNKED_BROKEN;
    return chunked->left ? FG_CHUNKED_DATA : FG_CHUNKED_TRAILER;
}

static enum fg_chunked_state in_size(struct fg_chunked *chunked, char c)
{
    int digit = fg_hex(c);
    if (digit >= 0) {
        chunked->left = chunked->left << 4 | (uint64_t)digit;
        return ++chunked->digits > MOST_DIGITS ? FG_CHUNKED_BROKEN : FG_CHUNKED_SIZE;
    }
    if (c == '\n')
        return after_size(chunked);
    if (!chunked->digits)
        return FG_CHUNKED_BROKEN;
    return c == '\r'                           ? FG_CHUNKED_SIZE
           : c == ';' || c == ' ' || c == '\t' ? FG_CHUNKED_EXTENSION
                                               : FG_CHUNKED_BROKEN;
}

static enum fg_chunked_state step(struct fg_chunked *chunked, char c)
{
    switch (chunked->state) {
    case FG_CHUNKED_SIZE:
        return in_size(chunked, c);
    case FG_CHUNKED_EXTENSION:
        return c == '\n' ? after_size(chunked) : FG_CHUNKED_EXTENSION;
    case FG_CHUNKED_AFTER:
        if (c == '\r')
            return FG_CHUNKED_AFTER;
        chunked->digits = 0;
        return c == '\n' ? FG_CHUNKED_SIZE : FG_CHUNKED_BROKEN;
    case FG_CHUNKED_TRAILER:
        return c == '\n'   ? FG_CHUNKED_DONE
               : c == '\r' ? FG_CHUNKED_TRAILER
                           : FG_CHUNKED_TRAILER_LINE;
    case FG_CHUNKED_TRAILER_LINE:
        return c == '\n' ? FG_CHUNKED_TRAILER : FG_CHUNKED_TRAILER_LINE;
    default:
        return chunked->state;
    }
}

bool fg_chunked_next(struct fg_chunked *chunked, struct fg_str *in, struct fg_str *data)
{
    while (in->len && chunked->state < FG_CHUNKED_DONE) {
        if (chunked->state != FG_CHUNKED_DATA) {
            chunked->state = step(chunked, in->at[0]);
            if (chunked->state != FG_CHUNKED_BROKEN)
                *in = fg_str_skip(*in, 1);
            continue;
        }
        *data = fg_str_sub(*in, 0, chunked->left < in->len ? chunked->left : in->len);
        *in = fg_str_skip(*in, data->len);
        chunked->left -= data->len;
        if (!chunked->left)
            chunked->state = FG_CHUNKED_AFTER;
        return true;
    }
    return false;
}
