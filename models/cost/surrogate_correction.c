/* Surrogates: how far they were off in use, by bytes. */

#include "surrogate_inside.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "surrogate_math.h"

/* No measurement is off by more and worth keeping. */
#define FACTOR_MAX 1e3
#define BYTES_MAX 1e18

/* Straight between the logarithms of two points, constant beyond the outermost. */
double sur_correction_factor(const sur_correction *c, double bytes)
{
    int above = 0;
    double share;

    if (!(bytes > c->bytes[0]))
        return c->factor[0];
    while (above < c->count && c->bytes[above] < bytes)
        above++;
    if (above == c->count)
        return c->factor[c->count - 1];
    share = sur_log(bytes / c->bytes[above - 1]) / sur_log(c->bytes[above] / c->bytes[above - 1]);
    return sur_exp((1 - share) * sur_log(c->factor[above - 1]) + share * sur_log(c->factor[above]));
}

static atm_status read_numbers(const atm_value *object, const char *key, double min, double max,
                               int count, atm_message *message, double *numbers_p)
{
    size_t least = count > 0 ? (size_t) count : 1, most = count > 0 ? least : SUR_CORRECTIONS;
    double *numbers;
    size_t length;
    atm_status status =
        atm_get_numbers(object, key, least, most, min, max, message, &numbers, &length);

    if (status != ATM_OK)
        return status;
    memcpy(numbers_p, numbers, length * sizeof(*numbers));
    for (size_t i = length; i < SUR_CORRECTIONS; i++)
        numbers_p[i] = 0;
    free(numbers);
    return ATM_OK;
}

atm_status sur_correction_read(const atm_value *surrogate, atm_message *message, sur_correction *c)
{
    static const char *const keys[] = {"bytes", "factor", NULL};
    const atm_value *object;
    atm_status status;

    if (atm_value_find(surrogate, "correction") == NULL)
        return ATM_OK;
    status = atm_get_object(surrogate, "correction", message, &object);
    if (status == ATM_OK)
        status = atm_check_keys(object, keys, message);
    if (status == ATM_OK)
        status = read_numbers(object, "bytes", 1, BYTES_MAX, 0, message, c->bytes);
    if (status != ATM_OK)
        return status;
    while (c->count < SUR_CORRECTIONS && c->bytes[c->count] > 0)
        c->count++;
    for (int i = 1; i < c->count; i++)
        if (c->bytes[i] <= c->bytes[i - 1])
            return atm_complain(object, "bytes", message, "must grow");
    return read_numbers(object, "factor", 1 / FACTOR_MAX, FACTOR_MAX, c->count, message, c->factor);
}

void sur_correction_write(const sur_correction *c, atm_value *surrogate)
{
    atm_value *object;

    if (c->count == 0)
        return;
    object = atm_put_object(surrogate, "correction");
    atm_put_numbers(object, "bytes", c->bytes, (size_t) c->count);
    atm_put_numbers(object, "factor", c->factor, (size_t) c->count);
}

atm_status atm_surrogate_correct(atm_surrogate *surrogate, const double *bytes,
                                 const double *factors, int count)
{
    sur_correction c = {.count = count};

    if (count < 1 || count > SUR_CORRECTIONS)
        return ATM_BAD_ARGUMENT;
    for (int i = 0; i < count; i++) {
        double before = surrogate->correction.count > 0
                            ? sur_correction_factor(&surrogate->correction, bytes[i])
                            : 1;

        if (!(bytes[i] >= 1 && bytes[i] <= BYTES_MAX && factors[i] > 0) ||
            (i > 0 && bytes[i] <= bytes[i - 1]))
            return ATM_BAD_ARGUMENT;
        c.bytes[i] = bytes[i];
        c.factor[i] = fmin(fmax(before * factors[i], 1 / FACTOR_MAX), FACTOR_MAX);
    }
    surrogate->correction = c;
    return ATM_OK;
}
