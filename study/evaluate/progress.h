/* Progress of a long command on stderr: a line that is redrawn on a terminal,
 * else a line for each step. */

#ifndef PROGRESS_H
#define PROGRESS_H

typedef struct progress {
    char step[96];
    int shown; /* percent */
} progress;

/* progress may be NULL. */
void progress_step(progress *progress, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* 0 <= done <= 1 of the step; fits train_options.progress. */
void progress_show(void *progress, double done);
void progress_end(progress *progress);

#endif /* PROGRESS_H */
