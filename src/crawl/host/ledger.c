#include "crawl/host/ledger.h"

#include "crawl/crawl.h"

void fg_ledger_clear(struct fg_ledger *ledger)
{
    fg_vec_clear(&ledger->rows);
    fg_arena_clear(&ledger->arena);
}

static uint32_t clamp(uint64_t n)
{
    return n > UINT32_MAX ? UINT32_MAX : (uint32_t)n;
}

void fg_ledger_note(struct fg_ledger *ledger, fg_site_id site, const struct fg_made *made)
{
    const struct fg_response *response = made->response;
    struct fg_request_row row = {
        .site = site,
        .time = made->started,
        .number = ledger->number++,
        .status = (uint16_t)response->status,
        .failure = (uint8_t)response->outcome,
        .purpose = (uint8_t)(made->is_robots ? FG_REQUEST_ROBOTS : made->purpose),
        .hop = (uint8_t)made->hop,
        .conditional = made->is_conditional,
        .bytes = clamp(response->wire_bytes),
        .took_ms = clamp((uint64_t)(response->took / FG_MILLISECOND)),
        .target = fg_arena_dup(&ledger->arena, made->target),
    };
    fg_vec_push(&ledger->rows, row);
}

void fg_ledger_write(struct fg_ledger *ledger, struct fg_batch *batch)
{
    for (size_t i = 0; i < ledger->rows.len; i++)
        fg_batch_request(batch, &ledger->rows.at[i]);
    ledger->rows.len = 0;
    fg_arena_reset(&ledger->arena);
}

const char *fg_request_purpose_name(unsigned purpose)
{
    return purpose == FG_REQUEST_ROBOTS   ? "robots"
           : purpose == FG_REQUEST_ERRAND ? "errand"
           : purpose == FG_REQUEST_TDMREP ? "tdmrep"
                                          : fg_visit_purpose_name(purpose);
}
