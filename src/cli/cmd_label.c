/* cmd_label.c - forage label: say which pages are of interest, and learn from it */
#include "cli/crawling.h"
#include "crawl/host/errand.h"
#include "crawl/judging/labels.h"
#include "crawl/reading/reading.h"
#include "crawl/sources/naming.h"
#include "net/url/canonical.h"
#include "net/url/url.h"
#include "view/look.h"

struct options {
    struct fg_str file, remove;
    bool list, train, json;
};

static const struct fg_opt options[] = {
    {"file", FG_STRING(struct options, file), .letter = 'f', .arg = "FILE",
     .help = "the page itself, instead of fetching it; - is standard input"},
    {"list", FG_BOOL(struct options, list), .letter = 'l',
     .help = "print all labels, and what the classifier makes of these pages"},
    {"remove", FG_STRING(struct options, remove), .arg = "URL",
     .help = "take the label of this page back"},
    {"train", FG_BOOL(struct options, train),
     .help = "train again from all labels, and print how well it does"},
    {"json", FG_BOOL(struct options, json), .letter = 'j', .help = "print JSON"},
    {0},
};

/* A page being labelled. */
struct job {
    struct fg_cli *cli;
    struct fg_store *store;
    struct fg_str url; /* canonical */
    struct fg_looks looks;
    const char *from; /* file, store or fetch */
    int64_t crawl;    /* the process that crawls, which alone may write; or -1 */
    enum fg_status status;
    struct fg_err *err;
};

/* --- what the page says --- */

static void read_body(struct job *job, const struct fg_response *response,
                      struct fg_str url)
{
    struct fg_arena *arena = job->cli->arena;
    struct fg_reading reading;
    fg_reading_from(
        &reading, arena, url, response,
        (struct fg_reading_rules){.token = job->cli->settings.crawl.robots_token});
    job->looks = (struct fg_looks){.url = job->url,
                                   .title = fg_arena_dup(arena, reading.title),
                                   .text = fg_arena_dup(arena, reading.text)};
    if (reading.kind != FG_READ_HTML && reading.kind != FG_READ_TEXT)
        job->status = fg_fail(job->err, FG_EINPUT,
                              "'%.*s' is not a page with text that could be learnt from",
                              FG_ARG(fg_str_sub(job->url, 0, 200)));
}

static void read_bytes(struct job *job, struct fg_str bytes)
{
    struct fg_response response = {.status = 200, .url = job->url, .body = bytes};
    read_body(job, &response, job->url);
}

/* Words about a setting that would let it pass, if there is one. */
static const char *hint(const struct fg_polite *polite, const struct fg_answer *answer)
{
    struct fg_host_view host;
    bool is_refused =
        answer->end == FG_ASK_ANSWERED
            ? answer->response->outcome == FG_FETCH_FORBIDDEN
            : fg_polite_view(polite, fg_canonical_site(answer->url), &host) &&
                  host.robots_outcome == FG_FETCH_FORBIDDEN;
    return is_refused ? " (see --net-allow-private and --operator-contact)" : "";
}

static void take_answer(void *context, const struct fg_polite *polite,
                        const struct fg_answer *answer)
{
    struct job *job = context;
    const struct fg_response *response = answer->response;
    if (answer->end != FG_ASK_ANSWERED)
        job->status = fg_fail(job->err, FG_EIO,
                              "'%.*s' cannot be had: %s%s; "
                              "--file gives the page by hand",
                              FG_ARG(fg_str_sub(job->url, 0, 200)),
                              fg_ask_end_name(answer->end), hint(polite, answer));
    else if (response->outcome != FG_FETCHED)
        job->status =
            fg_fail(job->err, FG_EIO, "'%.*s' cannot be fetched: %s%s",
                    FG_ARG(fg_str_sub(job->url, 0, 200)),
                    response->why[0] ? response->why : fg_outcome_name(response->outcome),
                    hint(polite, answer));
    else if (response->status < 200 || response->status > 299)
        job->status = fg_fail(job->err, FG_EIO, "'%.*s' answers with status %u",
                              FG_ARG(fg_str_sub(job->url, 0, 200)), response->status);
    else
        read_body(job, response, answer->url);
}

