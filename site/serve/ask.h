/*
 * What is asked for: the path of an address, and its parameters, decoded and checked.
 *
 *     /activities?layer=posix&file=*.h5&since=2026-11-01&sort=-duration&page=2
 */

#ifndef SERVE_ASK_H
#define SERVE_ASK_H

#include "serve.h"

enum {
    ASK_URI = 4096,  /* bytes of an address, at most */
    ASK_TEXT = 1024, /* of a parameter, decoded, its 0 included */
    ASK_PAGE = 1000000,
    ASK_ROWS = 100 /* of a page of a list */
};

/* Parameters: pages and statements list which they take, the latter in the order of $1, $2, ... */
typedef enum asked {
    ASKED_END, /* of a list */
    ASKED_SINCE,
    ASKED_UNTIL,
    ASKED_USER,
    ASKED_PROGRAM,
    ASKED_JOB,
    ASKED_LAYER,
    ASKED_CALL,
    ASKED_FILE,
    ASKED_OPERATION,
    ASKED_PROCESS,
    ASKED_ERRORS,
    ASKED_SYSTEM,
    ASKED_AFTER,
    ASKED_NUMBER,
    ASKED_SORT,
    ASKED_PAGE,
    ASKED_ID, /* of statements only: the number of a numbered page */
    ASKED_COUNT
} asked;

typedef struct ask {
    double since, until;                    /* seconds since 1970; 0, ASK_EVER */
    char user[ASK_TEXT], program[ASK_TEXT]; /* "": any */
    char job[ASK_TEXT];
    char layer[ASK_TEXT], call[ASK_TEXT];
    char file[ASK_TEXT];      /* part of a name, or a pattern */
    char operation[ASK_TEXT]; /* read, write */
    int64_t process, number;  /* 0: any */
    int64_t errors;           /* 1: only activities that failed */
    int64_t system;           /* 1: also files of the system's */
    int64_t after;            /* the activity after which a page begins */
    char sort[ASK_TEXT];      /* a column; "-" before it: downwards */
    int64_t page;             /* from 1 */
    char path[ASK_TEXT];      /* of the address */
    char like[2 * ASK_TEXT];  /* file as a pattern of SQL, "!" escapes */
} ask;

#define ASK_EVER 1e12

/* SERVE_BAD and a message that names the parameter; SERVE_LONG. */
serve_status ask_path(const char *uri, atm_message *message, ask *ask_p);
serve_status ask_parameters(const char *uri, const asked *allowed, atm_message *message,
                            ask *ask_p);

bool ask_takes(const asked *allowed, asked which);

/* "/file/17" for "/file/": the number, from 1; 0 if it is none. */
int64_t ask_number(const char *path, const char *before);

/* --- parameters as a table, for forms and links */

typedef enum ask_kind { ASK_WORDS, ASK_TIME, ASK_INTEGER, ASK_FLAG } ask_kind;

typedef struct ask_parameter {
    asked which;
    const char *name, *label; /* label NULL: not in forms */
    ask_kind kind;
    size_t offset;
} ask_parameter;

extern const ask_parameter ask_all[]; /* the last has no name */

/* Its value as text; "" if it is not set. */
void ask_text(const ask *ask, const ask_parameter *parameter, size_t size, char *text_p);

#endif /* SERVE_ASK_H */
