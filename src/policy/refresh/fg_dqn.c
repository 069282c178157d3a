/* fg_dqn.c - a deep Q-network learns which group of pages to fetch from next
 *
 * Avrachenkov, Borkar and Patil, "Deep Reinforcement Learning for Web Crawling" (ICC
 * 2021): pages that behave alike are a group, a group is an arm of a restless bandit, and
 * in each slot one arm is played by fetching the page of the group whose turn it is. The
 * state is, for each arm, the slots since it was last played and whether its last visit
 * found a change. The reward is the weight of the page if it was found changed. A network
 * with hidden layers of 4000 and 8 units estimates what each arm is worth in a state, and
 * learns by the full gradient of its Bellman error (learn/bellman.h, equation 9 of their
 * appendix) over random picks of the past. Arms are chosen at random with a chance
 * epsilon that falls from 0.7 to 0.1, else the best.
 *
 * What the paper leaves open, chosen on its own two settings (rewards are means of 5,000
 * slots of the first, with the deviation between runs):
 *
 * - Replay: 5,000 picks are remembered, 32 drawn with replacement for each step. 2.04 +-
 *   .03; with 16 2.03 +- .04, with 8 2.01 +- .06.
 * - Epsilon falls on a straight line over 1,000 slots. Over 2,000 slots everything comes
 *   later (1.93) and ends the same.
 * - The step a(n) = 0.01 / (1 + n / 10,000): what stochastic approximation asks for, its
 *   sum infinite and that of its squares not. At 0.003 some runs stay with a poor arm for
 *   a thousand slots (2.02 +- .14).
 * - The noise xi, uniform on [-1, 1] in every component before it is multiplied by a(n),
 *   is part of equation 9 and on. It is there for the proof; without it 2.06 +- .10.
 * - Waiting times enter as slots / (25 arms), at most 4: at epsilon 0.1 an arm that is
 *   never the best waits for 10 slots an arm. Logarithms of them, and x / (x + arms),
 *   learnt less in first trials: 1.89 and 1.87 where this had 2.07.
 * - Rewards are divided by their running mean, so that weights in clicks a year learn
 *   like weights below 1. Values should then come near 1 / (1 - discount). They are slow
 *   to, as the error sees but 1 - discount of what all of them are off by; which one is
 *   the largest comes first.
 *
 * With `thompson` the first slots are Thompson sampling's, as section V recommends, and
 * the network learns from them by looking on; after that epsilon is where it would be
 * anyway.
 *
 * A slot is a pick. With several picks in a tick, they are chosen one after the other,
 * each as if the one before had gone by, and an arm may come again; there is one step of
 * the network a tick, as there is in the paper. A visit that fails teaches nothing.
 *
 * There are as many arms as groups, at most 64: later groups join one of those. When an
 * arm is new the network grows: it computes what it did, the newcomer starts as the mean
 * of the others. Arms without pages are never chosen, nor expected to be.
 *
 * Of learnt policies this is the slowest in every sense: a millisecond a tick, and some
 * thousand visits before it does as well as an index that counts changes (whittle.c). */
#include "policy/policy.h"

#include "base/memory.h"
#include "base/variate.h"
#include "base/vec.h"
#include "learn/bellman.h"
#include "policy/refresh/groups.h"

#include <stdlib.h>
#include <string.h>

enum { ARMS_MOST = 64, PENDING_MOST = 4096, FIRST_LAYER = 4000, SECOND_LAYER = 8 };

enum {
    DISCOUNT,
    EPSILON_FROM,
    EPSILON_TO,
    EPSILON_SLOTS,
    STEP,
    STEP_SLOTS,
    NOISE,
    BATCH,
    MEMORY,
    THOMPSON
};
static const struct fg_param params[] = {
    [DISCOUNT] = {"discount", 0.95, 0, 0.999, "worth of a reward one slot later"},
    [EPSILON_FROM] = {"epsilon-from", 0.7, 0, 1,
                      "chance of an arm at random, in the first slot"},
    [EPSILON_TO] = {"epsilon-to", 0.1, 0, 1, "the same in the end"},
    [EPSILON_SLOTS] = {"epsilon-slots", 1000, 1, 1e9, "slots from the first to the last"},
    [STEP] = {"step", 0.01, 1e-9, 1, "step of the network, in the first slot"},
    [STEP_SLOTS] = {"step-slots", 10000, 1, 1e9, "slots after which it is half of that"},
    [NOISE] = {"noise", 1, 0, 100, "largest noise in a component of the gradient"},
    [BATCH] = {"batch", 32, 1, 1024, "past picks that a step learns from"},
    [MEMORY] = {"memory", 5000, 1, 1e5, "past picks remembered"},
    [THOMPSON] = {"thompson", 0, 0, 1e9,
                  "first slots in which Thompson sampling chooses"},
    {0},
};
static const struct fg_column columns[] = {{0}};

