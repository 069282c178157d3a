/* papers.h - the experiments of all papers, and the page that leads to their reports
 *
 * The one list of what `forage lab run papers` runs. docs/papers has a page for each
 * document, with every figure row by row. */
#ifndef FG_CLI_PAPERS_H
#define FG_CLI_PAPERS_H

#include "base/arena.h"
#include "base/err.h"

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
    double seconds;      /* the last run took, without what was resumed */
    const char *trouble; /* why it failed */
};

/* Writes folder/index.html; one state for each row of the list. The reports lie beside
 * it, the figures for programs in `figures`, a path from there. */
enum fg_status fg_papers_page(const char *folder, const char *figures,
                              const struct fg_paper_state *states, const char *command,
                              struct fg_err *err);

#endif
