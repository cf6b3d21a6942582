/* A spool that is sent to a collector, which is played here. */

#include "help.h"

#include <errno.h>
#include <stdio.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "watch/to_collector.h"
#include "watch/spool.h"

TEST_CALLS;

static char folder[] = "/tmp/test_collect.XXXXXX";
static char path[64];
static int listening = -1, served = -1;
static atw_collect c = {.fd = -1};
static atw_spool_head head;

static int listen_there(void **state)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};

    (void) state;
    if (mkdtemp(folder) == NULL)
        return 1;
    snprintf(path, sizeof(path), "%s/socket", folder);
    strcpy(address.sun_path, path);
    listening = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    return bind(listening, (struct sockaddr *) &address, sizeof(address)) != 0 ||
           listen(listening, 8) != 0;
}

static int remove_it(void **state)
{
    (void) state;
    close(listening);
    unlink(path);
    return rmdir(folder);
}

/* Only where nobody else can have put it. */
static void test_safe(void **state)
{
    char link_folder[64], link_socket[80], behind[96], file[80];

    (void) state;
    assert_true(atw_collect_is_safe(path));
    assert_false(atw_collect_is_safe("/tmp/none/of/these"));
    assert_false(atw_collect_is_safe(""));
    chmod(folder, 0720);
    assert_false(atw_collect_is_safe(path));
    chmod(folder, 0702);
    assert_false(atw_collect_is_safe(path));
    chmod(folder, 0700);
    snprintf(link_folder, sizeof(link_folder), "%s.link", folder);
    snprintf(behind, sizeof(behind), "%s/socket", link_folder);
    assert_int_equal(symlink(folder, link_folder), 0);
    assert_false(atw_collect_is_safe(behind));
    unlink(link_folder);
    snprintf(link_socket, sizeof(link_socket), "%s/link", folder);
    assert_int_equal(symlink(path, link_socket), 0);
    assert_false(atw_collect_is_safe(link_socket));
    unlink(link_socket);
    snprintf(file, sizeof(file), "%s/file", folder);
    fclose(fopen(file, "w"));
    assert_false(atw_collect_is_safe(file));
    unlink(file);
    if (geteuid() == 0) {
        assert_int_equal(chown(path, 65534, 65534), 0);
        assert_false(atw_collect_is_safe(path));
        assert_int_equal(chown(path, 0, 0), 0);
        assert_int_equal(chown(folder, 65534, 65534), 0);
        assert_false(atw_collect_is_safe(path));
        assert_int_equal(chown(folder, 0, 0), 0);
    }
    assert_true(atw_collect_is_safe(path));
}

static int connect_it(void **state)
{
    (void) state;
    head = atw_spool_head_new(3, 8);
    if (!atw_collect_open(path, 1 << 30, &head, &c))
        return 1;
    served = accept(listening, NULL, NULL);
    return served < 0;
}

static int close_it(void **state)
{
    (void) state;
    atw_collect_close(&c);
    if (served >= 0)
        close(served);
    return 0;
}

static bool put(const char *text)
{
    return atw_collect_put(&c, ATW_BLOCK_SURVEY, 2, text, strlen(text), NULL, 0);
}

static void say_word(uint32_t what, uint64_t safe, const char *text)
{
    atw_collect_word word = {what, (uint32_t) strlen(text), safe};

    assert_int_equal(send(served, &word, sizeof(word), 0), sizeof(word));
    assert_int_equal(send(served, text, word.bytes, 0), word.bytes);
}

/* --- what is sent */

static void test_stream(void **state)
{
    char bytes[512];
    atw_spool_block block;

    (void) state;
    assert_true(put("12345678"));
    assert_true(atw_collect_put(&c, ATW_BLOCK_FILE, 0, "1234", 4, "abcde", 5));
    assert_true(atw_collect_go_on(&c));
    assert_int_equal(recv(served, bytes, sizeof(bytes), 0), 64 + 24 + 32);
    assert_memory_equal(bytes, &head, sizeof(head));
    memcpy(&block, bytes + 64 + 24, sizeof(block));
    assert_int_equal(block.kind, ATW_BLOCK_FILE);
    assert_int_equal(block.bytes, 9);
    assert_memory_equal(bytes + 64 + 24 + 16, "1234abcde\0\0\0\0\0\0\0", 16);
}

static void test_kept(void **state)
{
    atw_spool_block block;
    const char *content;
    uint64_t at = 0;

    (void) state;
    assert_true(put("12345678") && put("abcdefgh"));
    assert_true(atw_collect_go_on(&c));
    assert_int_equal(atw_collect_sent(&c), 64 + 48);
    say_word(ATW_COLLECT_SPOOL, 0, "/some/where");
    say_word(ATW_COLLECT_SAFE, 64 + 24, "");
    assert_false(atw_collect_wait(&c, 0, 1));
    assert_string_equal(c.path, "/some/where");
    assert_int_equal(c.safe, 64 + 24);
    assert_true(atw_collect_kept(&c, &at, &block, &content));
    assert_int_equal(block.bytes, 8);
    assert_memory_equal(content, "abcdefgh", 8);
    assert_int_equal(at, 64 + 48);
    assert_false(atw_collect_kept(&c, &at, &block, &content));
    say_word(ATW_COLLECT_SAFE, 64 + 48, "");
    assert_true(atw_collect_wait(&c, 0, 1000));
    assert_int_equal(c.length, 0);
    assert_int_equal(c.before, 64 + 48);
}

