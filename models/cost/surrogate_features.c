/* The features that a surrogate of a file has. */

#include "surrogate_inside.h"

atm_status sur_features_read(const atm_value *value, atm_message *message, atm_feature *features_p,
                             int *count_p)
{
    const char *names[ATM_FEATURE_COUNT];
    const atm_value *array;
    bool used[ATM_FEATURE_COUNT] = {false};
    atm_status status = atm_get_array(value, "features", 1, ATM_FEATURE_COUNT, message, &array);

    if (status != ATM_OK)
        return status;
    for (int i = 0; i < ATM_FEATURE_COUNT; i++)
        names[i] = atm_feature_name((atm_feature) i);
    for (size_t i = 0; i < atm_value_length(array); i++) {
        size_t feature;

        status = atm_get_choice(atm_value_item(array, i), NULL, names, ATM_FEATURE_COUNT, message,
                                &feature);
        if (status != ATM_OK)
            return status;
        if (used[feature])
            return atm_complain(value, "features", message, "has %s twice", names[feature]);
        used[feature] = true;
        features_p[i] = (atm_feature) feature;
    }
    *count_p = (int) atm_value_length(array);
    return ATM_OK;
}
