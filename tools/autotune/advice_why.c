#include "advice_why.h"

#include "advice/glob.h"
#include "common/shown.h"

enum { RULES = 20 }; /* more are only counted */

typedef struct reasons {
    FILE *out;
    int count;
} reasons;

static void begin(reasons *reasons)
{
    fputs(reasons->count++ > 0 ? ", " : " ", reasons->out);
}

static void compare_text(reasons *reasons, const char *what, const char *pattern, const char *text)
{
    if (pattern == NULL || atm_glob_match(pattern, text))
        return;
    begin(reasons);
    fprintf(reasons->out, "%s \"", what);
    shown_put(pattern, reasons->out);
    if (text[0] == '\0') {
        fprintf(reasons->out, "\", and no %s is given", what);
        return;
    }
    fputs("\" is not \"", reasons->out);
    shown_put(text, reasons->out);
    fputs("\"", reasons->out);
}

static void compare_range(reasons *reasons, const char *what, const uint64_t range[2],
                          uint64_t number)
{
    if (number >= range[0] && number <= range[1])
        return;
    begin(reasons);
    fprintf(reasons->out, "%llu %s %s %llu", (unsigned long long) number, what,
            number < range[0] ? "are less than" : "are more than",
            (unsigned long long) range[number > range[1]]);
}

static void say(const atm_rule *rule, const job_choice *job, const char *file, reasons *reasons)
{
    const atm_access *access = &job->request.access;

    compare_text(reasons, "program", rule->program, job->program);
    compare_text(reasons, "user", rule->user, job->user);
    compare_text(reasons, "file", rule->file, file);
    if (rule->operation == (access->write ? ATM_READS : ATM_WRITES)) {
        begin(reasons);
        fprintf(reasons->out, "it is for %s", access->write ? "reads" : "writes");
    }
    compare_range(reasons, "ranks", rule->ranks, (uint64_t) job->request.job.ranks);
    compare_range(reasons, "bytes of a call", rule->bytes, access->bytes);
    if (reasons->count == 0)
        fputs(" it is for HDF5 alone", reasons->out);
}

void advice_why(const job_choice *job, const char *file, FILE *out)
{
    int count = job->advice == NULL     ? 0
                : job->advised.rule < 0 ? job->advice->count
                                        : job->advised.rule;

    if (count > 0)
        fputs("\nrules that do not hold:\n", out);
    for (int i = 0; i < count && i < RULES; i++) {
        reasons reasons = {.out = out};

        fprintf(out, "  rules[%d]:", i);
        say(&job->advice->rules[i], job, file != NULL ? file : "", &reasons);
        fputs("\n", out);
    }
    if (count > RULES)
        fprintf(out, "  and %d more\n", count - RULES);
}
