/* What the tests of records share: random records, to lines and back. */

#ifndef RECORD_HELP_H
#define RECORD_HELP_H

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "files/record.h"
#include "formats/formats.h"

static uint64_t seed = 1;

static inline uint64_t dice(uint64_t sides)
{
    seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (seed >> 33) % sides;
}

static inline double factor(void)
{
    return (double) dice(1000000007) / (double) (1 + dice(1000003));
}

/* Whole nanoseconds */
static inline double seconds(void)
{
    return (double) (dice(1000000007) * (1 + dice(1000))) / 1e9;
}

/* Valid UTF-8 of at most size - 1 bytes, much of it to be escaped. */
static inline void fill_text(char *text_p, size_t size)
{
    static const char *const characters[] = {"a",
                                             "/",
                                             " ",
                                             "\"",
                                             "\\",
                                             "\n",
                                             "\t",
                                             "\x7f",
                                             "\xc3\xa4",
                                             "\xe2\x82\xac",
                                             "\xf0\x9f\x98\x80"};
    size_t room = size > 300 ? dice(300) : dice(size);

    text_p[0] = '\0';
    while (room > 4) {
        const char *character = characters[dice(sizeof(characters) / sizeof(characters[0]))];

        strcat(text_p, character);
        room -= strlen(character);
    }
}

/* Into zeroed memory: records are compared byte by byte, padding and all. */
static inline void fill_decision(atm_record_decision *decision)
{
    decision->call = dice(1000);
    decision->tuned = dice(2);
    decision->advised = dice(2);
    decision->hinted = dice(2);
    decision->write = dice(2);
    decision->config.collective = dice(2);
    decision->config.automatic = dice(2);
    decision->config.aggregators = (int) dice(1000);
    decision->config.buffer = dice(1 << 30);
    decision->config.stripe_size = dice(1 << 30);
    decision->config.stripe_count = (int) dice(100) - 1;
    decision->config.co_ratio = (int) dice(5);
    decision->config.block = dice(1 << 30);
    decision->rank_count = (int) dice(2 * ATM_RECORD_RANKS);
    for (int i = 0; i < decision->rank_count && i < ATM_RECORD_RANKS; i++)
        decision->ranks[i] = (int) dice(1000000);
    decision->access.write = decision->write;
    decision->access.strided = dice(2);
    decision->access.interleaved = dice(2);
    decision->access.holes = dice(2);
    decision->access.new_file = dice(2);
    decision->access.active_ranks = (int) dice(100000);
    decision->access.bytes_min = dice(1 << 20);
    decision->access.bytes_max = dice(1 << 30);
    decision->access.bytes = dice(1 << 30) << 22;
    decision->access.start = dice(100);
    decision->access.end = dice(1 << 30) << 22;
    decision->access.block = dice(1 << 20);
    decision->access.stride = dice(1 << 20);
    decision->access.affinity = (double) dice(1001) / 1000;
    for (int i = 0; i < ATM_PART_COUNT; i++)
        decision->parts[i] = seconds();
    decision->uncertainty = factor();
    decision->storage_scale = factor();
    decision->communication_scale = factor();
    fill_text(decision->reason.text, sizeof(decision->reason.text));
    decision->advised = dice(2);
}

static inline void fill_call(uint64_t number, atm_record_call *call)
{
    call->call = number;
    call->write = dice(2);
    call->at = seconds();
    call->seconds = seconds();
    call->storage_seconds = seconds();
    call->bytes = dice(1 << 30) << 22;
    call->accesses = dice(100000);
}

static inline atm_record_counters random_counters(void)
{
    return (atm_record_counters){.calls = dice(1000),
                                 .seconds = seconds(),
                                 .accesses = dice(1 << 30),
                                 .bytes = dice(1 << 30) << 22,
                                 .storage_seconds = seconds(),
                                 .independent_calls = dice(100),
                                 .independent_bytes = dice(1 << 30),
                                 .independent_seconds = seconds()};
}

/* Free it. */
static inline atm_record *random_record(int decisions, int calls)
{
    atm_record *record = calloc(1, sizeof(*record));

    fill_text(record->file, sizeof(record->file));
    fill_text(record->wrapped, sizeof(record->wrapped));
    fill_text(record->status, sizeof(record->status));
    fill_text(record->mode, sizeof(record->mode));
    fill_text(record->profile, sizeof(record->profile));
    fill_text(record->host, sizeof(record->host));
    fill_text(record->job, sizeof(record->job));
    fill_text(record->program, sizeof(record->program));
    fill_text(record->user, sizeof(record->user));
    record->ranks = (int) dice(1000000);
    record->nodes = (int) dice(10000);
    record->pid = (int64_t) dice(4194304);
    record->started = (time_t) dice(INT64_C(4102444800));
    record->seconds = seconds();
    if (dice(2) == 0) {
        record->stripe_size = 65536 * (1 + dice(64));
        record->stripe_count = 1 + (int) dice(2000);
        record->first_ost = (int) dice(2000);
    }
    for (int i = 0; i < decisions; i++) {
        atm_record_decision decision;

        memset(&decision, 0, sizeof(decision));
        fill_decision(&decision);
        atm_record_add_decision(record, &decision);
    }
    for (int i = 0; i < calls; i++) {
        atm_record_call call;

        memset(&call, 0, sizeof(call));
        fill_call((uint64_t) i + 1, &call);
        atm_record_add_call(record, &call);
    }
    record->read = random_counters();
    record->write = random_counters();
    return record;
}

/* Free it.  (Inlined, gcc 12 takes it for a pointer to what is gone.) */
__attribute__((noinline, unused)) static char *line_of(const atm_record *record)
{
    char *line = NULL;
    size_t length = 0;

    assert_int_equal(atm_record_line(record, &line, &length), ATM_OK);
    assert_int_equal(strlen(line), length);
    assert_true(length < ATM_RECORD_LINE);
    assert_ptr_equal(strchr(line, '\n'), line + length - 1);
    return line;
}

static inline atm_record *record_of(const char *line)
{
    atm_message message = {""};
    atm_record *record = NULL;
    atm_status status = atm_record_parse(line, strlen(line), "line", &message, &record);

    if (status != ATM_OK)
        fail_msg("%s", message.text);
    return record;
}

static inline void check_same(const atm_record *record, atm_record *again)
{
    assert_int_equal(again->version, ATM_RECORD_VERSION);
    again->version = record->version;
    assert_string_equal(again->file, record->file);
    assert_string_equal(again->status, record->status);
    for (int i = 0; i < record->decision_count; i++)
        assert_string_equal(again->decisions[i].reason.text, record->decisions[i].reason.text);
    assert_memory_equal(again, record, sizeof(*record));
}

#endif /* RECORD_HELP_H */
