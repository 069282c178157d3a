/* papers.h - the experiments of all papers, and the page over their reports: what each
 * text states and whether it comes out, and where the whole is
 *
 * The one list of what `forage lab run papers` runs. docs/papers has a page for each
 * document, with every figure row by row. */
#ifndef FG_CLI_PAPERS_H
#define FG_CLI_PAPERS_H

#include "base/arena.h"
#include "base/err.h"
#include "lab/result.h"

/* What a command line says for all of them. */
#define FG_PAPERS "papers"

struct fg_paper_experiment {
    const char *document, *title; /* "000", and what the text is called */
    const char *name;             /* of the experiment */
};
extern const struct fg_paper_experiment fg_paper_experiments[]; /* ended by no name */

/* How far one of them is. */
struct fg_paper_state {
    enum { FG_PAPER_WAITS, FG_PAPER_DONE, FG_PAPER_FAILED } is;
    double seconds;               /* the last run took, without what was resumed */
    const char *trouble;          /* why it failed */
    struct fg_stated_count count; /* of what its text states */
    const char **remarks;         /* these and the rest are the caller's */
    size_t n_remarks;
    struct fg_stated *stated;
    size_t n_stated;
};

/* What a result has to tell, copied into the arena. */
struct fg_paper_state fg_paper_state_of(const struct fg_result *result,
                                        struct fg_arena *arena);

/* Writes folder/index.html; one state for each row of the list. The reports lie beside
 * it, the figures for programs in `figures`, a path from there. */
enum fg_status fg_papers_page(const char *folder, const char *figures,
                              const struct fg_paper_state *states, const char *command,
                              struct fg_err *err);

#endif
