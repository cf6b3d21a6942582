/* Classes: whose runs are alike. */

#include "learn_inside.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

#include "advice/glob.h"

/* "field.*.h5" of "field.12.h5": what comes after the last dot is a kind of file if it begins with
 * a letter, and a number among others if not. */
static bool name_pattern(const char *name, size_t size, char *pattern_p)
{
    const char *dot = strrchr(name, '.');
    char stem[ATM_ADVICE_PATTERN];
    size_t length;

    if (dot == NULL || !isalpha((unsigned char) dot[1]))
        return atm_glob_of(name, true, size, pattern_p);
    length = (size_t) (dot - name);
    if (length >= sizeof(stem))
        return false;
    memcpy(stem, name, length);
    stem[length] = '\0';
    if (!atm_glob_of(stem, true, size, pattern_p))
        return false;
    length = strlen(pattern_p);
    return atm_glob_of(dot, false, size - length, pattern_p + length);
}

/* "/scratch" of "/scratch/ada/run7/field.1": another file system is another class, another folder
 * is not. */
bool learn_pattern(const char *file, char pattern_p[ATM_ADVICE_PATTERN])
{
    const char *name = strrchr(file, '/'), *second = file[0] == '/' ? strchr(file + 1, '/') : NULL;
    size_t head = 0;

    if (second != NULL) {
        char top[ATM_ADVICE_PATTERN / 4];

        if ((size_t) (second - file) >= sizeof(top))
            return false;
        memcpy(top, file, (size_t) (second - file));
        top[second - file] = '\0';
        if (!atm_glob_of(top, false, ATM_ADVICE_PATTERN - 8, pattern_p))
            return false;
        strcat(pattern_p, second == name ? "/" : "/*/");
        head = strlen(pattern_p);
    }
    name = second != NULL ? name + 1 : file;
    return name_pattern(name, ATM_ADVICE_PATTERN - head, pattern_p + head) && pattern_p[0] != '\0';
}

/* The power of two that is not above the number, and the number before the next. */
static void range_of(double number, uint64_t range_p[2])
{
    int power = number >= 1 ? ilogb(number) : 0;

    range_p[0] = UINT64_C(1) << power;
    range_p[1] = 2 * range_p[0] - 1;
}

learn_class learn_class_of(const ath_sample *sample)
{
    learn_class class = {.program = sample->program,
                         .user = sample->user,
                         .pattern = sample->pattern,
                         .write = sample->write,
                         .independent = sample->independent};

    range_of(sample->ranks, class.ranks);
    range_of(sample->bytes, class.bytes);
    return class;
}

static int compare_numbers(uint64_t one, uint64_t other)
{
    return (one > other) - (one < other);
}

/* Programs that are known come first: a rule without one would match theirs, too. */
int learn_class_compare(const learn_class *one, const learn_class *other)
{
    int order = (one->program[0] == '\0') - (other->program[0] == '\0');

    if (order == 0)
        order = strcmp(one->program, other->program);
    if (order == 0)
        order = strcmp(one->user, other->user);
    if (order == 0)
        order = strcmp(one->pattern, other->pattern);
    if (order == 0)
        order = one->write - other->write;
    if (order == 0)
        order = compare_numbers(one->ranks[0], other->ranks[0]);
    if (order == 0)
        order = compare_numbers(one->bytes[0], other->bytes[0]);
    return order != 0 ? order : one->independent - other->independent;
}
