/* marks.h - pages whose reading ended the crawl
 *
 *     fg_marks_open(&marks, "DIR/reading", err);
 *     if (fg_marks_begin(marks, place, url)) ...read it..., fg_marks_end(marks, place,
 * ...); fg_marks_close(marks);
 *
 * Everything fetched is hostile, and one day a page will be the death of the process that
 * reads it: by a fault, or by taking all memory there is. Restarted, the crawl would ask
 * for that page again, and die again. So the address of what is being read stands in a
 * small file while it is read and dealt with. What is found there at a start is suspect
 * if the crawl ended by a fault, or had been at it for two seconds: who pulls the plug
 * does so beside some page or other. A suspect is read once more, alone, so that nobody
 * else is suspected with it. If that does not end either it is set aside, for a day, and
 * twice as long each time it happens again. A page that is read to its end is no longer
 * suspect.
 *
 * The file survives the process, not the machine: it is never synced, and costs a page
 * two short writes. */
#ifndef FG_CRAWL_MARKS_H
#define FG_CRAWL_MARKS_H

#include "base/err.h"
#include "base/str.h"
#include "base/time.h"

#include <stdbool.h>

struct fg_marks;

enum { FG_MARKS_PLACES = 67 }; /* of threads that read: each has its own */

/* Without a path (NULL) nothing is marked, and nothing ever set aside. A file that is not
 * ours, or is damaged, is begun anew. */
enum fg_status fg_marks_open(struct fg_marks **marks, const char *path,
                             struct fg_err *err);
void fg_marks_close(struct fg_marks *marks);
/* Every second or so: a sign of life, by which it is known how long each was read. */
void fg_marks_beat(struct fg_marks *marks);

/* From any thread, at its own place. False: it is set aside, and must not be read. */
bool fg_marks_begin(struct fg_marks *marks, unsigned place, struct fg_str url);
/* It is known for certain that reading it is the end of who does; before it begins or
 * after it has ended. */
void fg_marks_set_aside(struct fg_marks *marks, struct fg_str url);
/* `is_over`: nothing more will be done with it. */
void fg_marks_end(struct fg_marks *marks, unsigned place, bool is_over);

#endif
