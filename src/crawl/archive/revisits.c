#include "crawl/archive/revisits.h"

#include "base/err.h"
#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

void fg_revisits_init(struct fg_revisits *revisits, size_t most)
{
    *revisits = (struct fg_revisits){.most = most};
    revisits->at = fg_zeroed(most, sizeof *revisits->at);
}

void fg_revisits_clear(struct fg_revisits *revisits)
{
    for (size_t i = 0; revisits->at && i < revisits->most; i++)
        free(revisits->at[i].url);
    free(revisits->at);
    fg_map_clear(&revisits->by_payload);
    fg_map_clear(&revisits->by_url);
    *revisits = (struct fg_revisits){0};
}

/* Part of a sum is as good as a hash of it. */
static uint64_t key_of(const struct fg_sha1 *payload)
{
    uint64_t key;
    memcpy(&key, payload->bytes, sizeof key);
    return key;
}

/* The number may be of one that was forgotten since. */
static struct fg_original *find(const struct fg_revisits *revisits,
                                const uint64_t *number)
{
    if (!number || !revisits->most)
        return NULL;
    struct fg_original *slot = &revisits->at[*number % revisits->most];
    return slot->number == *number ? slot : NULL;
}

const struct fg_original *fg_revisits_by_payload(const struct fg_revisits *revisits,
                                                 const struct fg_sha1 *payload)
{
    const struct fg_original *found =
        find(revisits, fg_map_get(&revisits->by_payload, key_of(payload)));
    bool is_same =
        found && memcmp(found->payload.bytes, payload->bytes, sizeof payload->bytes) == 0;
    return is_same ? found : NULL;
}

const struct fg_original *fg_revisits_by_url(const struct fg_revisits *revisits,
                                             struct fg_str url)
{
    return find(revisits, fg_map_get(&revisits->by_url, fg_str_hash(url)));
}

static void forget(struct fg_revisits *revisits, struct fg_original *old)
{
    const uint64_t *number = fg_map_get(&revisits->by_payload, key_of(&old->payload));
    if (number && *number == old->number)
        fg_map_remove(&revisits->by_payload, key_of(&old->payload));
    free(old->url);
    *old = (struct fg_original){0};
}

void fg_revisits_add(struct fg_revisits *revisits, struct fg_str url,
                     const struct fg_sha1 *payload, fg_time date)
{
    if (!revisits->most)
        return;
    uint64_t number = ++revisits->last;
    struct fg_original *slot = &revisits->at[number % revisits->most];
    if (slot->number)
        forget(revisits, slot);
    slot->url = strndup(url.at, url.len);
    if (!slot->url)
        fg_out_of_memory();
    slot->payload = *payload;
    slot->date = date;
    slot->number = number;
    *fg_map_put(&revisits->by_payload, key_of(payload)) = number;
    fg_revisits_link(revisits, url, slot);
}

/* Addresses of payloads that were forgotten stay, up to twice as many as there are
 * payloads; then all addresses start afresh. */
void fg_revisits_link(struct fg_revisits *revisits, struct fg_str url,
                      const struct fg_original *original)
{
    if (fg_map_len(&revisits->by_url) > 2 * revisits->most)
        fg_map_clear(&revisits->by_url);
    *fg_map_put(&revisits->by_url, fg_str_hash(url)) = original->number;
}
