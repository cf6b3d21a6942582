/*
 * The questions that a study answers, one file each.  Each answers as numbers (a
 * document), as text (Markdown, which is also what a terminal gets) and as a
 * section of a page; questions.c lists them and puts the frames around.
 */

#ifndef QUESTIONS_H
#define QUESTIONS_H

#include "report/page.h"
#include "study.h"

typedef struct question {
    const char *id;      /* of the section, and the key in the document */
    const char *heading; /* NULL: in the document only */
    void (*put)(const study *study, atm_value *document, const char *key);
    void (*text)(FILE *out, const study *study);
    void (*show)(FILE *out, const study *study);
} question;

extern const question question_goals;      /* met or missed */
extern const question question_strategies; /* figure 9, and averages */
extern const question question_instances;  /* figures 7 and 8 */
extern const question question_points;     /* figure 10 */
extern const question question_noise;      /* figure 11 */
extern const question question_noisy;      /* the same of the driver's modes */
extern const question question_locking;    /* figure 5 */
extern const question question_placement;  /* figure 6 */
extern const question question_table2;     /* Table II */
extern const question question_paper;      /* other numbers of the paper's */
extern const question question_accuracy;   /* predicted against measured */

/* The document of one study; destroy it. */
atm_status questions_document(const study *study, atm_value **document_p);
/* A table of all studies. */
void questions_overview(FILE *out, study *const *studies, int count);
/* A section for each study. */
void questions_text(FILE *out, const study *study);
atm_status questions_page(const study *study, const char *path, atm_message *message);

/* Typical (largest - smallest) / median of what was measured more than once; NaN:
 * nothing was. */
double questions_spread(const study *study);

/* Words for what is missing. */
#define QUESTIONS_NOT_MEASURED "not measured on this ground"

/* A number for a cell; "-" for NaN.  buffer must hold 24 characters. */
const char *questions_number(char *buffer, const char *format, double number);
/* A cell of Markdown without what would end it. */
void questions_cell(FILE *out, const char *text);

#endif /* QUESTIONS_H */
