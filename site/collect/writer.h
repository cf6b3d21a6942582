/*
 * Writing, by a thread of its own: a disk that is slow delays neither statistics nor answers.
 *
 * What one process sends is an intake: a ring of bytes between the two threads.  A ring that is
 * full makes the process wait, not the collector.  What is written is brought to the disk for all
 * intakes in turn, and only then it is safe.
 */

#ifndef COLLECT_WRITER_H
#define COLLECT_WRITER_H

#include "store.h"

typedef struct writer writer;
typedef struct intake intake;

typedef enum intake_state {
    INTAKE_OPEN,
    INTAKE_FULL, /* no more room: only what is safe is there */
    INTAKE_DONE  /* all is safe, the file is closed */
} intake_state;

typedef struct intake_view {
    intake_state state;
    uint64_t safe;    /* bytes */
    const char *path; /* NULL: there is no file yet; as long as the intake */
} intake_view;

/* event: gets a number whenever there is something in writer_reported.  NULL: said why.  The store
 * is the thread's from now on; writer_stop returns when all intakes are done. */
writer *writer_start(store *s, int event);
void writer_stop(writer *w);

/* owner: for whoever reads reports.  NULL: no memory. */
intake *intake_new(uid_t uid, gid_t gid, const atw_spool_head *head, void *owner);
/* Only if it is not open any more. */
void intake_free(intake *i);

/* Where to put what comes next; 0: wait for a report. */
size_t intake_room(writer *w, intake *i, char **at_p);
/* Notes count bytes that were put there; whole: bytes up to the end of the last whole block, of
 * all. */
void intake_add(writer *w, intake *i, size_t count, uint64_t whole);
void intake_end(writer *w, intake *i);

/* The owner of an intake that has news, each once; NULL: no more. */
void *writer_reported(writer *w, intake_view *view_p);

#endif /* COLLECT_WRITER_H */
