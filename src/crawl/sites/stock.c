/* Pages that wait for their first fetch: queues, and a word to the loop that there is
 * something in one. */
#include "crawl/sites/pages.h"
#include "crawl/sites/site.h"
#include "crawl/state.h"

#include <event2/event.h>
#include <stdlib.h>

void queue_push(struct row_queue *queue, uint32_t row)
{
    if (queue->len == queue->capacity) {
        size_t wider = queue->capacity ? queue->capacity * 2 : 64;
        uint32_t *moved = malloc(wider * sizeof *moved);
        if (!moved)
            fg_out_of_memory();
        for (size_t i = 0; i < queue->len; i++)
            moved[i] = queue->at[(queue->first + i) & (queue->capacity - 1)];
        free(queue->at);
        queue->at = moved;
        queue->first = 0;
        queue->capacity = wider;
    }
    queue->at[(queue->first + queue->len++) & (queue->capacity - 1)] = row;
}

/* Before all others. */
void queue_push_front(struct row_queue *queue, uint32_t row)
{
    queue_push(queue, row); /* makes room */
    queue->len--;
    queue->first = (queue->first - 1) & (queue->capacity - 1);
    queue->at[queue->first] = row;
    queue->len++;
}

bool queue_pop(struct row_queue *queue, uint32_t *row)
{
    if (!queue->len)
        return false;
    *row = queue->at[queue->first];
    queue->first = (queue->first + 1) & (queue->capacity - 1);
    queue->len--;
    return true;
}

void crawl_stir(struct fg_crawl *crawl, struct site *site)
{
    if (site->budget.is_stirred)
        return;
    site->budget.is_stirred = true;
    fg_vec_push(&crawl->sites.stirred, site);
    if (crawl->run.feeder) /* it is not there yet while we recall */
        event_active(crawl->run.feeder, 0, 0);
}