/* For every arm there may ever be: slots since it was last played, and a bit that tells
 * whether its last visit found a change. */
struct situation {
    uint16_t waited[ARMS_MOST];
    uint64_t changed;
};

/* A pick and what became of it; plain bytes, saved as they stand. */
struct lesson {
    struct situation before;
    float reward;
    uint8_t arm, has_changed, unused[2];
};

/* A pick whose visit has not been told yet. */
struct pending {
    uint64_t id;
    struct lesson lesson;
};

struct learner {
    struct fg_mlp *mlp; /* NULL before the first tick, as are the three below */
    struct fg_mlp_pass *pass;
    float *states, *reward; /* of a batch */
    uint32_t *action;
    size_t arms; /* outputs of the network */
    struct situation now;
    uint64_t slots, lessons; /* so far */
    double reward_mean;      /* running, over as many as are remembered */
    struct lesson *memory;   /* lesson i at i modulo the knob */
    FG_VEC(struct pending) pending;
};

static size_t remembered(const struct fg_brain *brain)
{
    const struct learner *self = brain->self;
    size_t most = (size_t)brain->knob[MEMORY];
    return self->lessons < most ? (size_t)self->lessons : most;
}

/* --- the network --- */

static void drop_network(struct learner *self)
{
    fg_mlp_free(self->mlp);
    fg_mlp_pass_free(self->pass);
    free(self->states);
    free(self->reward);
    free(self->action);
    self->mlp = NULL;
    self->pass = NULL;
    self->states = self->reward = NULL;
    self->action = NULL;
}

static void make_network(struct fg_brain *brain, size_t arms)
{
    struct learner *self = brain->self;
    struct fg_mlp_shape shape = {.dense = (uint32_t)(2 * arms),
                                 .hidden = 2,
                                 .width = {FIRST_LAYER, SECOND_LAYER},
                                 .outputs = (uint32_t)arms,
                                 .head = FG_MLP_LINEAR};
    size_t batch = (size_t)brain->knob[BATCH];
    struct fg_rng rng = fg_rng_split(&brain->rng, arms);
    self->arms = arms;
    self->mlp = fg_mlp_new(&shape, &rng);
    self->pass = fg_mlp_pass_new(self->mlp, 2 * batch);
    self->states = fg_zeroed(2 * batch * 2 * arms, sizeof *self->states);
    self->reward = fg_zeroed(batch, sizeof *self->reward);
    self->action = fg_zeroed(batch, sizeof *self->action);
}

/* A row of the last layer: the old arms keep theirs, new ones get the mean. */
static void carry_row(const float *from, size_t old, float *to, size_t arms)
{
    float sum = 0;
    for (size_t k = 0; k < old; k++)
        sum += to[k] = from[k];
    for (size_t k = old; k < arms; k++)
        to[k] = sum / (float)old;
}

/* Weights lie as mlp.h says. What a new arm's state means is still to be learnt: 0. */
static void carry_over(struct fg_mlp *from, size_t old, struct fg_mlp *to, size_t arms)
{
    const float *was = fg_mlp_parameters(from).value;
    float *is = fg_mlp_parameters(to).value;
    size_t first = 2 * old * FIRST_LAYER, wider = 2 * arms * FIRST_LAYER;
    size_t middle = FIRST_LAYER + (size_t)FIRST_LAYER * SECOND_LAYER + SECOND_LAYER;
    memcpy(is, was, first * sizeof *is);
    memset(is + first, 0, (wider - first) * sizeof *is);
    memcpy(is + wider, was + first, middle * sizeof *is);
    was += first + middle;
    is += wider + middle;
    for (size_t row = 0; row <= SECOND_LAYER; row++) /* the last one is the biases */
        carry_row(was + row * old, old, is + row * arms, arms);
}

static void fit_network(struct fg_brain *brain, size_t arms)
{
    struct learner *self = brain->self;
    size_t old = self->arms;
    if (self->mlp && arms <= old)
        return;
    struct fg_mlp *before = self->mlp;
    self->mlp = NULL;
    drop_network(self);
    make_network(brain, arms);
    if (before)
        carry_over(before, old, self->mlp, arms);
    fg_mlp_free(before);
}

