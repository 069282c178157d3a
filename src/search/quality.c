#include "search/quality.h"

#include <math.h>
#include <pthread.h>

/* Both functions of whole ranks are tables first, made when they are first asked for. */
enum { TABLE = 4096 };
static double inspection[TABLE], inspection_sum[TABLE];
static pthread_once_t made = PTHREAD_ONCE_INIT;

static void make_tables(void)
{
    for (int r = 1; r < TABLE; r++) {
        inspection[r] = 1 / (r * sqrt(r));
        inspection_sum[r] = inspection_sum[r - 1] + inspection[r];
    }
}

double fg_inspection(double rank)
{
    pthread_once(&made, make_tables);
    return rank < TABLE ? inspection[(int)rank] : 1 / (rank * sqrt(rank));
}

/* Beyond the table zeta(3/2) less the tail, which is the integral from x = r + 1/2 on but
 * for 1e-10. */
double fg_inspection_sum(double rank)
{
    static const double zeta = 2.6123753486854883;
    pthread_once(&made, make_tables);
    if (rank < TABLE)
        return inspection_sum[(int)rank];
    double x = rank + 0.5, root = sqrt(x);
    return zeta - 2 / root + 1 / (16 * x * x * root);
}

/* --- histograms --- */

void fg_histogram_make(struct fg_histogram *h, const float *scores, size_t n,
                       size_t buckets)
{
    *h = (struct fg_histogram){.n = (uint32_t)n};
    size_t from = 0;
    for (size_t b = 0; b < buckets && from < n; b++) {
        double share = (double)(b + 1) / (double)buckets;
        /* a hair above, for a root that is whole but for rounding */
        size_t end = b + 1 == buckets ? n : (size_t)floor(pow((double)n, share) + 1e-9);
        double sum = 0;
        if (end <= from)
            continue;
        for (size_t i = from; i < end; i++)
            sum += (double)scores[i];
        h->rank[h->k] = (float)(from + 1 + end) / 2;
        h->score[h->k++] = (float)(sum / (double)(end - from));
        from = end;
    }
}

/* A line through two neighbouring points, which serves the ranks up to the second; the
 * first and the last one serve what lies outside as well. */
struct piece {
    double rank, score, slope;
};

static struct piece piece_of(const struct fg_histogram *h, uint32_t i)
{
    double rank = (double)h->rank[i], score = (double)h->score[i];
    return (struct piece){
        rank, score, ((double)h->score[i + 1] - score) / ((double)h->rank[i + 1] - rank)};
}

double fg_histogram_score(const struct fg_histogram *h, double rank)
{
    if (h->k < 2)
        return h->k ? (double)h->score[0] : 0;
    uint32_t i = 0;
    while (i + 2 < h->k && rank > (double)h->rank[i + 1])
        i++;
    struct piece p = piece_of(h, i);
    return fmax(p.score + p.slope * (rank - p.rank), 0);
}

double fg_histogram_rank(const struct fg_histogram *h, double score)
{
    double n = (double)h->n;
    if (h->k < 2)
        return !h->k || score >= (double)h->score[0] ? 1 : n;
    uint32_t i = 0;
    while (i + 2 < h->k && score < (double)h->score[i + 1])
        i++;
    struct piece p = piece_of(h, i);
    double rank =
        p.slope < 0 || p.slope > 0 ? p.rank + (score - p.score) / p.slope : p.rank;
    return floor(fmin(fmax(rank, 1), n + 1) + 0.5);
}

double fg_histogram_exposure(const struct fg_histogram *h, double score)
{
    return fg_inspection(fg_histogram_rank(h, score)) * score;
}

/* --- others that move --- */

/* Ranks a .. m on one line, each one place up: by Abel's summation
 *     sum (I(k-1) - I(k)) S(k) = I(a-1) S(a) - I(m) S(m) + slope (C(m-1) - C(a-1)). */
