/* Why rules of advice do not hold. */

#ifndef ADVICE_WHY_H
#define ADVICE_WHY_H

#include <stdio.h>

#include "job_options.h"

/* A line for each rule before the one that holds, or for all; nothing without advice. */
void advice_why(const job_choice *job, const char *file, FILE *out);

#endif /* ADVICE_WHY_H */