static void describe(const struct situation *situation, size_t arms, float *out)
{
    float scale = 1 / (25.0f * (float)arms);
    for (size_t k = 0; k < arms; k++) {
        out[2 * k] = fminf((float)situation->waited[k] * scale, 4);
        out[2 * k + 1] = (float)(situation->changed >> k & 1);
    }
}

/* What each arm is worth now, in units of the mean reward. */
static const float *values_now(struct learner *self)
{
    float state[2 * ARMS_MOST];
    describe(&self->now, self->arms, state);
    struct fg_mlp_rows row = {state, NULL, NULL, 1};
    return fg_mlp_forward(self->mlp, self->pass, &row);
}

/* --- learning --- */

static void play(struct situation *situation, size_t arm)
{
    for (size_t k = 0; k < ARMS_MOST; k++)
        if (situation->waited[k] < UINT16_MAX)
            situation->waited[k]++;
    situation->waited[arm] = 0;
}

static void note_change(struct situation *situation, size_t arm, bool changed)
{
    uint64_t bit = UINT64_C(1) << arm;
    situation->changed = changed ? situation->changed | bit : situation->changed & ~bit;
}

static struct situation situation_after(const struct lesson *lesson)
{
    struct situation after = lesson->before;
    play(&after, lesson->arm);
    note_change(&after, lesson->arm, lesson->has_changed);
    return after;
}

/* What rewards are counted in. */
static double unit_of(const struct learner *self)
{
    return self->reward_mean > 0 ? self->reward_mean : 1;
}

static void draw_batch(struct fg_brain *brain, size_t n)
{
    struct learner *self = brain->self;
    size_t width = 2 * self->arms, known = remembered(brain);
    double unit = unit_of(self);
    for (size_t i = 0; i < n; i++) {
        const struct lesson *lesson = &self->memory[fg_rng_below(&brain->rng, known)];
        struct situation after = situation_after(lesson);
        describe(&lesson->before, self->arms, self->states + i * width);
        describe(&after, self->arms, self->states + (n + i) * width);
        self->action[i] = lesson->arm;
        self->reward[i] = (float)((double)lesson->reward / unit);
    }
}

static void add_noise(struct fg_mlp *mlp, double most, struct fg_rng *rng)
{
    struct fg_mlp_parameters all = fg_mlp_parameters(mlp);
    float scale = (float)(most * 0x1p-31);
    for (size_t i = 0; i < all.n; i++) {
        uint64_t bits = fg_rng_next(rng);
        all.gradient[i] += scale * (float)(int32_t)(bits >> 32);
        if (++i < all.n)
            all.gradient[i] += scale * (float)(int32_t)bits;
    }
}

static void learn(struct fg_brain *brain, const bool *is_open)
{
    struct learner *self = brain->self;
    size_t n = (size_t)brain->knob[BATCH];
    if (!self->lessons)
        return;
    draw_batch(brain, n);
    struct fg_bellman_batch batch = {.n = n,
                                     .states = self->states,
                                     .action = self->action,
                                     .reward = self->reward,
                                     .is_open = is_open,
                                     .discount = brain->knob[DISCOUNT]};
    double error = fg_bellman_gradient(self->mlp, self->pass, &batch);
    if (brain->knob[NOISE] > 0)
        add_noise(self->mlp, brain->knob[NOISE], &brain->rng);
    double step = brain->knob[STEP] / (1 + (double)self->slots / brain->knob[STEP_SLOTS]);
    fg_mlp_step_plain(self->mlp, step, 0, 0);
    if (!isfinite(error)) { /* the step is too large for it: learn anew */
        drop_network(self);
        make_network(brain, self->arms);
    }
}

/* The pick that this visit was for; false if it was none of ours. */
static bool take_pending(struct learner *self, uint64_t id, struct lesson *lesson)
{
    size_t i = 0;
    while (i < self->pending.len && self->pending.at[i].id != id)
        i++;
    if (i == self->pending.len)
        return false;
    *lesson = self->pending.at[i].lesson;
    self->pending.len--;
    memmove(self->pending.at + i, self->pending.at + i + 1,
            (self->pending.len - i) * sizeof *self->pending.at);
    return true;
}

static void remember(struct fg_brain *brain, const struct lesson *lesson)
{
    struct learner *self = brain->self;
    size_t most = (size_t)brain->knob[MEMORY];
    if (!self->memory)
        self->memory = fg_zeroed(most, sizeof *self->memory);
    self->memory[self->lessons++ % most] = *lesson;
    self->reward_mean +=
        ((double)lesson->reward - self->reward_mean) / (double)remembered(brain);
}

