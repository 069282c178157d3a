/* facts_form.c - what the fields of forms say a page is for: to log in, or to edit */
#include "net/facts/facts_parts.h"
#include "net/text/word_list.h"

enum { EDITOR_ROWS = 10 };

static bool attr(const struct fg_walk *walk, struct fg_str name, struct fg_str *value)
{
    return fg_html_may_have(&walk->token, name) &&
           fg_html_attr(&walk->token, name, value);
}

static bool is_saving(const struct fg_walk *walk)
{
    struct fg_str name;
    return attr(walk, FG_STR("name"), &name) &&
           fg_word_in(name, "wpsave do[save] do[preview] save button_save wppreview "
                            "button_preview _save preview wpdiff");
}

/* A big one, and not for comments. */
static bool is_editor(const struct fg_walk *walk)
{
    struct fg_str value, name = {0};
    uint64_t rows = 0;
    if (attr(walk, FG_STR("rows"), &value))
        fg_str_to_u64(fg_str_trim(value), &rows);
    attr(walk, FG_STR("name"), &name);
    if (fg_word_in(name, "comment message reply msg comment[body] comment_body "
                         "g-recaptcha-response feedback"))
        return false;
    return rows >= EDITOR_ROWS ||
           fg_word_in(name, "wptextbox1 wikitext savetext editcontent editor markdown w");
}

void fg_form_field(struct fg_form *form, const struct fg_walk *walk)
{
    struct fg_str type = {0};
    attr(walk, FG_STR("type"), &type);
    if (walk->token.tag == FG_TAG_TEXTAREA)
        form->has_textarea |= is_editor(walk);
    else if (walk->token.tag == FG_TAG_INPUT && fg_word_in(type, "password"))
        form->has_password = true;
    else if (walk->token.tag == FG_TAG_BUTTON || fg_word_in(type, "submit"))
        form->has_save |= is_saving(walk);
}
