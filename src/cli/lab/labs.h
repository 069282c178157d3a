/* labs.h - what the actions of `forage lab` share: where experiments and recordings are
 */
#ifndef FG_CLI_LABS_H
#define FG_CLI_LABS_H

#include "cli/cli.h"
#include "lab/experiment.h"
#include "lab/linklog.h"

/* The folder of recordings: FORAGE_DATA, or ../shared/data; NULL if there is neither. */
const char *fg_lab_data(void);

/* The experiments in ./experiments and in what came with the program, by name; of two of
 * one name the nearest. Ended by an empty row; in the command's arena. */
struct fg_lab_file {
    const char *name, *path;
};
const struct fg_lab_file *fg_lab_experiments(struct fg_cli *cli);

/* Reads an experiment by the path of its file or by its name; "-" is standard input. */
enum fg_status fg_lab_experiment(struct fg_cli *cli, const char *word,
                                 struct fg_experiment *experiment, struct fg_err *err);

/* Writes a recording and says what is in it. */
enum fg_status fg_lab_write(struct fg_cli *cli, struct fg_linklog *log,
                            const char *folder, struct fg_err *err);

/* The policy that a shared object has, from now on found by its name; NULL on failure. */
const struct fg_policy *fg_lab_plugin(const char *path, struct fg_err *err);

/* Stands for this build of a program or a plugin: another one may choose differently. A
 * copy on another machine is the same. */
uint64_t fg_lab_stamp(const char *path);

#endif
