/*
 * Private to test_standin: Lustre's interface as bare numbers, so that the
 * stand-in and the header it was built with are both checked, and the tests of
 * the other files.  All names are relative to the directory of the test.
 */

#ifndef TEST_STANDIN_H
#define TEST_STANDIN_H

#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#define SETSTRIPE 0x4008669aUL
#define GETSTRIPE 0x4008669bUL
#define GETOBDCOUNT 0x800866a8UL
#define OBD_STATFS 0xc00866a4UL
#define DELAY_CREATE 0x2100
#define V1 0x0bd10bd0
#define V3 0x0bd30bd0
#define SPECIFIC 0x0bd50bd0
#define COMPOSITE 0x0bd60bd0
#define MiB 1048576

/* FAILS(call, ERROR): call returns -1 with that errno */
#define FAILS(call, error)                                                                         \
    do {                                                                                           \
        errno = 0;                                                                                 \
        assert_int_equal(call, -1);                                                                \
        assert_int_equal(errno, error);                                                            \
    } while (0)

/* A request or an answer of SETSTRIPE/GETSTRIPE, by offset. */
struct lum {
    _Alignas(8) unsigned char bytes[48 + 24 * 2000];
};

uint32_t get32(const void *base, size_t at);
uint16_t get16(const void *base, size_t at);
void put32(void *base, size_t at, uint32_t value);

/* A request in a buffer of its own, which the next one fills again. */
struct lum *request(uint32_t magic, uint32_t pattern, uint32_t size, uint16_t count,
                    uint16_t offset);
/* fd has this layout; osts may be NULL. */
void check_layout(int fd, uint32_t pattern, uint32_t size, int count, const int *osts);
void check_no_layout(int fd);

/* A file created with DELAY_CREATE under a name of its own, closed by caller. */
int create_delayed(void);

/* Path of this program, and what it does when a test starts it as another client. */
extern char program[];
bool is_for_client(const char *what);
int act_as_client(int argc, char **argv);

/* test_standin_lustre.c: the rows of the table of Lustre's behaviour */
void lustre_header_has_the_kernels_numbers(void **state);
void lustre_counts_osts_on_directories(void **state);
void lustre_plain_create_gets_default_layout(void **state);
void lustre_delayed_create_has_no_layout(void **state);
void lustre_sets_two_stripes(void **state);
void lustre_all_osts_from_the_third(void **state);
void lustre_layout_is_set_once(void **state);
void lustre_refuses_bad_requests(void **state);
void lustre_clamps_the_count(void **state);
void lustre_overstripes(void **state);
void lustre_negative_count_is_stripes_per_ost(void **state);
void lustre_takes_listed_osts(void **state);
void lustre_zero_means_default(void **state);
void lustre_pool_is_reported_as_v3(void **state);
void lustre_keeps_two_thousand_stripes(void **state);
void lustre_spreads_files(void **state);
void lustre_copies_no_more_than_there_is_room_for(void **state);
void lustre_layout_as_attribute(void **state);
void lustre_reports_ost_state(void **state);

/* test_standin_late.c: files that get their layout late, and other processes */
void late_write_before_layout_is_refused(void **state);
void late_plain_open_brings_the_default(void **state);
void late_plain_open_beside_a_writer_does_not(void **state);
void late_readers_and_delayed_opens_never_do(void **state);
void late_holder_may_be_any_process(void **state);
void late_plain_opens_of_many_are_one(void **state);
void late_empty_file_can_be_read(void **state);
void late_layout_reaches_other_processes(void **state);
void late_layouts_of_many_are_one(void **state);
void late_truncate_brings_no_layout(void **state);
void late_unlinked_file_stays_without_a_layout(void **state);
void late_unseen_write_brings_the_default(void **state);
void late_unseen_create_has_the_default(void **state);
void late_inherited_descriptor_is_known(void **state);
void late_reused_descriptor_is_looked_at(void **state);

/* test_standin_clients.c: several of them */
void late_plain_open_of_another_client_does(void **state);
void late_open_of_every_process_its_own_client_does(void **state);
void late_layout_reaches_other_clients_late(void **state);

/* test_standin_default.c: the default layouts of directories */
void default_is_none_at_first(void **state);
void default_plain(void **state);
void default_pool(void **state);
void default_composite(void **state);
void default_of_the_root(void **state);
void default_is_for_plain_opens_of_late_files(void **state);
void default_can_be_given_to_late_files(void **state);
void default_is_checked_and_replaced(void **state);
void composite_is_set_on_files(void **state);

#endif /* TEST_STANDIN_H */
