/* gives.c - what answers consist of that no view describes, for the description
 *
 * These answers are written as JSON where they are made; a test holds each member that
 * comes against these tables. They have no places in structs, for nothing is read by
 * them. */
#include "server/request.h"

#define TEXT(name, words)                                  \
    {                                                      \
        name, NULL, .type = FG_FIELD_TEXT, .help = (words) \
    }
#define COUNT(name, words)                                  \
    {                                                       \
        name, NULL, .type = FG_FIELD_COUNT, .help = (words) \
    }
#define NUMBER(name, words)                                  \
    {                                                        \
        name, NULL, .type = FG_FIELD_NUMBER, .help = (words) \
    }
#define YES(name, words)                                  \
    {                                                     \
        name, NULL, .type = FG_FIELD_YES, .help = (words) \
    }
#define TIME(name, words)                                  \
    {                                                      \
        name, NULL, .type = FG_FIELD_TIME, .help = (words) \
    }
#define TEXTS(name, words)                                  \
    {                                                       \
        name, NULL, .type = FG_FIELD_TEXTS, .help = (words) \
    }
#define JSON(name, words)                                  \
    {                                                      \
        name, NULL, .type = FG_FIELD_JSON, .help = (words) \
    }
#define NUMBERS(name, words)                                \
    {                                                       \
        name, NULL, .type = FG_FIELD_PAIRS, .help = (words) \
    }
#define RECORD(name, fields, words)                                          \
    {                                                                        \
        name, NULL, .type = FG_FIELD_RECORD, .of = (fields), .help = (words) \
    }
#define RECORDS(name, fields, words)                                        \
    {                                                                       \
        name, NULL, .type = FG_FIELD_PAIRS, .of = (fields), .help = (words) \
    }
#define ROWS(name, fields, words)                                          \
    {                                                                      \
        name, NULL, .type = FG_FIELD_ROWS, .of = (fields), .help = (words) \
    }
#define END \
    {       \
        0   \
    }

/* clang-format off */

/* --- the timeline --- */

static const struct fg_field delay_fields[] = {
    NUMBER("up_to_s", "from publication to discovery; null: more than all others"),
    COUNT("n", "new pages that took so long"),
    END};
static const struct fg_field hour_fields[] = {
    TIME("from", "when the step begins"),
    COUNT("new", "new pages told"),
    COUNT("changed", "documents whose value changed"),
    COUNT("fetches", "requests made"),
    COUNT("failures", "of them"),
    COUNT("new_links", "seen for the first time"),
    END};
const struct fg_field fg_timeline_fields[] = {
    TIME("from", "when the first step begins"),
    TIME("now", "by the crawl's clock"),
    NUMBER("step_s", "how long a step is"),
    NUMBERS("purposes", "requests by what they were for"),
    NUMBERS("found_by", "new pages by how they were found: page, feed, sitemap, push"),
    COUNT("failures", "of the requests"),
    NUMBERS("errors", "failures by what they were: \"timeout\", \"status 404\""),
    COUNT("not_modified", "answers of that kind"),
    COUNT("explored", "requests made to learn"),
    COUNT("bytes", "that came"),
    ROWS("delays", delay_fields, "a histogram of delays from publication to discovery"),
    ROWS("steps", hour_fields, "48 of them"),
    END};

/* --- settings, policies, experiments --- */

static const struct fg_field origin_fields[] = {
    TEXT("layer", "default, file, environment or flag"),
    TEXT("name", "of the file, the variable or the flag"),
    COUNT("line", "in the file"),
    END};
static const struct fg_field setting_fields[] = {
    JSON("value", "in its own type; spans in seconds"),
    TEXT("text", "as it is written in a file"),
    TEXT("default", "if nothing is said"),
    YES("reload", "a running crawl takes a change up at SIGHUP"),
    RECORD("from", origin_fields, "where the value came from"),
    END};
const struct fg_field fg_settings_fields[] = {
    RECORDS("settings", setting_fields, "by their names"),
    END};

static const struct fg_field parameter_fields[] = {
    TEXT("name", NULL), NUMBER("default", NULL), NUMBER("least", NULL),
    NUMBER("most", NULL), TEXT("help", "what it is"),
    END};