static enum fg_status fetch(struct job *job)
{
    enum fg_status st =
        fg_errand_run(&(struct fg_errand){.store = job->store,
                                          .options = &job->cli->settings.crawl,
                                          .url = job->url,
                                          .take = take_answer,
                                          .context = job},
                      job->err);
    return st ? st : job->status;
}

/* From the file given, else as it was stored, else from the web. */
static enum fg_status obtain(struct job *job)
{
    const struct options *o = job->cli->options;
    struct fg_arena *arena = job->cli->arena;
    struct fg_page_row page;
    struct fg_str bytes;
    fg_time stored;
    if (o->file.len) {
        job->from = "file";
        enum fg_status st = fg_cli_input(job->cli, o->file.at, &bytes, job->err);
        if (st)
            return st;
        read_bytes(job, bytes);
        return job->status;
    }
    if (!fg_labels_find_page(&page, arena, job->store, job->url, NULL) &&
        !fg_store_body(job->store, &bytes, &stored, arena, page.site, page.page,
                       INT64_MAX, job->cli->settings.crawl.fetch.max_body, NULL)) {
        job->from = "store";
        read_bytes(job, bytes);
        return job->status;
    }
    job->from = "fetch";
    /* Only the crawl knows when the host may be asked. */
    return job->crawl >= 0 ? FG_OK : fetch(job);
}

/* --- telling --- */

static void json_report(struct fg_json *json, const struct fg_linear_report *r)
{
    fg_json_key(json, "classifier");
    fg_json_object(json);
    fg_json_pair_bool(json, "trained", r->positives && r->negatives);
    fg_json_pair_uint(json, "relevant", r->positives);
    fg_json_pair_uint(json, "irrelevant", r->negatives);
    fg_json_pair_uint(json, "held_out", r->held_out);
    fg_json_pair_uint(json, "true_positives", r->true_positives);
    fg_json_pair_uint(json, "false_positives", r->false_positives);
    fg_json_pair_uint(json, "true_negatives", r->true_negatives);
    fg_json_pair_uint(json, "false_negatives", r->false_negatives);
    fg_json_end(json);
}

static void print_report(struct fg_out *out, const struct fg_linear_report *r)
{
    if (!r->positives || !r->negatives) {
        fg_out_printf(out,
                      "no classifier yet: there are %zu relevant and %zu irrelevant "
                      "pages, and it needs both\n",
                      r->positives, r->negatives);
        return;
    }
    fg_out_printf(out, "trained from %zu relevant and %zu irrelevant pages\n",
                  r->positives, r->negatives);
    if (!r->held_out) {
        fg_out_puts(out, "label two of each to see how well it does\n");
        return;
    }
    fg_out_printf(out,
                  "judged by the others alone, %zu of %zu relevant and %zu of %zu "
                  "irrelevant pages are told right\n",
                  r->true_positives, r->true_positives + r->false_negatives,
                  r->true_negatives, r->true_negatives + r->false_positives);
}

static void tell(struct fg_cli *cli, const char *label, const struct job *job,
                 const struct fg_linear_report *report)
{
    const struct options *o = cli->options;
    if (!o->json) {
        if (job) {
            fg_out_printf(&cli->out, "%-11s ", label);
            fg_out_text(&cli->out, job->url);
            fg_out_puts(&cli->out, "\n");
        }
        print_report(&cli->out, report);
        return;
    }
    struct fg_json json = fg_json_to(&cli->out.buf);
    fg_json_object(&json);
    if (job) {
        fg_json_pair(&json, "url", job->url);
        fg_json_pair_cstr(&json, "label", label);
        fg_json_pair_cstr(&json, "from", job->from);
        fg_json_pair(&json, "title", job->looks.title);
        fg_json_pair_uint(&json, "text_bytes", job->looks.text.len);
    }
    json_report(&json, report);
    fg_json_end(&json);
    fg_out_puts(&cli->out, "\n");
}

