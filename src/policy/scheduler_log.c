/* What has been changed is written down: numbers as the machine has them, and texts */
#include "policy/scheduler_inside.h"

void fg_sched_log(struct fg_scheduler *s, enum sched_record record,
                  const uint64_t *numbers, size_t n)
{
    if (!s->keeps_log || s->is_replaying)
        return;
    fg_buf_add_char(&s->log, (char)record);
    fg_buf_add(&s->log, (struct fg_str){(const char *)numbers, n * sizeof *numbers});
}

void fg_sched_log_text(struct fg_scheduler *s, struct fg_str text)
{
    uint64_t len = text.len;
    if (!s->keeps_log || s->is_replaying)
        return;
    fg_buf_add(&s->log, (struct fg_str){(const char *)&len, sizeof len});
    fg_buf_add(&s->log, text);
}

void fg_scheduler_keep_log(struct fg_scheduler *s)
{
    s->keeps_log = true;
    fg_buf_reset(&s->log);
}

struct fg_str fg_scheduler_log(const struct fg_scheduler *s)
{
    return fg_buf_str(&s->log);
}