/* A word in pieces, of which one is safe beyond what was sent. */
static void test_words(void **state)
{
    atw_collect_word word = {ATW_COLLECT_SAFE, 0, 1000};

    (void) state;
    assert_true(put("12345678"));
    assert_true(atw_collect_go_on(&c));
    assert_int_equal(send(served, &word, 5, 0), 5);
    assert_true(atw_collect_go_on(&c));
    assert_int_equal(send(served, (char *) &word + 5, sizeof(word) - 5, 0), sizeof(word) - 5);
    assert_true(atw_collect_go_on(&c));
    assert_int_equal(c.safe, 0);
    word.safe = 64;
    assert_int_equal(send(served, &word, sizeof(word), 0), sizeof(word));
    assert_true(atw_collect_go_on(&c));
    assert_int_equal(c.safe, 64);
    word.bytes = 1 << 30;
    assert_int_equal(send(served, &word, sizeof(word), 0), sizeof(word));
    assert_false(atw_collect_go_on(&c));
    assert_true(c.is_gone);
}

/* --- what goes wrong */

static void test_no_room(void **state)
{
    static char large[1 << 18];
    int blocks = 0;

    (void) state;
    while (blocks < 100 && atw_collect_put(&c, ATW_BLOCK_SURVEY, 0, large, sizeof(large), NULL, 0))
        blocks++;
    assert_int_equal(blocks, ATW_COLLECT_ROOM / sizeof(large) - 1);
    assert_false(c.is_over);
    assert_true(atw_collect_go_on(&c)); /* nobody reads */
    assert_true(c.sent < c.length);
    assert_true(atw_collect_sent(&c) <= c.sent);
    assert_false(atw_collect_wait(&c, sizeof(large) + 64, 5));
}

static void test_limit(void **state)
{
    (void) state;
    c.limit = 64 + 24 + ATW_SPOOL_RESERVE;
    assert_true(put("12345678"));
    assert_false(put("1"));
    assert_true(c.is_over);
    assert_true(atw_collect_put(&c, ATW_BLOCK_END, 0, NULL, 0, NULL, 0));
}

static void test_gone(void **state)
{
    (void) state;
    assert_true(put("12345678"));
    assert_true(atw_collect_go_on(&c));
    say_word(ATW_COLLECT_SAFE, 64, "");
    close(served);
    served = -1;
    assert_false(atw_collect_wait(&c, 0, 1000));
    assert_true(c.is_gone);
    assert_int_equal(c.safe, 64); /* the last word was heard */
}

static void test_full(void **state)
{
    (void) state;
    assert_true(put("12345678"));
    assert_true(atw_collect_go_on(&c));
    say_word(ATW_COLLECT_FULL, 64, "");
    assert_false(atw_collect_go_on(&c));
    assert_true(c.is_full);
    assert_int_equal(c.safe, 64);
}

/* The descriptor is somebody else's now, and is left alone. */
static void test_closed(void **state)
{
    int fd = c.fd;

    (void) state;
    assert_true(put("12345678"));
    assert_int_equal(dup2(STDERR_FILENO, fd), fd);
    assert_false(atw_collect_go_on(&c));
    assert_true(c.is_closed);
    assert_false(c.is_gone);
    assert_int_equal(atw_collect_sent(&c), 0);
    atw_collect_close(&c);
    assert_int_equal(close(fd), 0);
}

static void test_nobody(void **state)
{
    atw_collect other = {.fd = -1};
    char none[128];

    (void) state;
    snprintf(none, sizeof(none), "%s/none", folder);
    assert_false(atw_collect_open(none, 1 << 20, &head, &other));
    assert_int_equal(other.fd, -1);
    memset(none, 'x', sizeof(none) - 1);
    none[sizeof(none) - 1] = '\0';
    assert_false(atw_collect_open(none, 1 << 20, &head, &other));
}

/* More than it takes at a time: connecting does not wait. */
static void test_many(void **state)
{
    static atw_collect many[64];
    int connected = 0;

    (void) state;
    for (int i = 0; i < 64; i++)
        connected += atw_collect_open(path, 1 << 20, &head, &many[i]);
    assert_in_range(connected, 1, 63);
    for (int i = 0; i < 64; i++) {
        atw_collect_close(&many[i]);
        if (many[i].bytes != NULL)
            atw_give_back(many[i].bytes, ATW_COLLECT_ROOM);
    }
    for (int i = 0; i < connected; i++)
        close(accept(listening, NULL, NULL));
}

#define WITH(name) cmocka_unit_test_setup_teardown(name, connect_it, close_it)

int main(void)
{
    const struct CMUnitTest tests[] = {
        WITH(test_stream),
        WITH(test_kept),
        WITH(test_words),
        WITH(test_no_room),
        WITH(test_limit),
        WITH(test_gone),
        WITH(test_full),
        WITH(test_closed),
        cmocka_unit_test(test_safe),
        cmocka_unit_test(test_nobody),
        cmocka_unit_test(test_many),
    };

    return cmocka_run_group_tests(tests, listen_there, remove_it);
}
