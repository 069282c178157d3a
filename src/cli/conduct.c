/* conduct.c - what owners say about keeping a page, for those who ask */
#include "crawl/host/conduct.h"
#include "cli/cli.h"

void fg_json_conduct(struct fg_json *json, const struct fg_conduct *conduct)
{
    static const char *const answers[] = {
        [FG_ROBOTS_SILENT] = NULL, [FG_ROBOTS_NO] = "no", [FG_ROBOTS_YES] = "yes"};
    fg_json_pair_cstr(json, "tdm", fg_tdm_name(conduct->tdm.reservation));
    fg_json_pair_cstr(json, "tdm_from", fg_tdm_from_name(conduct->tdm.from));
    fg_json_pair(json, "tdm_policy",
                 conduct->tdm.policy.len ? conduct->tdm.policy : (struct fg_str){0});
    fg_json_key(json, "content_signals");
    fg_json_object(json);
    for (size_t i = 0; i < FG_SIGNALS; i++)
        fg_json_pair_cstr(json, fg_signal_names[i], answers[conduct->signals[i]]);
    fg_json_end(json);
    fg_json_pair_cstr(json, "not_kept", conduct->refusal);
}