static const char *word_for(bool is_relevant)
{
    return is_relevant ? "relevant" : "irrelevant";
}

/* --- while a crawl runs --- */

static void tell_handed_over(const struct job *job, enum fg_label_kind kind)
{
    struct fg_cli *cli = job->cli;
    const struct options *o = cli->options;
    char process[FG_PROCESS_TEXT];
    if (!o->json) {
        fg_out_printf(&cli->out, "%-11s ", fg_label_kind_name(kind));
        fg_out_text(&cli->out, job->url);
        fg_out_printf(&cli->out,
                      "\nfor the crawl that is running%s; it takes it up within "
                      "seconds\n",
                      fg_process_words(process, job->crawl));
        return;
    }
    struct fg_json json = fg_json_to(&cli->out.buf);
    fg_json_object(&json);
    fg_json_pair(&json, "url", job->url);
    fg_json_pair_cstr(&json, "label", fg_label_kind_name(kind));
    fg_json_pair_cstr(&json, "from", job->from);
    fg_json_pair_bool(&json, "handed_over", true);
    fg_json_pair_uint(&json, "process", (uint64_t)job->crawl);
    fg_json_end(&json);
    fg_out_puts(&cli->out, "\n");
}

static enum fg_status hand_over(struct job *job, enum fg_label_kind kind)
{
    enum fg_status st = FG_OK;
    if (kind != FG_LABEL_REMOVED && !job->looks.url.len)
        st = fg_seed_check(&job->cli->settings.crawl, job->url, job->err);
    if (st)
        return st;
    struct fg_label_wish wish = {
        .kind = kind, .looks = job->looks, .has_looks = job->looks.url.len > 0};
    wish.looks.url = job->url;
    struct fg_buf text;
    fg_buf_init(&text, 16 << 20);
    fg_label_format(&text, &wish);
    st =
        fg_inbox_put(fg_cli_inbox(job->cli), FG_INBOX_LABEL, fg_buf_str(&text), job->err);
    fg_buf_clear(&text);
    if (!st)
        tell_handed_over(job, kind);
    return st;
}

static bool has_label(struct fg_cli *cli, struct fg_store *store, struct fg_str url)
{
    struct fg_labels labels;
    bool found = false;
    if (!fg_labels_read(&labels, cli->arena, store, NULL))
        for (size_t i = 0; i < labels.len; i++)
            found |= fg_str_eq(labels.at[i].looks.url, url);
    return found;
}

/* --- the four things it does --- */

static enum fg_status train(struct fg_cli *cli, struct fg_store *store, const char *label,
                            const struct job *job, struct fg_err *err)
{
    struct fg_linear_report report;
    enum fg_status st = fg_labels_train(store, &report, err);
    if (!st)
        tell(cli, label, job, &report);
    return st;
}

/* A crawl that runs has trained by itself; how well that went can be seen. */
static enum fg_status report(struct fg_cli *cli, struct fg_store *store,
                             struct fg_err *err)
{
    struct fg_linear_report report;
    enum fg_status st = fg_labels_try(store, &report, err);
    if (!st)
        tell(cli, NULL, NULL, &report);
    return st;
}

static enum fg_status canonical(struct fg_cli *cli, struct fg_store *store,
                                struct fg_str text, struct fg_str *url,
                                struct fg_err *err)
{
    struct fg_url parsed;
    unsigned keep = cli->settings.crawl.naming.keep;
    enum fg_status st = fg_cli_url(cli, text, &parsed, err);
    if (!st)
        st = fg_naming_read(&keep, store, keep, err);
    if (st)
        return st;
    if (!fg_url_is_http(&parsed))
        return fg_fail(err, FG_ECONFIG, "'%.*s' is not an http or https address",
                       FG_ARG(fg_str_sub(text, 0, 200)));
    /* As the crawl names its pages. */
    *url = fg_arena_dup(cli->arena, fg_canonical_from(cli->arena, &parsed, keep));
    return FG_OK;
}

