/* The modules, and those in use. */

#include "modules.h"

#include <stdio.h>
#include <string.h>

#include "drain.h"
#include "threads.h"

extern const atw_module atw_module_record;
extern const atw_module atw_module_survey;
extern const atw_module atw_module_readahead;
extern const atw_module atw_module_histogram;
extern const atw_module atw_module_reasoner;
#ifndef ATW_STATIC /* it asks for HDF5's functions by name */
extern const atw_module atw_module_hdf5;
#endif
extern const atw_module atw_module_template;

static const atw_module *const modules[] = {
    &atw_module_record,    &atw_module_survey,   &atw_module_readahead,
    &atw_module_histogram, &atw_module_reasoner, &atw_module_template,
#ifndef ATW_STATIC
    &atw_module_hdf5,
#endif
};

enum { COUNT = sizeof(modules) / sizeof(modules[0]) };

_Static_assert((int) COUNT <= (int) ATW_MODULES, "a thread has a state for each");

static int in_use[COUNT]; /* places in the table */
static int in_use_count;
static const atw_module *preparing; /* there is one that does */

static int place_of(const char *name)
{
    for (int i = 0; i < COUNT; i++)
        if (strcmp(modules[i]->name, name) == 0)
            return i;
    return -1;
}

const atw_module *atw_module_named(const char *name)
{
    int place = place_of(name);

    return place >= 0 ? modules[place] : NULL;
}

void atw_module_names(char *names, size_t room)
{
    size_t length = 0;

    names[0] = '\0';
    for (int i = 0; i < COUNT && length < room; i++)
        length += (size_t) snprintf(names + length, room - length, "%s%s", i > 0 ? ", " : "",
                                    modules[i]->name);
}

void atw_module_use(const atw_module *module)
{
    int place = place_of(module->name);

    if (module->prepare != NULL) {
        preparing = module;
        atw_lists_wanted = true;
    }
    if (module->see == NULL || atw_module_is_used(module))
        return;
    if (module->needs != NULL)
        atw_module_use(module->needs);
    in_use[in_use_count++] = place;
}

bool atw_module_is_used(const atw_module *module)
{
    for (int i = 0; i < in_use_count; i++)
        if (modules[in_use[i]] == module)
            return true;
    return false;
}

bool atw_modules_in_use(void)
{
    return in_use_count > 0;
}

void atw_modules_see(const atw_call *call)
{
    for (int i = 0; i < in_use_count; i++)
        modules[in_use[i]]->see(&call->thread->states[in_use[i]], call);
}

uint64_t atw_modules_tick(uint64_t now)
{
    uint64_t least = 0;

    for (int i = 0; i < in_use_count; i++) {
        const atw_module *module = modules[in_use[i]];
        uint64_t wanted = module->tick != NULL ? module->tick(now) : 0;

        if (wanted > 0 && (least == 0 || wanted < least))
            least = wanted;
    }
    return least;
}

size_t atw_module_states(const atw_module *module, void **states, size_t room)
{
    int place = place_of(module->name);
    size_t count = 0;

    for (atw_thread *thread = atw_threads(); thread != NULL && count < room; thread = thread->next)
        if (thread->states[place] != NULL)
            states[count++] = thread->states[place];
    return count;
}

void atw_modules_prepare(atw_lists *lists)
{
    preparing->prepare(lists);
}

/* --- at the end */

static void tell(int place, atw_text *text)
{
    const atw_module *module = modules[place];
    void *states[1024];
    size_t count = atw_module_states(module, states, 1024);

    if (count == 0)
        return;
    atw_text_say(text, "{");
    atw_text_key(text, "module");
    atw_text_quote(text, module->name, strlen(module->name));
    module->tell(states, count, text);
    atw_text_say(text, "}");
}

void atw_modules_tell(void)
{
    for (int i = 0; i < in_use_count; i++) {
        atw_text text = {.bytes = NULL};

        if (modules[in_use[i]]->tell != NULL)
            tell(in_use[i], &text);
        if (text.length > 0)
            atw_drain_survey(&text);
        atw_text_free(&text);
    }
}