static const struct fg_field policy_fields[] = {
    TEXT("name", NULL),
    TEXT("summary", "what it does"),
    TEXT("paper", "where it comes from"),
    TEXTS("tasks", "discovery, refresh, ranking, advertising"),
    YES("lab_only", "it needs to know what only the lab can know"),
    ROWS("parameters", parameter_fields, "its knobs"),
    END};
const struct fg_field fg_policies_fields[] = {ROWS("items", policy_fields, NULL), END};

const struct fg_field fg_experiment_fields[] = {
    TEXT("name", NULL),
    TEXT("title", "what is compared"),
    TEXT("state", "never run, running, stopped or done"),
    COUNT("jobs_done", "of a run that is not over"),
    COUNT("jobs", "in all"),
    TEXT("why", "why it stopped"),
    TIME("reported_at", "when the report was made"),
    TEXT("report", "where it is, on this server"),
    END};
const struct fg_field fg_experiments_fields[] = {
    ROWS("items", fg_experiment_fields, NULL), END};

/* --- the audit --- */

static const struct fg_field audited_fields[] = {
    COUNT("number", "to undo it by"),
    COUNT("undoes", "number of the change that this one took back; not of others"),
    COUNT("undone_by", "number of the change that took it back; null: it holds"),
    TIME("time", "when it was asked for, by the clock on the wall"),
    TEXT("call", "operationId of the call"),
    TEXT("body", "of the request; what is longer than 4 KiB is cut"),
    TEXT("undo", "the call that undoes it; null: it cannot be undone"),
    TEXT("undo_body", "what that call is sent"),
    END};
const struct fg_field fg_audit_fields[] = {ROWS("items", audited_fields, NULL), END};

/* --- events --- */

/* As they are told, by all ways out: docs/outputs.md. */
const struct fg_field fg_event_fields[] = {
    TEXT("event", "an id that stays the same, whatever happens"),
    TEXT("type", "discovery, changed, alarm or alarm-cleared"),
    TEXT("url", "of the page; of an alarm, where the site begins"),
    TEXT("site", "scheme, host and port"),
    TIME("found_at", NULL),
    TEXT("found_on", "discovery: the page that led to it"),
    TEXT("found_by", "discovery: push, if somebody told us"),
    TEXT("words", "discovery: of the link"),
    TIME("dated", "discovery: by its address, or by what led to it"),
    TEXT("title", "of the page"),
    TIME("published", "discovery: as the page says"),
    TEXT("language", "discovery: of the page"),
    TEXT("excerpt", "discovery: how the page begins"),
    NUMBER("relevance", "discovery: in a focused crawl, from 0 to 1"),
    TEXT("kind", "changed: of the value"),
    TEXT("before", "changed: the value; null: it is not known"),
    TEXT("after", "changed: likewise"),
    TEXT("diff", "changed: what is different"),
    TEXT("before_from", "changed: list, if a list showed the earlier price"),
    TEXT("reason", "alarm: in a word"),
    TEXT("text", "alarm: in a sentence"),
    TEXT("advice", "alarm: what to do"),
    TIME("since", "alarm: when it began"),
    END};

/* --- changes --- */

#define HANDED_OVER                                                               \
    YES("changed", "false: it was so already"),                                   \
    YES("handed_over", "it is left for the crawl, or for the next one"),          \
    YES("running", "a crawl is running, and takes it up within seconds"),         \
    COUNT("audit", "number of the change, to be undone; not if nothing changed")

const struct fg_field fg_handed_over_fields[] = {HANDED_OVER, END};
const struct fg_field fg_added_fields[] = {
    HANDED_OVER,
    TEXT("url", "the address in full"),
    COUNT("new_pages", "that were not known"),
    COUNT("new_sites", "likewise"),
    END};
const struct fg_field fg_controlled_fields[] = {
    HANDED_OVER, TEXT("site", "that was meant"),
    TEXT("page", "that was meant; null: all of the site"), END};
const struct fg_field fg_labelled_fields[] = {
    HANDED_OVER, TEXT("url", "the page"), TEXT("label", "that it has now"), END};
const struct fg_field fg_site_set_fields[] = {
    HANDED_OVER, TEXT("site", NULL), TEXT("tags", "that it has now"),
    TEXT("settings", "that hold for it now, a line each"), END};
