/* Places: who goes when there are too many. */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <arpa/inet.h>
#include <cmocka.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include "serve/places.h"

enum { MOST = PLACES + PLACES_OF_ADDRESS + 1 };

typedef struct guest {
    int ends[2]; /* the server's, and its own */
    place *place;
} guest;

static guest guests[MOST];

static guest come(places *p, const char *from)
{
    struct sockaddr_in four = {.sin_family = AF_INET, .sin_port = 1};
    struct sockaddr_in6 six = {.sin6_family = AF_INET6, .sin6_port = 1};
    guest g;

    assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, g.ends), 0);
    if (inet_pton(AF_INET, from, &four.sin_addr) == 1) {
        g.place = places_take(p, g.ends[0], (struct sockaddr *) &four);
    } else {
        assert_int_equal(inet_pton(AF_INET6, from, &six.sin6_addr), 1);
        g.place = places_take(p, g.ends[0], (struct sockaddr *) &six);
    }
    assert_non_null(g.place);
    return g;
}

static bool is_there(const guest *g)
{
    char byte;

    return recv(g->ends[1], &byte, 1, MSG_DONTWAIT) != 0;
}

static void leave(guest *g)
{
    places_leave(g->place);
    close(g->ends[0]);
    close(g->ends[1]);
}

static void of_one_address(void **state)
{
    places *p = places_new();

    (void) state;
    for (int i = 0; i < PLACES_OF_ADDRESS; i++)
        guests[i] = come(p, "10.0.0.1");
    places_work(guests[0].place, true);
    places_work(guests[1].place, true);
    places_work(guests[1].place, false); /* idle for less long than the others */
    assert_int_equal(send(guests[2].ends[1], "GET", 3, 0), 3); /* nobody had time to read it */
    guests[PLACES_OF_ADDRESS] = come(p, "10.0.0.1");
    guests[PLACES_OF_ADDRESS + 1] = come(p, "10.0.0.2");
    for (int i = 0; i < PLACES_OF_ADDRESS + 2; i++)
        assert_int_equal(is_there(&guests[i]), i != 3);
    for (int i = 0; i < PLACES_OF_ADDRESS + 2; i++)
        leave(&guests[i]);
    places_free(p);
}

/* All of one network, all of one IPv4 address in IPv6, but not all of those. */
static void of_ipv6(void **state)
{
    places *p = places_new();
    char from[64];

    (void) state;
    for (int i = 0; i <= PLACES_OF_ADDRESS; i++) {
        snprintf(from, sizeof(from), "2001:db8::%x", i + 1);
        guests[i] = come(p, from);
    }
    for (int i = 0; i <= PLACES_OF_ADDRESS; i++) {
        assert_int_equal(is_there(&guests[i]), i > 0);
        leave(&guests[i]);
    }
    for (int i = 0; i <= PLACES_OF_ADDRESS; i++) {
        snprintf(from, sizeof(from), "::ffff:10.0.0.%d", i + 1);
        guests[i] = come(p, from);
    }
    for (int i = 0; i <= PLACES_OF_ADDRESS; i++) {
        assert_true(is_there(&guests[i]));
        leave(&guests[i]);
    }
    places_free(p);
}

static void of_all(void **state)
{
    places *p = places_new();
    char from[64];

    (void) state;
    for (int i = 0; i <= PLACES; i++) {
        snprintf(from, sizeof(from), "10.0.%d.1", i / 4);
        guests[i] = come(p, from);
    }
    for (int i = 0; i <= PLACES; i++)
        assert_int_equal(is_there(&guests[i]), i > 0);
    /* nobody can be sent away: the new one goes */
    for (int i = 1; i <= PLACES; i++)
        places_work(guests[i].place, true);
    guests[PLACES + 1] = come(p, "10.1.0.1");
    for (int i = 1; i <= PLACES + 1; i++)
        assert_int_equal(is_there(&guests[i]), i <= PLACES);
    for (int i = 0; i <= PLACES + 1; i++)
        leave(&guests[i]);
    places_free(p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(of_one_address),
        cmocka_unit_test(of_ipv6),
        cmocka_unit_test(of_all),
    };

    return cmocka_run_group_tests_name("places", tests, NULL, NULL);
}
