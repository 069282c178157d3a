/* Training a perceptron, on one core, beside scikit-learn's MLPClassifier: the layers of
 * Han et al. (256, 128, 64), the same examples, batches and epochs. Both multiply with
 * the same OpenBLAS, one thread.
 *
 * We work in float. scikit-learn works in double unless its input is float32; the first
 * ratio is to its default, what a user gets who hands over numbers as Python has them,
 * the second to float32 input, where what is left of the difference is not the width of
 * numbers: arrays made anew for every operation of every batch, and Adam instead of
 * Adagrad. 200 is its default batch; with 512 products weigh more and all else less. The
 * held-out AUC of both shows that both have learnt. */
#include "bench.h"

#include "base/memory.h"
#include "base/variate.h"
#include "learn/auc.h"
#include "learn/mlp.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { INPUTS = 64, N = 20000, HELD_OUT = 5000, EPOCHS = 2, ROUNDS = 5 };

struct work {
    float *x, *y;
    size_t batch;
    double auc;
};

/* A yes if a few of the inputs, in pairs, say so through some noise. */
static void make_examples(struct work *work, const char *path)
{
    struct fg_rng rng = fg_rng_from_seed(1);
    size_t all = N + HELD_OUT;
    work->x = fg_zeroed(all * INPUTS, sizeof(float));
    work->y = fg_zeroed(all, sizeof(float));
    for (size_t i = 0; i < all * INPUTS; i++)
        work->x[i] = (float)fg_rng_normal(&rng);
    for (size_t i = 0; i < all; i++) {
        const float *x = work->x + i * INPUTS;
        work->y[i] = x[0] + x[1] * x[2] - x[3] + fg_rng_normal(&rng) > 0;
    }
    FILE *file = fopen(path, "w");
    if (!file)
        return;
    fwrite(work->x, sizeof(float), all * INPUTS, file);
    fwrite(work->y, sizeof(float), all, file);
    fclose(file);
}

static double auc_of(const struct fg_mlp *mlp, const struct work *work)
{
    static float score[HELD_OUT];
    static bool is_positive[HELD_OUT];
    struct fg_mlp_rows rows = {work->x + (size_t)N * INPUTS, NULL, NULL, HELD_OUT};
    fg_mlp_predict(mlp, &rows, score);
    for (size_t i = 0; i < HELD_OUT; i++)
        is_positive[i] = work->y[N + i] > 0;
    return fg_auc(score, is_positive, HELD_OUT);
}

/* CPU seconds of a training, the best of several. */
static double our_seconds(struct work *work)
{
    struct fg_mlp_shape shape = {
        .dense = INPUTS, .hidden = 3, .width = {256, 128, 64}, .outputs = 1};
    struct fg_mlp_examples training = {{work->x, NULL, NULL, N}, work->y, NULL};
    struct fg_mlp_training how = fg_mlp_as_han;
    how.batch = work->batch;
    how.epochs = EPOCHS;
    double best = 1e9;
    for (uint64_t round = 0; round < ROUNDS; round++) {
        struct fg_rng rng = fg_rng_from_seed(round);
        double start = bench_cpu_seconds();
        struct fg_mlp *mlp = fg_mlp_new(&shape, &rng);
        fg_mlp_train(mlp, &training, NULL, &how, &rng, NULL);
        double took = bench_cpu_seconds() - start;
        best = took < best ? took : best;
        work->auc = auc_of(mlp, work);
        fg_mlp_free(mlp);
    }
    return best;
}

/* Of the same in scikit-learn: seconds of a training, or the AUC. 0 if it is not there.
 */
static double sklearn_tells(const char *path, size_t batch, const char *type,
                            const char *what)
{
    char program[2000];
    snprintf(program, sizeof program,
             "import numpy as np, time, warnings\n"
             "from sklearn.neural_network import MLPClassifier\n"
             "from sklearn.metrics import roc_auc_score\n"
             "warnings.filterwarnings(\"ignore\")\n"
             "n, held, d, type, best = %d, %d, %d, np.%s, 1e9\n"
             "data = np.fromfile(\"%s\", dtype=np.float32)\n"
             "x = data[:(n + held) * d].reshape(-1, d).astype(type)\n"
             "y = data[(n + held) * d:].astype(int)\n"
             "for i in range(%d):\n"
             "    m = MLPClassifier((256, 128, 64), batch_size=%zu, max_iter=%d, "
             "random_state=i)\n"
             "    start = time.process_time()\n"
             "    m.fit(x[:n], y[:n])\n"
             "    best = min(best, time.process_time() - start)\n"
             "auc = roc_auc_score(y[n:], m.predict_proba(x[n:])[:, 1])\n"
             "print(%s)",
             N, HELD_OUT, INPUTS, type, path, ROUNDS, batch, EPOCHS, what);
    return bench_python(program);
}

static void compare(struct work *work, const char *path, double asked)
{
    char what[80];
    double ours = our_seconds(work);
    double theirs = sklearn_tells(path, work->batch, "float64", "best");
    double narrow = sklearn_tells(path, work->batch, "float32", "best");
    snprintf(what, sizeof what, "training, batches of %zu", work->batch);
    bench_rate(what, (double)N * EPOCHS / ours, "examples");
    if (theirs <= 0) {
        printf("scikit-learn is not installed: no ratios to it\n");
        return;
    }
    bench_ratio(what, "MLPClassifier (double, its default)", theirs / ours, asked);
    bench_ratio(what, "MLPClassifier given float32", narrow / ours, 0);
    printf("%-44s %9.3f ours, %.3f MLPClassifier\n", "AUC on held-out examples",
           work->auc, sklearn_tells(path, work->batch, "float64", "auc"));
}

int main(void)
{
    static const char *const variables[] = {"OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS"};
    for (size_t i = 0; i < sizeof variables / sizeof *variables; i++)
        setenv(variables[i], "1", 1);
    char path[] = "/tmp/forage-bench-XXXXXX";
    int fd = mkstemp(path);
    if (fd < 0)
        return 1;
    close(fd);
    struct work work = {0};
    make_examples(&work, path);
    static const size_t batches[] = {200, 512};
    for (size_t i = 0; i < sizeof batches / sizeof *batches; i++) {
        work.batch = batches[i];
        compare(&work, path, i ? 0 : 3);
    }
    unlink(path);
    free(work.x);
    free(work.y);
    return 0;
}
