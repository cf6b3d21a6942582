/* Profiles: refused with a sentence, or loaded, and then printed and loaded again without a
 * difference, and asked for finite predictions. */

#include "fuzz.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "files/profile.h"

static void check_failure(atm_status status, const atm_message *message)
{
    require(status == ATM_BAD_FILE, "status is not ATM_BAD_FILE");
    require(strncmp(message->text, "fuzz: ", 6) == 0, "message does not name the text");
    require_message(message);
}

static void check_predictions(const atm_profile *a, const atm_profile *b)
{
    static const double queries[][ATM_FEATURE_COUNT] = {{1, 1, 1, 1, 1, 1, 1},
                                                        {128, 16, 2048, 520, 33554432, 8, 64},
                                                        {0, -1, 1e300, NAN, INFINITY, 0.5, 1}};

    for (int i = 0; i < ATM_OPERATION_COUNT; i++) {
        for (size_t q = 0; q < sizeof(queries) / sizeof(queries[0]); q++) {
            atm_estimate ea, eb;

            atm_surrogate_predict(a->operations[i], queries[q], &ea);
            atm_surrogate_predict(b->operations[i], queries[q], &eb);
            require(ea.seconds >= ATM_SECONDS_MIN && ea.seconds <= ATM_SECONDS_MAX, "seconds");
            require(isfinite(ea.uncertainty), "uncertainty");
            require(ea.seconds == eb.seconds && ea.uncertainty == eb.uncertainty &&
                        ea.outside == eb.outside,
                    "predictions differ");
        }
    }
}

static void check_profile(const atm_profile *profile)
{
    atm_profile *again;
    atm_message message;
    size_t length, length_again;
    char *text, *text_again;

    require(atm_profile_print(profile, &text, &length) == ATM_OK, "not printed");
    require(atm_profile_parse(text, length, "fuzz", &message, &again) == ATM_OK, "not read again");
    require(atm_profile_print(again, &text_again, &length_again) == ATM_OK, "not printed again");
    require(length == length_again && memcmp(text, text_again, length) == 0, "texts differ");
    check_predictions(profile, again);
    atm_profile_destroy(again);
    free(text);
    free(text_again);
}

static void check_value(const atm_value *value)
{
    atm_value *again;
    size_t length, length_again;
    char *text, *text_again;

    require(atm_value_print(value, &text, &length) == ATM_OK, "value not printed");
    if (length <= ATM_MAX_BYTES) { /* escape sequences and digits can grow */
        require(atm_value_parse(text, length, "fuzz", NULL, &again) == ATM_OK, "value not read");
        require(atm_value_print(again, &text_again, &length_again) == ATM_OK, "value not printed");
        require(length == length_again && memcmp(text, text_again, length) == 0, "values differ");
        free(text_again);
        atm_value_destroy(again);
    }
    free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    atm_profile *profile;
    atm_message message;
    atm_value *value;
    atm_status status = atm_value_parse((const char *) data, size, "fuzz", &message, &value);

    if (status) {
        check_failure(status, &message);
        return 0;
    }
    check_value(value);
    atm_value_destroy(value);
    status = atm_profile_parse((const char *) data, size, "fuzz", &message, &profile);
    if (status) {
        check_failure(status, &message);
        return 0;
    }
    check_profile(profile);
    atm_profile_destroy(profile);
    return 0;
}

#ifndef REPLAY
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max_size);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed);

/* Every other time another number in place of one that is there: mutated bytes
 * seldom get past the parser, these do. */
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed)
{
    static const char *const numbers[] = {"0",     "1",      "-1",  "2",  "3",    "0.5",   "1e-300",
                                          "1e100", "-1e100", "1e9", "64", "4096", "16383", "-0.0"};
    size_t start = seed % (size + 1), end, length;
    const char *number = numbers[(seed >> 16) % (sizeof(numbers) / sizeof(numbers[0]))];

    while (start < size && !strchr("-0123456789", data[start] ? data[start] : 'x'))
        start++;
    for (end = start; end < size && strchr("-+.eE0123456789", data[end] ? data[end] : 'x'); end++)
        ;
    length = strlen(number);
    if (seed % 2 == 0 || start == size || size - (end - start) + length > max_size)
        return LLVMFuzzerMutate(data, size, max_size);
    memmove(data + start + length, data + end, size - end);
    memcpy(data + start, number, length);
    return size - (end - start) + length;
}
#endif
