/* Spools that nobody vouches for: cut off, changed, of other machines. */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <cmocka.h>

#include "common/rng.h"
#include "history/spool_read.h"
#include "unit/history/spool_help.h"

static const char path[] = "test.spool";

/* --- what is read */

static int count_blocks(ath_spool *spool, uint32_t kind, size_t *bytes_p)
{
    atm_message message = {""};
    int count = 0;
    bool more = true;
    ath_block block;

    ath_spool_rewind(spool);
    *bytes_p = 0;
    while (more) {
        if (ath_spool_next(spool, &message, &more, &block) != ATH_OK)
            fail_msg("%s", message.text);
        if (more && block.kind == kind) {
            count++;
            *bytes_p += block.length;
        }
    }
    return count;
}

static void whole_spool(void **state)
{
    FILE *file = spool_usual(path, 42);
    uint64_t dropped = 7;
    atm_message message = {""};
    ath_spool *spool = NULL;
    size_t bytes;

    (void) state;
    spool_activities(file, 0, 1, 10000); /* more than is handed over at once */
    spool_block(file, ATW_BLOCK_DROPPED, 1, &dropped, sizeof(dropped));
    spool_end(file);
    assert_int_equal(ath_spool_open(path, &message, &spool), ATH_OK);
    assert_int_equal(ath_spool_head(spool)->unique, 42);
    assert_int_equal(count_blocks(spool, ATW_BLOCK_FACTS, &bytes), 1);
    assert_int_equal(count_blocks(spool, ATW_BLOCK_FILE, &bytes), 2);
    assert_int_equal(bytes, 2 * (4 + strlen("/scratch/field.1")));
    assert_true(count_blocks(spool, ATW_BLOCK_ACTIVITIES, &bytes) > 1);
    assert_int_equal(bytes, 20000 * sizeof(atw_activity));
    assert_int_equal(count_blocks(spool, ATW_BLOCK_DROPPED, &bytes), 1);
    assert_int_equal(count_blocks(spool, ATW_BLOCK_END, &bytes), 1);
    ath_spool_close(spool);
    assert_true(ath_is_spool(path));
    assert_false(ath_is_spool("/none"));
    assert_false(ath_is_spool("."));
}

/* --- what is refused */

static void refused(const char *expected)
{
    atm_message message = {""};
    ath_spool *spool = NULL;
    ath_status status = ath_spool_open(path, &message, &spool);
    bool more = true;
    ath_block block;

    while (status == ATH_OK && more)
        status = ath_spool_next(spool, &message, &more, &block);
    ath_spool_close(spool);
    assert_int_equal(status, ATH_BAD_FILE);
    assert_non_null(strstr(message.text, path));
    if (strstr(message.text, expected) == NULL)
        fail_msg("%s, not %s", message.text, expected);
}

static void change(size_t at, const void *bytes, size_t length)
{
    FILE *file = spool_usual(path, 42);

    spool_activities(file, 0, 1, 1);
    spool_end(file);
    file = fopen(path, "r+");
    fseek(file, (long) at, SEEK_SET);
    fwrite(bytes, 1, length, file);
    fclose(file);
}

static void bad_heads(void **state)
{
    uint32_t two = 2, swapped = 0x04030201;
    uint64_t never = UINT64_MAX;

    (void) state;
    change(0, "X", 1);
    refused("byte 0: this is no spool");
    change(8, &two, sizeof(two));
    refused("byte 8: is of version 2");
    change(12, &swapped, sizeof(swapped));
    refused("byte 12: was written by a machine of another byte order");
    change(24, &never, sizeof(never));
    refused("this is no time");
    fclose(fopen(path, "w"));
    refused("byte 0: ends before its head does");
    assert_int_equal(ath_spool_open("/none", NULL, &(ath_spool *){NULL}), ATH_NO_ACCESS);
    assert_int_equal(ath_spool_open(".", NULL, &(ath_spool *){NULL}), ATH_BAD_FILE);
}

static void bad_blocks(void **state)
{
    uint32_t kind = 99;
    uint64_t length = 3;
    FILE *file;

    (void) state;
    change(64, &kind, sizeof(kind));
    refused("byte 64: kind 99 of a block is not known");
    file = spool_usual(path, 42);
    spool_block(file, ATW_BLOCK_DROPPED, 0, &length, 3);
    fclose(file);
    refused("a block of kind 5 cannot have 3 bytes");
    file = spool_usual(path, 42);
    spool_block(file, ATW_BLOCK_ACTIVITIES, 0, "0123456789", 10);
    fclose(file);
    refused("a block of kind 4 cannot have 10 bytes");
    file = spool_usual(path, 42);
    spool_block(file, ATW_BLOCK_FILE, 0, "\1\0\0\0", 4);
    fclose(file);
    refused("a block of kind 3 cannot have 4 bytes");
    file = spool_usual(path, 42);
    spool_block(file, ATW_BLOCK_END, 0, "x", 1);
    fclose(file);
    refused("a block of kind 7 cannot have 1 bytes");
}

/* --- cut off at any byte, changed anywhere: blocks or a message, and an end */

static size_t make_small(void)
{
    FILE *file = spool_usual(path, 42);
    long size;

    spool_activities(file, 0, 1, 2);
    spool_end(file);
    file = fopen(path, "r");
    fseek(file, 0, SEEK_END);
    size = ftell(file);
    fclose(file);
    return (size_t) size;
}

static ath_status read_all(size_t *blocks_p)
{
    atm_message message = {""};
    ath_spool *spool = NULL;
    ath_status status = ath_spool_open(path, &message, &spool);
    bool more = true;
    ath_block block;

    *blocks_p = 0;
    while (status == ATH_OK && more) {
        status = ath_spool_next(spool, &message, &more, &block);
        *blocks_p += status == ATH_OK && more;
    }
    assert_true(status == ATH_OK || message.text[0] != '\0');
    ath_spool_close(spool);
    return status;
}

static void cut_off_anywhere(void **state)
{
    size_t size = make_small(), blocks, most = 0;

    (void) state;
    for (size_t length = size; length-- > 0;) {
        assert_int_equal(truncate(path, (off_t) length), 0);
        assert_int_equal(read_all(&blocks), length < 64 ? ATH_BAD_FILE : ATH_OK);
        most = blocks > most ? blocks : most;
        assert_true(blocks <= 5);
    }
    assert_int_equal(most, 5); /* all but the last one */
}

static void changed_anywhere(void **state)
{
    size_t size = make_small(), blocks;
    uint64_t rng = 1;

    (void) state;
    for (int i = 0; i < 20000; i++) {
        FILE *file = fopen(path, "r+");
        long at = (long) (rng_next(&rng) % size);
        int before;

        fseek(file, at, SEEK_SET);
        before = getc(file);
        fseek(file, at, SEEK_SET);
        putc((int) (rng_next(&rng) & 0xff), file);
        fclose(file);
        read_all(&blocks);
        file = fopen(path, "r+");
        fseek(file, at, SEEK_SET);
        putc(before, file);
        fclose(file);
    }
    assert_int_equal(read_all(&blocks), ATH_OK);
    assert_int_equal(blocks, 6);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(whole_spool),      cmocka_unit_test(bad_heads),
        cmocka_unit_test(bad_blocks),       cmocka_unit_test(cut_off_anywhere),
        cmocka_unit_test(changed_anywhere),
    };

    return cmocka_run_group_tests_name("spool", tests, NULL, NULL);
}
