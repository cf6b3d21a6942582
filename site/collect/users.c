#include "users.h"

#include <stdlib.h>

#include "collector.h"
#include "common/clock.h"

enum { PATIENCE = 60 }; /* seconds that a user without processes is kept */

typedef struct user {
    struct user *next;
    uid_t uid;
    node *node;
    neighbours *others;
    double left; /* when the last process went; 0: there are some */
} user;

struct users {
    const char *proc, *system, *socket;
    int news;
    user *first;
};

users *users_new(const char *proc, const char *system, const char *socket, int news)
{
    users *u = calloc(1, sizeof(*u));

    if (u != NULL)
        *u = (users){.proc = proc, .system = system, .socket = socket, .news = news};
    return u;
}

void users_free(users *u)
{
    while (u != NULL && u->first != NULL) {
        user *one = u->first;

        u->first = one->next;
        node_free(one->node);
        neighbours_stop(one->others);
        free(one);
    }
    free(u);
}

/* --- one */

/* NULL: there are none. */
static user *find(const users *u, uid_t uid)
{
    user *one = u->first;

    while (one != NULL && one->uid != uid)
        one = one->next;
    return one;
}

/* NULL: no memory. */
static user *make(users *u, uid_t uid)
{
    user *one = calloc(1, sizeof(*one));

    if (one == NULL)
        return NULL;
    one->uid = uid;
    one->others = u->system != NULL ? neighbours_start(u->system, u->socket, uid, u->news) : NULL;
    if (u->system == NULL || one->others != NULL)
        one->node = node_new(uid, u->proc, one->others);
    if (one->node == NULL) {
        neighbours_leave(one->others);
        free(one);
        return NULL;
    }
    one->left = clock_steady();
    one->next = u->first;
    u->first = one;
    return one;
}

const char *users_add(users *u, uid_t uid, pid_t pid, void *owner, node_process **process_p,
                      void **before_p)
{
    user *one = find(u, uid);

    if (one == NULL && (one = make(u, uid)) == NULL)
        return "no memory";
    if (node_count(one->node) >= USERS_VOTES)
        return "too many processes";
    *process_p = node_add(one->node, pid, owner, before_p);
    if (*process_p == NULL)
        return "no such process";
    one->left = 0;
    return NULL;
}

void users_remove(users *u, uid_t uid, node_process *process)
{
    user *one = find(u, uid);

    node_remove(one->node, process);
    if (node_count(one->node) == 0)
        one->left = clock_steady();
}

/* --- all */

/* Files and threads are not made anew for each of many short programs. */
static void forget_idle(users *u)
{
    double now = clock_steady();
    user **at = &u->first;

    while (*at != NULL) {
        user *one = *at;

        if (one->left == 0 || now - one->left < PATIENCE) {
            at = &one->next;
            continue;
        }
        *at = one->next;
        node_free(one->node);
        neighbours_leave(one->others);
        free(one);
    }
}

void users_cycle(users *u, const char *scarce, node_told *told, void *context)
{
    for (user *one = u->first; one != NULL; one = one->next)
        node_cycle(one->node, scarce, told, context);
    forget_idle(u);
}

void users_see(users *u, const char *scarce, node_told *told, void *context)
{
    for (user *one = u->first; one != NULL; one = one->next)
        node_see(one->node, scarce, told, context);
}

void users_put(const users *u, uid_t who, atm_value *object)
{
    const user *own = find(u, who);
    atm_value *array;

    node_put(own != NULL ? own->node : NULL, object);
    if (who != 0)
        return;
    array = atm_put_array(object, "users");
    for (const user *one = u->first; one != NULL; one = one->next) {
        atm_value *of_one = atm_put_object(array, NULL);

        atm_put_integer(of_one, "user", one->uid);
        node_put(one->node, of_one);
    }
}
