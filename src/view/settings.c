#include "view/settings.h"

#include "net/url/discreet.h"

static void json_value(struct fg_json *json, struct fg_arena *arena,
                       const struct fg_setting *setting)
{
    const struct fg_opt_list *list = setting->value;
    switch (setting->opt->type) {
    case FG_OPT_BOOL:
        fg_json_bool(json, *(bool *)setting->value);
        return;
    case FG_OPT_INT:
        fg_json_int(json, fg_setting_int(setting));
        return;
    case FG_OPT_DOUBLE:
        fg_json_double(json, *(double *)setting->value);
        return;
    case FG_OPT_SPAN:
        fg_json_double(json, fg_seconds(*(fg_time *)setting->value));
        return;
    case FG_OPT_SIZE:
        fg_json_uint(json, *(size_t *)setting->value);
        return;
    case FG_OPT_STRING:
        fg_json_str(json, fg_discreet(arena, fg_setting_str(setting)));
        return;
    case FG_OPT_ENUM:
        fg_json_cstr(json, setting->opt->choices[*(int *)setting->value]);
        return;
    case FG_OPT_LIST:
        fg_json_array(json);
        for (size_t i = 0; i < list->len; i++)
            fg_json_str(json, fg_discreet(arena, list->at[i]));
        fg_json_end(json);
        return;
    }
}

static void json_origin(struct fg_json *json, const struct fg_origin *origin)
{
    static const char *const layers[] = {
        [FG_LAYER_DEFAULT] = "default",
        [FG_LAYER_FILE] = "file",
        [FG_LAYER_ENV] = "environment",
        [FG_LAYER_FLAG] = "flag",
    };
    fg_json_object(json);
    fg_json_pair_cstr(json, "layer", layers[origin->layer]);
    if (origin->name.len) {
        fg_json_key(json, "name");
        fg_json_str(json, origin->name);
    }
    if (origin->line) {
        fg_json_pair_uint(json, "line", origin->line);
    }
    fg_json_end(json);
}

void fg_setting_json(struct fg_json *json, struct fg_arena *arena,
                     const struct fg_setting *setting)
{
    fg_json_key(json, setting->opt->name);
    fg_json_object(json);
    fg_json_key(json, "value");
    json_value(json, arena, setting);
    fg_json_key(json, "text");
    fg_json_str(json, fg_discreet(arena, fg_setting_text(arena, setting)));
    fg_json_pair_cstr(json, "default", setting->opt->preset);
    fg_json_pair_bool(json, "reload", setting->opt->is_live);
    fg_json_key(json, "from");
    json_origin(json, &setting->origin);
    fg_json_end(json);
}
