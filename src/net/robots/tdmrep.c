#include "net/robots/tdmrep.h"

#include "base/vec.h"
#include "net/robots/rules.h"
#include "net/text/json_tree.h"

struct rule {
    struct fg_str location, policy;
    const struct fg_rules *matcher; /* of one pattern, which it disallows */
    enum fg_tdm_reservation reservation;
};

struct fg_tdmrep {
    struct rule *rules;
    size_t n_rules;
    bool is_cut;
};

const char *fg_tdm_name(enum fg_tdm_reservation reservation)
{
    static const char *const names[] = {
        [FG_TDM_UNSET] = "unset",
        [FG_TDM_FREE] = "free",
        [FG_TDM_RESERVED] = "reserved",
    };
    return names[reservation];
}

const char *fg_tdm_from_name(enum fg_tdm_from from)
{
    static const char *const names[] = {
        [FG_TDM_NOWHERE] = NULL,
        [FG_TDM_FILE] = "tdmrep.json",
        [FG_TDM_HEADER] = "header",
        [FG_TDM_META] = "meta",
    };
    return names[from];
}

static enum fg_tdm_reservation read_text(struct fg_str text)
{
    text = fg_str_trim(text);
    return fg_str_eq(text, FG_STR("1"))   ? FG_TDM_RESERVED
           : fg_str_eq(text, FG_STR("0")) ? FG_TDM_FREE
                                          : FG_TDM_UNSET;
}

static struct fg_str text_of(const json_t *value)
{
    return json_is_string(value)
               ? (struct fg_str){json_string_value(value), json_string_length(value)}
               : (struct fg_str){0};
}

/* A number is what the report asks for; in quotes it means the same. */
static enum fg_tdm_reservation read_value(const json_t *value)
{
    if (!json_is_integer(value))
        return read_text(text_of(value));
    return json_integer_value(value) == 1   ? FG_TDM_RESERVED
           : json_integer_value(value) == 0 ? FG_TDM_FREE
                                            : FG_TDM_UNSET;
}

/* False if it makes no sense. */
static bool read_rule(struct rule *rule, struct fg_arena *arena, const json_t *object)
{
    enum { POLICY_MAX = 2048 };
    struct fg_str location = fg_str_trim(text_of(json_object_get(object, "location")));
    struct fg_str policy = text_of(json_object_get(object, "tdm-policy"));
    rule->reservation = read_value(json_object_get(object, "tdm-reservation"));
    if (!location.len || rule->reservation == FG_TDM_UNSET)
        return false;
    rule->location = fg_arena_dup(arena, location);
    rule->policy = policy.len <= POLICY_MAX ? fg_arena_dup(arena, policy) : FG_STR("");
    rule->matcher =
        fg_rules_index(arena, &(struct fg_rule){.pattern = rule->location}, 1);
    return true;
}

const struct fg_tdmrep *fg_tdmrep_parse(struct fg_arena *arena, struct fg_str text,
                                        const char **problem)
{
    static const struct fg_json_limits limits = {
        .depth = 8, .containers = 20000, .values = 100000};
    struct fg_tdmrep *file = FG_NEW(arena, struct fg_tdmrep, 1);
    *problem = NULL;
    if (fg_str_starts(text, FG_STR("\xEF\xBB\xBF")))
        text = fg_str_skip(text, 3);
    if (text.len > FG_TDMREP_MAX_BYTES || !fg_json_tree_is_affordable(text, &limits)) {
        *problem = "it is too large";
        return NULL;
    }
    json_t *root = json_loadb(text.at, text.len, 0, NULL);
    if (!json_is_array(root)) {
        *problem = root ? "it is not an array of rules" : "it is not JSON";
        json_decref(root);
        return NULL;
    }
    size_t n = json_array_size(root);
    file->is_cut = n > FG_TDMREP_RULES_MAX;
    file->rules = FG_NEW(arena, struct rule, n);
    for (size_t i = 0; i < n && i < FG_TDMREP_RULES_MAX; i++)
        if (read_rule(&file->rules[file->n_rules], arena, json_array_get(root, i)))
            file->n_rules++;
    json_decref(root);
    return file;
}

struct fg_tdm fg_tdmrep_at(const struct fg_tdmrep *file, struct fg_str path)
{
    struct fg_arena scratch = {0};
    struct fg_tdm tdm = {0};
    for (size_t i = 0; file && i < file->n_rules && !tdm.reservation; i++) {
        struct fg_rule by;
        const struct rule *rule = &file->rules[i];
        if (fg_rules_explain(&by, &scratch, rule->matcher, path))
            continue;
        tdm = (struct fg_tdm){rule->reservation, FG_TDM_FILE, rule->policy};
        if (!by.pattern.len) /* nobody knows whether it matches */
            tdm.reservation = FG_TDM_RESERVED;
    }
    if (file && file->is_cut && !tdm.reservation)
        tdm = (struct fg_tdm){.reservation = FG_TDM_RESERVED, .from = FG_TDM_FILE};
    fg_arena_clear(&scratch);
    return tdm;
}

void fg_tdm_add_header(struct fg_tdm *tdm, struct fg_str reservation,
                       struct fg_str policy)
{
    enum fg_tdm_reservation value = read_text(reservation);
    if (value == FG_TDM_UNSET)
        return;
    *tdm = (struct fg_tdm){value, FG_TDM_HEADER, fg_str_trim(policy)};
}

void fg_tdm_add_meta(struct fg_tdm *tdm, struct fg_str name, struct fg_str content)
{
    name = fg_str_trim(name);
    enum fg_tdm_reservation value = read_text(content);
    if (fg_str_eq_nocase(name, FG_STR("tdm-policy")))
        tdm->policy = fg_str_trim(content);
    else if (fg_str_eq_nocase(name, FG_STR("tdm-reservation")) && value)
        /* The terms may stand before or behind it. */
        *tdm = (struct fg_tdm){value, FG_TDM_META, tdm->policy};
}
