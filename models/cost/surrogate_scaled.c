/* Surrogates of operations that were not learned: whose they are, and what was made of them. */

#include "surrogate_inside.h"

#include <math.h>
#include <string.h>

#include "surrogate_math.h"

/* A factor or an error beyond it is a mistake. */
#define FACTOR_MAX 1e12

const atm_scaled *atm_surrogate_scaled(const atm_surrogate *surrogate)
{
    return surrogate->scaled.factor > 0 ? &surrogate->scaled : NULL;
}

atm_status sur_scaled_read(const atm_value *surrogate, atm_message *message, atm_scaled *scaled)
{
    static const char *const keys[] = {"donor", "factor", "error", "spread", "points", NULL};
    const atm_value *object;
    const char *donor = "";
    atm_status status;

    if (atm_value_find(surrogate, "scaled") == NULL)
        return ATM_OK;
    status = atm_get_object(surrogate, "scaled", message, &object);
    if (status == ATM_OK)
        status = atm_check_keys(object, keys, message);
    if (status == ATM_OK)
        status = atm_get_string(object, "donor", message, &donor);
    if (status == ATM_OK && strlen(donor) >= sizeof(scaled->donor))
        status = atm_complain(object, "donor", message, "is too long");
    if (status == ATM_OK)
        status =
            atm_get_number(object, "factor", 1 / FACTOR_MAX, FACTOR_MAX, message, &scaled->factor);
    if (status == ATM_OK)
        status = atm_get_number(object, "error", 0, FACTOR_MAX, message, &scaled->error);
    if (status == ATM_OK)
        status = atm_get_number(object, "spread", 0, FACTOR_MAX, message, &scaled->spread);
    if (status == ATM_OK)
        status = atm_get_integer(object, "points", 0, ATM_MAX_INTEGER, message, &scaled->points);
    if (status == ATM_OK)
        memcpy(scaled->donor, donor, strlen(donor) + 1);
    return status;
}

void sur_scaled_write(const atm_scaled *scaled, atm_value *surrogate)
{
    atm_value *object;

    if (scaled->factor == 0)
        return;
    object = atm_put_object(surrogate, "scaled");
    atm_put_string(object, "donor", scaled->donor);
    atm_put_number(object, "factor", scaled->factor);
    atm_put_number(object, "error", scaled->error);
    atm_put_number(object, "spread", scaled->spread);
    atm_put_integer(object, "points", scaled->points);
}

double atm_surrogate_error(const atm_surrogate *surrogate)
{
    const atm_scaled *scaled = atm_surrogate_scaled(surrogate);

    if (scaled == NULL)
        return surrogate->error;
    return sur_exp(sqrt(sur_square_of_log(surrogate->error) + sur_square_of_log(scaled->error) +
                        sur_square_of_log(scaled->spread))) -
           1;
}
