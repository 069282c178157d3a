/* yaml_event.h - what the readers of YAML ask of libyaml's events */
#ifndef FG_BASE_YAML_EVENT_H
#define FG_BASE_YAML_EVENT_H

#include <stdbool.h>
#include <yaml.h>

/* An alias, or something with an anchor or a tag: none of our files needs them, and an
 * alias can multiply. */
bool fg_yaml_is_decorated(const yaml_event_t *event);

#endif