static double lift(const struct piece *p, double a, double m)
{
    double zero = p->score - p->slope * p->rank;
    return fg_inspection(a - 1) * (zero + p->slope * a) -
           fg_inspection(m) * (zero + p->slope * m) +
           p->slope * (fg_inspection_sum(m - 1) - fg_inspection_sum(a - 1));
}

/* ... and down. */
static double lower(const struct piece *p, double a, double m)
{
    double zero = p->score - p->slope * p->rank;
    return fg_inspection(m + 1) * (zero + p->slope * m) -
           fg_inspection(a) * (zero + p->slope * a) -
           p->slope * (fg_inspection_sum(m) - fg_inspection_sum(a));
}

static double shift(const struct fg_histogram *h, double first, double last,
                    double (*move)(const struct piece *, double, double))
{
    double sum = 0;
    if (!h->k || first > last)
        return 0;
    if (h->k == 1)
        return move(&(struct piece){.score = (double)h->score[0]}, first, last);
    for (uint32_t i = 0; i + 1 < h->k && first <= last; i++) {
        struct piece p = piece_of(h, i);
        double end = i + 2 < h->k ? fmin(last, floor((double)h->rank[i + 1])) : last;
        if (end < first)
            continue;
        double zero = p.score - p.slope * p.rank, m = end;
        if (zero + p.slope * end < 0) /* scores end at 0 */
            m = floor(-zero / p.slope);
        if (m >= first)
            sum += move(&p, first, m);
        first = end + 1;
    }
    return sum;
}

double fg_histogram_shift_up(const struct fg_histogram *h, double first, double last)
{
    return shift(h, first, last, lift);
}

double fg_histogram_shift_down(const struct fg_histogram *h, double first, double last)
{
    return shift(h, first, last, lower);
}

/* --- a page that moves --- */

double fg_histogram_gain(const struct fg_histogram *h, double was, double is)
{
    double n = (double)h->n;
    if (was == is)
        return 0;
    double from = was > 0 ? fg_histogram_rank(h, was) : n + 1;
    double to = is > 0 ? fg_histogram_rank(h, is) : was > 0 ? n : n + 1;
    if (was > 0 && is > 0 && from < to)
        to -= 1; /* the histogram counts the page itself */
    double gain =
        ((is > 0 ? fg_inspection(to) : 0) - (was > 0 ? fg_inspection(from) : 0)) * is;
    if (from < to)
        gain += fg_histogram_shift_up(h, from + 1, to);
    else if (from > to)
        gain += fg_histogram_shift_down(h, to, fmin(from - 1, n));
    return gain;
}

/* 4.6.1: the sum of k^-3/2, beyond 20 ranks by the integral, whose upper end is wrong. */
static double printed_sum(double i, double j)
{
    if (j < i)
        return 0;
    if (j - i + 1 <= 20)
        return fg_inspection_sum(j) - fg_inspection_sum(i - 1);
    return 2 * (1 / sqrt(i) - 1 / sqrt(j - 1));
}

double fg_histogram_gain_printed(const struct fg_histogram *h, double was, double is)
{
    double n = (double)h->n;
    if (was == is)
        return 0;
    double from = was > 0 ? fg_histogram_rank(h, was) : n + 1;
    double to = is > 0 ? fg_histogram_rank(h, is) : n + 1;
    double seen_from = was > 0 ? fg_inspection(from) : 0;
    double seen_to = is > 0 ? fg_inspection(to) : 0;
    double a = fmin(from, to), b = fmax(from, to), slope = 0;
    if (b - a > 1)
        slope = (fg_histogram_score(h, a + 1) -
                 fg_histogram_score(h, from < to ? b : b - 1)) /
                fmax(1, b - a - 1);
    double between = slope * printed_sum(a + 1, b - 1);
    double gain = (seen_to - seen_from) * is;
    if (from < to)
        gain += fg_inspection(from) * fg_histogram_score(h, from + 1) - between -
                seen_to * fg_histogram_score(h, to);
    else if (from > to)
        gain += seen_from * fg_histogram_score(h, from - 1) + between -
                fg_inspection(to) * fg_histogram_score(h, to);
    return gain;
}
