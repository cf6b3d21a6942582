/* Progress lines. */

#include "progress.h"

#include <stdarg.h>
#include <stdio.h>
#include <unistd.h>

void progress_step(progress *progress, const char *format, ...)
{
    va_list arguments;

    if (progress == NULL)
        return;
    progress_end(progress);
    va_start(arguments, format);
    vsnprintf(progress->step, sizeof(progress->step), format, arguments);
    va_end(arguments);
    progress->shown = -1;
    if (isatty(STDERR_FILENO))
        fprintf(stderr, "%s", progress->step);
    else
        fprintf(stderr, "%s\n", progress->step);
}

void progress_show(void *progress_, double done)
{
    progress *progress = progress_;
    int percent = (int) (100 * done);

    if (progress == NULL || percent <= progress->shown || !isatty(STDERR_FILENO))
        return;
    progress->shown = percent;
    fprintf(stderr, "\r%s: %3d %%", progress->step, percent);
}

void progress_end(progress *progress)
{
    if (progress == NULL || progress->step[0] == '\0')
        return;
    if (isatty(STDERR_FILENO))
        fprintf(stderr, "\r\033[K");
    progress->step[0] = '\0';
}
