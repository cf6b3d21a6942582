/* Errors in traces: by the names that C gives them, which are the same everywhere. */

#ifndef PROBE_ERRORS_H
#define PROBE_ERRORS_H

typedef struct error_text {
    char text[16];
} error_text;

error_text error_name(int error); /* "ENOSPC"; "E132" for one without a name here */

#endif /* PROBE_ERRORS_H */