static enum fg_status put(struct fg_cli *cli, struct fg_store *store, int64_t crawl,
                          struct fg_err *err)
{
    struct job job = {.cli = cli, .store = store, .crawl = crawl, .err = err};
    bool is_relevant = fg_str_eq(fg_str_from(cli->words[1]), FG_STR("relevant"));
    enum fg_status st = canonical(cli, store, fg_str_from(cli->words[0]), &job.url, err);
    if (!st)
        st = obtain(&job);
    if (!st && crawl >= 0)
        return hand_over(&job, is_relevant ? FG_LABEL_RELEVANT : FG_LABEL_IRRELEVANT);
    if (!st)
        st = fg_labels_put(store, &job.looks, is_relevant, err);
    return st ? st : train(cli, store, word_for(is_relevant), &job, err);
}

static enum fg_status take_back(struct fg_cli *cli, struct fg_store *store, int64_t crawl,
                                struct fg_err *err)
{
    const struct options *o = cli->options;
    struct job job = {.cli = cli, .crawl = crawl, .err = err};
    enum fg_status st = canonical(cli, store, o->remove, &job.url, err);
    if (!st && crawl >= 0 && has_label(cli, store, job.url))
        return hand_over(&job, FG_LABEL_REMOVED);
    if (!st && crawl >= 0)
        st = fg_fail(err, FG_ENOTFOUND, "'%.*s' has no label",
                     FG_ARG(fg_str_sub(job.url, 0, 200)));
    else if (!st)
        st = fg_labels_remove(store, job.url, err);
    return st ? st : train(cli, store, "removed", &job, err);
}

struct judge {
    struct fg_linear classifier;
    struct fg_words words;
    struct fg_bag bag;
};

/* Negative without a classifier. */
static double judge(struct judge *judge, const struct fg_looks *looks)
{
    if (!judge->classifier.weights)
        return -1;
    fg_features_of(&judge->bag, &judge->words, looks);
    return fg_linear_probability(&judge->classifier, judge->bag.features, judge->bag.n);
}

static void json_label(struct fg_json *json, const struct fg_label *label, double chance)
{
    fg_json_object(json);
    fg_json_pair(json, "url", label->looks.url);
    fg_json_pair_cstr(json, "label", word_for(label->is_relevant));
    fg_json_key(json, "probability");
    if (chance < 0)
        fg_json_null(json);
    else
        fg_json_double(json, chance);
    fg_json_pair(json, "title", label->looks.title);
    fg_json_end(json);
}

static void print_label(struct fg_out *out, const struct fg_label *label, double chance)
{
    fg_out_printf(out, "%-11s ", word_for(label->is_relevant));
    if (chance < 0)
        fg_out_puts(out, "     ");
    else
        fg_out_printf(out, "%.2f ", chance);
    fg_out_text(out, label->looks.url);
    fg_out_puts(out, "\n");
}

static void print_labels(struct fg_cli *cli, const struct fg_labels *labels,
                         struct judge *by)
{
    const struct options *o = cli->options;
    struct fg_json json = fg_json_to(&cli->out.buf);
    if (o->json) {
        fg_json_object(&json);
        fg_json_key(&json, "labels");
        fg_json_array(&json);
    }
    for (size_t i = 0; i < labels->len; i++) {
        double chance = judge(by, &labels->at[i].looks);
        if (o->json)
            json_label(&json, &labels->at[i], chance);
        else
            print_label(&cli->out, &labels->at[i], chance);
    }
    if (o->json) {
        fg_json_end(&json);
        fg_json_end(&json);
        fg_out_puts(&cli->out, "\n");
    } else if (!labels->len) {
        fg_out_puts(&cli->out, "no page is labelled yet\n");
    }
}

