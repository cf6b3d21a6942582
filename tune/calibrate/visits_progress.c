#include "calibrate.h"

#include <stdio.h>
#include <unistd.h>

#define REDRAW 0.2 /* seconds between lines, on a terminal */
#define REPEAT 15  /* elsewhere */

static int print_time(char *text, size_t room, double seconds)
{
    int whole = (int) (seconds + 0.5);

    if (whole < 3600)
        return snprintf(text, room, "%d:%02d", whole / 60, whole % 60);
    return snprintf(text, room, "%d:%02d:%02d", whole / 3600, whole / 60 % 60, whole % 60);
}

void progress_show(cal_progress *progress, const schedule *schedule, const plan_point *point)
{
    double now = MPI_Wtime();
    char left[32];
    int visited = 0, visits = 0;

    if (progress->drawn == 0) {
        progress->terminal = isatty(STDERR_FILENO);
        progress->drawn = now - REPEAT + 2; /* nothing below two seconds */
    }
    if (now - progress->drawn < (progress->terminal ? REDRAW : REPEAT))
        return;
    for (int i = 0; i < schedule->plan->count; i++) {
        visited += schedule->done[i] > 0;
        visits += schedule->done[i] > 0 ? schedule->done[i] : 0;
    }
    print_time(left, sizeof(left), schedule_remaining(schedule));
    fprintf(stderr, "%sautotune-calibrate: %d points, %d visits, %s left, %-18s%s",
            progress->terminal ? "\r" : "", visited, visits, left,
            atm_operation_name(point->operation), progress->terminal ? "" : "\n");
    progress->drawn = now;
}

void progress_end(cal_progress *progress)
{
    if (progress->terminal && progress->drawn > 0)
        fprintf(stderr, "\r%79s\r", "");
}
