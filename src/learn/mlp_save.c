/* Magic, shape, arrays, checksum; numbers as the machine has them. */
#include "learn/mlp.h"

#include "learn/mlp_model.h"

#include <string.h>

static const char magic[8] = {'F', 'G', 'M', 'L', 'P', '0', '1', '\n'};

static void put(struct fg_buf *out, const void *at, size_t bytes)
{
    fg_buf_add(out, (struct fg_str){at, bytes});
}

static void put_head(struct fg_buf *out, const struct fg_mlp_shape *shape)
{
    uint32_t counts[] = {shape->dense, shape->categories, shape->hidden, shape->outputs,
                         shape->head};
    put(out, magic, sizeof magic);
    put(out, counts, sizeof counts);
    put(out, shape->width, shape->hidden * sizeof *shape->width);
    for (size_t c = 0; c < shape->categories; c++) {
        const struct fg_mlp_category *category = &shape->category[c];
        uint32_t facts[] = {category->rows, category->dims, category->is_hashed};
        put(out, facts, sizeof facts);
    }
}

enum { ARRAYS = 4 };
struct array {
    float *at;
    size_t n;
};

static void name_arrays(const struct fg_mlp *mlp, struct array arrays[ARRAYS])
{
    arrays[0] = (struct array){mlp->value, mlp->n};
    arrays[1] = (struct array){mlp->sum, mlp->n};
    arrays[2] = (struct array){mlp->mean, mlp->shape.dense};
    arrays[3] = (struct array){mlp->scale, mlp->shape.dense};
}

void fg_mlp_save(const struct fg_mlp *mlp, struct fg_buf *out)
{
    struct array arrays[ARRAYS];
    size_t start = out->len;
    put_head(out, &mlp->shape);
    name_arrays(mlp, arrays);
    for (size_t i = 0; i < ARRAYS; i++)
        put(out, arrays[i].at, arrays[i].n * sizeof(float));
    uint64_t sum = fg_str_hash((struct fg_str){out->at + start, out->len - start});
    put(out, &sum, sizeof sum);
}

static bool has_head(struct fg_str bytes, const struct fg_mlp_shape *shape, size_t *len)
{
    struct fg_buf head;
    fg_buf_init(&head, 4096);
    put_head(&head, shape);
    bool is_there = fg_str_starts(bytes, fg_buf_str(&head));
    *len = head.len;
    fg_buf_clear(&head);
    return is_there;
}

enum fg_status fg_mlp_load(struct fg_mlp *mlp, struct fg_str bytes, struct fg_err *err)
{
    struct array arrays[ARRAYS];
    size_t at, wanted = sizeof(uint64_t);
    uint64_t sum;
    if (!fg_str_starts(bytes, (struct fg_str){magic, sizeof magic}))
        return fg_fail(err, FG_EINPUT, "this is not a saved network");
    if (!has_head(bytes, &mlp->shape, &at))
        return fg_fail(err, FG_EINPUT, "the saved network is of another shape");
    name_arrays(mlp, arrays);
    for (size_t i = 0; i < ARRAYS; i++)
        wanted += arrays[i].n * sizeof(float);
    if (bytes.len != at + wanted)
        return fg_fail(err, FG_EINPUT, "the saved network has %zu bytes instead of %zu",
                       bytes.len, at + wanted);
    memcpy(&sum, bytes.at + bytes.len - sizeof sum, sizeof sum);
    if (sum != fg_str_hash(fg_str_sub(bytes, 0, bytes.len - sizeof sum)))
        return fg_fail(err, FG_EINPUT, "the saved network is damaged");
    for (size_t i = 0; i < ARRAYS; i++) {
        memcpy(arrays[i].at, bytes.at + at, arrays[i].n * sizeof(float));
        at += arrays[i].n * sizeof(float);
    }
    return FG_OK;
}
