/* Points of a space. */

#include "space.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "common/rng.h"
#include "fnv.h"

bool ats_point_equal(const ats_point *one, const ats_point *other)
{
    return memcmp(one, other, sizeof(*one)) == 0;
}

bool ats_point_is_default(const ats_point *point)
{
    static const ats_point none = {{0}};

    return ats_point_equal(point, &none);
}

int ats_first_choice(const ats_parameter *parameter)
{
    return parameter->optional ? 0 : 1;
}

int ats_choices(const ats_parameter *parameter)
{
    return parameter->fixed ? 1 : parameter->count + (parameter->optional ? 1 : 0);
}

double ats_space_size(const ats_space *space)
{
    double size = 1;

    for (int i = 0; i < space->count; i++)
        size *= ats_choices(&space->parameters[i]);
    return size;
}

ats_point ats_space_at(const ats_space *space, uint64_t index)
{
    ats_point point = {{0}};

    for (int i = 0; i < space->count; i++) {
        uint64_t choices = (uint64_t) ats_choices(&space->parameters[i]);

        point.choice[i] = ats_first_choice(&space->parameters[i]) + (int) (index % choices);
        index /= choices;
    }
    return point;
}

ats_point ats_point_random(const ats_space *space, uint64_t *state)
{
    ats_point point = {{0}};

    for (int i = 0; i < space->count; i++)
        point.choice[i] = ats_first_choice(&space->parameters[i]) +
                          rng_below(state, ats_choices(&space->parameters[i]));
    return point;
}

static void take(const ats_parameter *parameter, const atm_settings *from, atm_settings *to)
{
    for (int i = 0; i < parameter->set_count; i++) {
        atm_setting setting = parameter->sets[i];

        to->has[setting] = true;
        to->values[setting] = from->values[setting];
        if (setting == ATM_SET_HDF5_ALIGNMENT)
            to->threshold = from->threshold;
        if (setting == ATM_SET_HDF5_CHUNK)
            memcpy(to->chunk, from->chunk, sizeof(to->chunk));
    }
}

atm_settings ats_point_settings(const ats_space *space, const ats_point *point)
{
    atm_settings settings = {.threshold = 0};

    for (int i = 0; i < space->count; i++)
        if (point->choice[i] > 0)
            take(&space->parameters[i], &space->parameters[i].values[point->choice[i] - 1],
                 &settings);
    return settings;
}

/* --- as text */

static int number_text(uint64_t number, size_t size, char *text_p)
{
    static const char units[] = "\0KMGT";
    int unit = 0;

    while (number >= 1024 && number % 1024 == 0 && unit < 4) {
        number /= 1024;
        unit++;
    }
    return unit > 0 ? snprintf(text_p, size, "%" PRIu64 "%c", number, units[unit])
                    : snprintf(text_p, size, "%" PRIu64, number);
}

static void shape_text(const atm_settings *value, size_t size, char *text_p)
{
    size_t length = 0;

    for (uint64_t i = 0; i < value->values[ATM_SET_HDF5_CHUNK] && length < size; i++)
        length += (size_t) snprintf(text_p + length, size - length, "%s%" PRIu64, i > 0 ? "x" : "",
                                    value->chunk[i]);
}

void ats_choice_text(const ats_parameter *parameter, int choice, size_t size, char *text_p)
{
    const atm_settings *value = choice > 0 ? &parameter->values[choice - 1] : NULL;
    atm_setting setting = parameter->sets[0];

    if (value == NULL) {
        snprintf(text_p, size, "-");
    } else if (setting == ATM_SET_HDF5_CHUNK) {
        shape_text(value, size, text_p);
    } else if (atm_setting_word(setting, value->values[setting]) != NULL) {
        snprintf(text_p, size, "%s", atm_setting_word(setting, value->values[setting]));
    } else if (setting == ATM_SET_HDF5_ALIGNMENT) {
        int length = number_text(value->threshold, size, text_p);

        if ((size_t) length + 1 < size) {
            text_p[length++] = ',';
            number_text(value->values[setting], size - (size_t) length, text_p + length);
        }
    } else {
        number_text(value->values[setting], size, text_p);
    }
}

void ats_point_text(const ats_space *space, const ats_point *point, char text_p[ATS_TEXT])
{
    size_t length = 0;

    snprintf(text_p, ATS_TEXT, "default");
    for (int i = 0; i < space->count && length < ATS_TEXT; i++) {
        char value[ATS_NAME];

        if (point->choice[i] == 0)
            continue;
        ats_choice_text(&space->parameters[i], point->choice[i], sizeof(value), value);
        length += (size_t) snprintf(text_p + length, ATS_TEXT - length, "%s%s=%s",
                                    length > 0 ? " " : "", space->parameters[i].name, value);
    }
}

uint32_t ats_point_hash(const ats_point *point)
{
    uint64_t hash = ATM_FNV_BEGIN;

    for (int i = 0; i < ATS_PARAMETERS; i++)
        hash = atm_fnv_add(hash, (uint64_t) point->choice[i]);
    return (uint32_t) rng_hash(hash, 0);
}
