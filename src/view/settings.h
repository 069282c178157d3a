/* settings.h - a setting as JSON: its value, its default, and where the value came from
 *
 * What only its owner should know is left out of addresses (net/url/discreet.h). */
#ifndef FG_VIEW_SETTINGS_H
#define FG_VIEW_SETTINGS_H

#include "base/json.h"
#include "base/opt.h"

/* A pair of an open object. */
void fg_setting_json(struct fg_json *json, struct fg_arena *arena,
                     const struct fg_setting *setting);

#endif