/* What an undo answers is what the call it makes answers. */
const struct fg_field fg_undone_fields[] = {
    JSON("changed", "whether something was, or how much"),
    YES("handed_over", NULL), YES("running", NULL),
    COUNT("audit", "number of the undoing"), COUNT("added", NULL), COUNT("known", NULL),
    TEXT("site", NULL), TEXT("page", NULL), TEXT("url", NULL),
    TEXT("label", NULL), TEXT("tags", NULL), TEXT("settings", NULL),
    COUNT("new_pages", NULL), COUNT("new_sites", NULL), TEXT("state", NULL),
    COUNT("ad", NULL), YES("new", NULL), YES("blocked", NULL), TEXT("name", NULL),
    TEXT("title", NULL), COUNT("jobs_done", NULL), COUNT("jobs", NULL),
    TEXT("why", NULL), TIME("reported_at", NULL), TEXT("report", NULL), END};

/* --- preview --- */

static const struct fg_field example_fields[] = {
    TEXT("url", NULL), TEXT("words", "of the link"), END};
static const struct fg_field guess_fields[] = {
    TEXT("url", NULL), TEXT("kind", "page, feed, sitemap, text or list"),
    TEXT("because", "why it would be looked at"), END};
const struct fg_field fg_preview_fields[] = {
    TEXT("url", "in full"),
    TEXT("site", "scheme, host and port"),
    YES("is_watched", "its site is known already; then it is not fetched"),
    TEXT("end", "how asking for it ended: answered, or what robots.txt said"),
    TEXT("final_url", "where redirects led"),
    YES("fetched", "it was read"),
    TEXT("robots", "allowed, forbidden, none, or unknown: it cannot be had"),
    NUMBER("crawl_delay_s", "that robots.txt asks for; null: none"),
    TEXT("why", "why it was not"),
    TEXT("trouble", "what is in the way of watching it; not if nothing is"),
    TEXT("advice", "what to do about that"),
    COUNT("status", "HTTP"),
    ROWS("sources", guess_fields, "what would be looked at for new pages"),
    TEXT("kind", "page, feed or sitemap"),
    TEXT("title", NULL),
    TEXT("language", NULL),
    TEXTS("feeds", "it announces"),
    ROWS("examples", example_fields, "links to its own site"),
    COUNT("links", "in all"),
    COUNT("own_links", "to its own site"),
    END};

/* --- search and advertisements --- */

const struct fg_field fg_feedback_fields[] = {
    COUNT("taken", "tokens that counted"),
    COUNT("again", "that had counted before"),
    COUNT("forged", "that are not ours"),
    COUNT("late", "that are too old"),
    COUNT("too_many", "of one client"),
    END};
const struct fg_field fg_click_fields[] = {
    TEXT("outcome", "whether it counted, and if not why"),
    TEXT("url", "where it leads"), END};
const struct fg_field fg_new_ad_fields[] = {
    COUNT("ad", "its number"), YES("new", "false: it was changed"),
    COUNT("audit", "number of the change, to be undone"), END};
const struct fg_field fg_ads_set_fields[] = {
    TEXT("state", "they have now"), COUNT("changed", "names that were given"),
    COUNT("audit", "number of the change, to be undone"), END};
static const struct fg_field ad_fields[] = {
    COUNT("ad", "its number"), TEXT("advertiser", "who pays"),
    TEXT("phrase", "the queries it is for"), TEXT("match", "exact or broad"),
    NUMBER("bid", "what a click is worth"), NUMBER("budget", "a day; null: none"),
    TEXT("title", NULL), TEXT("url", "where it leads"), TEXT("text", "a second line"),
    TEXT("state", "active, paused or revoked"), COUNT("shown", "so often"),
    COUNT("clicked", "so often"), NUMBER("spent", "in all"), END};
const struct fg_field fg_ads_fields[] = {ROWS("items", ad_fields, NULL), END};
static const struct fg_field day_fields[] = {
    TEXT("date", "UTC"), TEXT("advertiser", NULL), COUNT("shown", "so often"),
    COUNT("clicked", "so often"), COUNT("charged", "clicks that were paid"),
    NUMBER("spent", NULL), NUMBER("budget", "of the day; null: none"), END};
const struct fg_field fg_ads_stats_fields[] = {ROWS("items", day_fields, NULL), END};

/* --- the rest --- */

const struct fg_field fg_login_fields[] = {YES("in", "the cookie is set"), END};
const struct fg_field fg_pushed_fields[] = {
    COUNT("addresses", "that were taken"), END};