static enum fg_status list(struct fg_cli *cli, struct fg_store *store, struct fg_err *err)
{
    struct fg_labels labels;
    struct judge *by = FG_NEW(cli->arena, struct judge, 1);
    enum fg_status st = fg_labels_read(&labels, cli->arena, store, err);
    if (st)
        return st;
    fg_words_init(&by->words);
    fg_labels_classifier(&by->classifier, store);
    print_labels(cli, &labels, by);
    fg_linear_clear(&by->classifier);
    fg_bag_clear(&by->bag);
    return FG_OK;
}

static enum fg_status check_usage(struct fg_cli *cli, struct fg_err *err)
{
    const struct options *o = cli->options;
    int asked = o->list + o->train + (o->remove.len > 0) + (cli->n_words > 0);
    if (asked > 1)
        return fg_fail(err, FG_ECONFIG,
                       "one thing at a time: a URL with its label, --list, --remove or "
                       "--train");
    if (asked && cli->n_words == 0)
        return FG_OK;
    if (cli->n_words != 2)
        return fg_fail(err, FG_ECONFIG,
                       "write 'forage label URL relevant' or 'forage label URL "
                       "irrelevant'");
    struct fg_str label = fg_str_from(cli->words[1]);
    if (!fg_str_eq(label, FG_STR("relevant")) && !fg_str_eq(label, FG_STR("irrelevant")))
        return fg_fail(err, FG_ECONFIG,
                       "'%.*s' is not a label; it must be relevant or irrelevant",
                       FG_ARG(fg_str_sub(label, 0, 60)));
    return FG_OK;
}

static enum fg_status run(struct fg_cli *cli, struct fg_err *err)
{
    const struct options *o = cli->options;
    struct fg_store *store = NULL;
    enum fg_status st = check_usage(cli, err);
    if (st)
        return st;
    int64_t crawl = fg_store_writer(fg_cli_store_path(cli));
    st = fg_cli_store(cli, o->list || crawl >= 0, &store, err);
    if (st)
        return st;
    if (o->list)
        st = list(cli, store, err);
    else if (o->train)
        st = crawl >= 0 ? report(cli, store, err) : train(cli, store, NULL, NULL, err);
    else if (o->remove.len)
        st = take_back(cli, store, crawl, err);
    else
        st = put(cli, store, crawl, err);
    enum fg_status closed = fg_store_close(store, st ? NULL : err);
    return st ? st : closed;
}

static const struct fg_example examples[] = {
    {"forage label https://example.org/news/ relevant --file page.html",
     "this is what I look for"},
    {"forage label https://example.org/old irrelevant --file old.html",
     "and this is not"},
    {"forage label --list", "all labels, with what the classifier says"},
    {"forage label --train --json", "how well the classifier does"},
    {"forage label --remove https://example.org/old", "it was a mistake"},
    {0},
};

const struct fg_command fg_cmd_label = {
    .name = "label",
    .words = "[URL relevant|irrelevant]",
    .summary = "teach the crawl which pages are of interest",
    .about =
        "Labels a page and trains a classifier from all labels of the workspace. From "
        "then on the crawl is focused: only new pages that the classifier takes for "
        "relevant are reported, and sources that lead to such pages are looked at more "
        "often. Two or three pages of each kind are enough to begin with. The page is "
        "read from --file, or as the crawl stored it, or fetched once. While a crawl "
        "runs on the workspace the label is handed to it and applied at once. The "
        "settings under focus say how sure the classifier must be, and add rules to it.",
    .max_words = 2,
    .options = options,
    .options_size = sizeof(struct options),
    .settings = "operator fetch net focus",
    .main_settings = "workspace",
    .examples = examples,
    .run = run,
};