static void observe(struct fg_brain *brain, const struct fg_visit *visit)
{
    struct learner *self = brain->self;
    const struct fg_world *world = brain->world;
    struct lesson lesson;
    bool is_ours = take_pending(self, world->id[visit->page], &lesson);
    if (!visit->ok)
        return;
    if (visit->previous != FG_NEVER)
        note_change(&self->now, fg_groups_of(world->group[visit->page], ARMS_MOST),
                    visit->changed);
    if (!is_ours)
        return;
    lesson.has_changed = visit->changed;
    lesson.reward = visit->changed ? world->weight[visit->page] : 0;
    remember(brain, &lesson);
}

/* --- choosing --- */

static double epsilon(const struct fg_brain *brain)
{
    const struct learner *self = brain->self;
    double done = fmin((double)self->slots / brain->knob[EPSILON_SLOTS], 1);
    return brain->knob[EPSILON_FROM] +
           done * (brain->knob[EPSILON_TO] - brain->knob[EPSILON_FROM]);
}

/* As thompson_beta.c: the highest draw from what the visits of each arm found. */
static size_t draw_arm(struct fg_brain *brain, const size_t *open, size_t n)
{
    const struct learner *self = brain->self;
    double found[ARMS_MOST] = {0}, missed[ARMS_MOST] = {0}, best = -1;
    size_t arm = open[0];
    for (size_t i = 0; i < remembered(brain); i++)
        (self->memory[i].has_changed ? found : missed)[self->memory[i].arm]++;
    for (size_t i = 0; i < n; i++) {
        double x = fg_rng_gamma(&brain->rng, 1 + found[open[i]]);
        double draw = x / (x + fg_rng_gamma(&brain->rng, 1 + missed[open[i]]));
        if (draw > best) {
            best = draw;
            arm = open[i];
        }
    }
    return arm;
}

/* ARMS_MOST if none is open. */
static size_t choose_arm(struct fg_brain *brain, const bool *is_open,
                         struct fg_pick *pick)
{
    struct learner *self = brain->self;
    const float *value = values_now(self);
    size_t open[ARMS_MOST], n = 0, best = ARMS_MOST;
    for (size_t k = 0; k < self->arms; k++)
        if (is_open[k]) {
            open[n++] = k;
            if (best == ARMS_MOST || value[k] > value[best])
                best = k;
        }
    if (!n)
        return ARMS_MOST;
    if ((double)self->slots < brain->knob[THOMPSON]) {
        size_t arm = draw_arm(brain, open, n);
        pick->score = (float)((double)value[arm] * unit_of(self));
        return arm; /* with a chance that nobody computed: 0 */
    }
    double chance = epsilon(brain);
    pick->explored = fg_rng_unit(&brain->rng) < chance;
    size_t arm = pick->explored ? open[fg_rng_below(&brain->rng, n)] : best;
    pick->score = (float)((double)value[arm] * unit_of(self));
    pick->probability = (float)(chance / (double)n + (arm == best ? 1 - chance : 0));
    return arm;
}

/* The pick goes down in the books as of the situation it was made in. */
static void book(struct fg_brain *brain, size_t arm, size_t page)
{
    struct learner *self = brain->self;
    struct pending pending = {.id = brain->world->id[page],
                              .lesson = {.before = self->now, .arm = (uint8_t)arm}};
    if (self->pending.len == PENDING_MOST)
        memmove(self->pending.at, self->pending.at + 1,
                --self->pending.len * sizeof *self->pending.at);
    fg_vec_push(&self->pending, pending);
    play(&self->now, arm);
    self->slots++;
}

static size_t choose(struct fg_brain *brain, fg_time now, size_t budget,
                     struct fg_pick *out)
{
    (void)now;
    struct fg_groups groups;
    bool is_open[ARMS_MOST] = {0};
    fg_groups_gather_most(&groups, brain, ARMS_MOST);
    for (size_t k = 0; k < groups.n; k++)
        is_open[k] = fg_groups_size(&groups, k) > 0;
    fit_network(brain, groups.n);
    learn(brain, is_open);
    size_t taken = 0;
    while (taken < budget) {
        struct fg_pick how = {0}, *pick = &out[taken];
        size_t arm = choose_arm(brain, is_open, &how);
        if (arm == ARMS_MOST)
            break;
        is_open[arm] = fg_groups_take(&groups, brain, arm, pick);
        if (!is_open[arm])
            continue; /* nothing left in it in this tick */
        how.page = pick->page;
        *pick = how;
        book(brain, arm, pick->page);
        taken++;
    }
    fg_groups_clear(&groups);
    return taken;
}

