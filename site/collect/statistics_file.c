#include "statistics_file.h"

#include <math.h>
#include <time.h>
#include <unistd.h>

#include "value/value.h"
#include "formats/formats.h"

/* Digits that mean something. */
static double rounded(double number, int value)
{
    return value < SAMPLE_SHARES || value == SAMPLE_CPU_WAIT ? round(number * 1e4) / 1e4
                                                             : round(number);
}

static void put_values(atm_value *object, const sample *s, int count)
{
    for (int i = 0; s != NULL && i < count; i++)
        atm_put_number(object, sample_names[i], rounded(s->values[i], i));
}

static void put_level(atm_value *object, const level *l, double seconds)
{
    atm_value *samples;

    atm_put_number(object, "seconds", seconds);
    samples = atm_put_array(object, "samples");
    for (size_t i = 0; i < l->count; i++) {
        const sample *s = level_sample(l, i);
        atm_value *one = atm_put_object(samples, NULL);

        atm_put_number(one, "seconds", round(s->seconds * 1e4) / 1e4);
        put_values(one, s, SAMPLE_COUNT);
    }
}

static void put_work(atm_value *object, const work *w)
{
    atm_put_integer(object, "processes", (int64_t) w->processes);
    atm_put_integer(object, "spools", (int64_t) w->spools);
    atm_put_integer(object, "bytes", (int64_t) w->bytes);
    atm_put_integer(object, "full", (int64_t) w->full);
    atm_put_integer(object, "refused", (int64_t) w->refused);
}

char *report_text(const levels *l, const work *w, const users *u, uid_t who, size_t *length_p)
{
    atm_value *root = atm_value_object(), *array;
    char host[65] = "", *text = NULL;

    gethostname(host, sizeof(host) - 1);
    atm_put_string(root, "format", STATISTICS_FORMAT);
    atm_put_integer(root, "version", STATISTICS_VERSION);
    atm_put_string(root, "host", host);
    atm_put_integer(root, "time", (int64_t) time(NULL));
    put_values(atm_put_object(root, "utilisation"), level_last(&l->levels[1]), SAMPLE_SHARES);
    array = atm_put_array(root, "levels");
    for (int i = 0; i < LEVELS; i++)
        put_level(atm_put_object(array, NULL), &l->levels[i], level_seconds[i]);
    put_work(atm_put_object(root, "collector"), w);
    users_put(u, who, atm_put_object(root, "health"));
    if (atm_value_print_line(root, &text, length_p) != ATM_OK)
        text = NULL;
    atm_value_destroy(root);
    return text;
}