static void explain(struct fg_brain *brain, fg_time now, size_t page,
                    struct fg_reason *reason)
{
    (void)now;
    struct learner *self = brain->self;
    size_t arm = fg_groups_of(brain->world->group[page], ARMS_MOST);
    double n = 0, found = 0;
    for (size_t i = 0; i < remembered(brain); i++)
        if (self->memory[i].arm == arm) {
            n++;
            found += self->memory[i].has_changed;
        }
    double mean = n > 0 ? found / n : 0.5,
           spread = 1.96 * sqrt(mean * (1 - mean) / (n + 1));
    *reason = (struct fg_reason){
        .score = self->mlp && arm < self->arms
                     ? (double)values_now(self)[arm] * unit_of(self)
                     : 0,
        .rate = mean,
        .low = fmax(0, mean - spread),
        .high = fmin(1, mean + spread),
        .rate_unit = "changes found a visit of its group",
        .observations = n,
    };
}

/* --- keeping --- */

struct head {
    uint64_t arms, slots, lessons, remembered, pending, network_bytes;
    double reward_mean;
    struct situation now;
};

static void put(struct fg_buf *out, const void *at, size_t bytes)
{
    fg_buf_add(out, (struct fg_str){at, bytes});
}

static void save(struct fg_brain *brain, struct fg_buf *out)
{
    struct learner *self = brain->self;
    struct fg_buf network;
    fg_buf_init(&network, out->max);
    if (self->mlp)
        fg_mlp_save(self->mlp, &network);
    struct head head = {.arms = self->mlp ? self->arms : 0,
                        .slots = self->slots,
                        .lessons = self->lessons,
                        .remembered = remembered(brain),
                        .pending = self->pending.len,
                        .network_bytes = network.len,
                        .reward_mean = self->reward_mean,
                        .now = self->now};
    put(out, &head, sizeof head);
    for (uint64_t i = head.lessons - head.remembered; i < head.lessons; i++)
        put(out, &self->memory[i % (uint64_t)brain->knob[MEMORY]], sizeof *self->memory);
    put(out, self->pending.at, self->pending.len * sizeof *self->pending.at);
    put(out, network.at, network.len);
    fg_buf_clear(&network);
}

static void clear(struct fg_brain *brain)
{
    struct learner *self = brain->self;
    drop_network(self);
    free(self->memory);
    fg_vec_clear(&self->pending);
    *self = (struct learner){0};
}

/* A smaller memory than before keeps the latest; in a larger one they are counted anew,
 * so that none is missing among the first. */
static bool load_lessons(struct fg_brain *brain, const struct head *head,
                         struct fg_str *rest)
{
    struct learner *self = brain->self;
    struct lesson lesson;
    double most = fmin((double)head->lessons, brain->knob[MEMORY]);
    self->lessons =
        (double)head->remembered >= most ? head->lessons - head->remembered : 0;
    for (uint64_t i = 0; i < head->remembered; i++) {
        if (!fg_str_take(rest, &lesson, sizeof lesson) || lesson.arm >= ARMS_MOST)
            return false;
        remember(brain, &lesson);
    }
    struct pending pending;
    for (uint64_t i = 0; i < head->pending; i++) {
        if (!fg_str_take(rest, &pending, sizeof pending) ||
            pending.lesson.arm >= ARMS_MOST)
            return false;
        fg_vec_push(&self->pending, pending);
    }
    return true;
}

static bool load_all(struct fg_brain *brain, struct fg_str bytes)
{
    struct learner *self = brain->self;
    struct head head;
    if (!fg_str_take(&bytes, &head, sizeof head) || head.arms > ARMS_MOST ||
        head.remembered > head.lessons || !load_lessons(brain, &head, &bytes) ||
        bytes.len != head.network_bytes)
        return false;
    self->slots = head.slots;
    self->reward_mean = head.reward_mean;
    self->now = head.now;
    if (!head.arms)
        return true;
    make_network(brain, head.arms);
    return fg_mlp_load(self->mlp, bytes, NULL) == FG_OK;
}

static bool load(struct fg_brain *brain, struct fg_str bytes)
{
    clear(brain);
    bool is_read = load_all(brain, bytes);
    if (!is_read)
        clear(brain);
    return is_read;
}

const struct fg_policy fg_policy_fg_dqn = {
    .name = "fg-dqn",
    .summary = "the group of pages that a deep Q-network values most, a page in turn",
    .paper = "Avrachenkov, Borkar & Patil, ICC 2021",
    .tasks = FG_REFRESH,
    .params = params,
    .columns = columns,
    .self_size = sizeof(struct learner),
    .observe = observe,
    .select = choose,
    .explain = explain,
    .save = save,
    .load = load,
    .clear = clear,
};
