/*
 *     ROMIO_AUTOTUNE_WATCH=record,readahead:after=4:ahead=2,spool:dir=/scratch/me:limit=1G
 *
 * Entries are separated by commas or ends of lines, the words of an entry by colons or blanks.  The
 * first word is a module, "spool" or "collect".  In a file, # begins a comment.
 */

#include "config.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "modules.h"

enum { FILE_BYTES = 1 << 16, WORD = 4096, LEAST_RING = 64, MOST_RING = 1 << 20 };

typedef struct parser {
    const char *source;
    void (*complain)(const char *);
    atw_config *config;
    const atw_module *module; /* of the entry; NULL: none */
    void (*set)(const struct parser *, const char *word, const char *key, const char *value);
} parser;

static void wrong(const parser *p, const char *what, const char *problem)
{
    char sentence[512], names[256];

    atw_module_names(names, sizeof(names));
    snprintf(sentence, sizeof(sentence), "%s: %.200s: %s%s", p->source, what, problem,
             strstr(problem, "one of") != NULL ? names : "");
    p->complain(sentence);
}

/* --- values */

bool atw_config_number(const char *text, uint64_t *number_p)
{
    static const char units[] = "KMGT";
    const char *unit;
    char *end;
    unsigned long long number;
    unsigned shift = 0;

    if (text[0] < '0' || text[0] > '9')
        return false;
    number = strtoull(text, &end, 10);
    unit = *end != '\0' ? strchr(units, *end) : NULL;
    if (unit != NULL) {
        shift = 10 * (unsigned) (unit - units + 1);
        end++;
    }
    if (*end != '\0' || number > UINT64_MAX >> shift)
        return false;
    *number_p = (uint64_t) number << shift;
    return true;
}

/* Programs have no memory for rings of any size. */
static uint64_t power_of_two(uint64_t number)
{
    uint64_t power = LEAST_RING;

    while (power < number && power < MOST_RING)
        power *= 2;
    return power;
}

static void set_spool(const parser *p, const char *word, const char *key, const char *value)
{
    uint64_t number;

    if (strcmp(key, "dir") == 0) {
        if (value[0] == '/') /* words are shorter than the room */
            snprintf(p->config->folder, sizeof(p->config->folder), "%s", value);
        else
            wrong(p, word, "must be the path of a folder, from the root");
    } else if (strcmp(key, "limit") != 0 && strcmp(key, "buffer") != 0) {
        wrong(p, word, "spool has only dir, limit and buffer");
    } else if (!atw_config_number(value, &number) || number == 0) {
        wrong(p, word, "must be a number greater than 0, such as 4096 or 64M");
    } else if (strcmp(key, "limit") == 0) {
        p->config->limit = number;
    } else {
        p->config->activities = power_of_two(number / sizeof(atw_activity));
    }
}

static void set_collect(const parser *p, const char *word, const char *key, const char *value)
{
    if (strcmp(key, "socket") != 0)
        wrong(p, word, "collect has only socket");
    else if (value[0] != '/' || strlen(value) >= sizeof(p->config->socket))
        wrong(p, word, "must be the path of a socket, from the root, of at most 107 bytes");
    else
        strcpy(p->config->socket, value);
}

/* Whether the module has such a text; if so, it is set. */
static bool set_word(const parser *p, const char *word, const char *key, const char *value)
{
    const atw_word *text = p->module->words;

    while (text != NULL && text->name != NULL && strcmp(text->name, key) != 0)
        text++;
    if (text == NULL || text->name == NULL)
        return false;
    if (value[0] == '\0' || strlen(value) >= text->room)
        wrong(p, word, "must not be empty, or is too long");
    else
        strcpy(text->text, value);
    return true;
}

static void set_option(const parser *p, const char *word, const char *key, const char *value)
{
    const atw_option *option = p->module->options;
    uint64_t number;

    if (set_word(p, word, key, value))
        return;
    while (option != NULL && option->name != NULL && strcmp(option->name, key) != 0)
        option++;
    if (option == NULL || option->name == NULL)
        wrong(p, word, "the module has no such option");
    else if (!atw_config_number(value, &number) || number < option->least || number > option->most)
        wrong(p, word, "not a number, or out of range");
    else
        *option->value = number;
}

/* --- words and entries */

static void begin_entry(parser *p, const char *name)
{
    bool collects = strcmp(name, "collect") == 0, is_spool = strcmp(name, "spool") == 0;

    p->module = collects || is_spool ? NULL : atw_module_named(name);
    p->set = collects ? set_collect : is_spool ? set_spool : p->module != NULL ? set_option : NULL;
    p->config->collect = p->config->collect || collects;
    if (p->module != NULL)
        atw_module_use(p->module);
    else if (p->set == NULL && strcmp(name, "off") != 0)
        wrong(p, name, "must be spool, collect, off or one of the modules ");
}

static void take_word(parser *p, char *word, bool is_first)
{
    char *equals = strchr(word, '=');
    char whole[256];

    if (is_first) {
        begin_entry(p, word);
        return;
    }
    snprintf(whole, sizeof(whole), "%.255s", word);
    if (equals == NULL) {
        wrong(p, whole, "must be NAME=VALUE");
        return;
    }
    *equals = '\0';
    if (p->set != NULL)
        p->set(p, whole, word, equals + 1);
}

static void take_entry(parser *p, const char *text, size_t length)
{
    bool is_first = true;

    for (size_t at = 0; at < length;) {
        size_t word = strcspn(text + at, ": \t,\n#");
        char copy[WORD];

        if (word >= length - at)
            word = length - at;
        if (word > 0 && word < sizeof(copy)) {
            memcpy(copy, text + at, word);
            copy[word] = '\0';
            take_word(p, copy, is_first);
            is_first = false;
        }
        at += word + 1;
        if (at <= length && text[at - 1] == '#')
            return;
    }
}

void atw_config_parse(const char *text, const char *source, void (*complain)(const char *),
                      atw_config *config)
{
    parser p = {.source = source, .complain = complain, .config = config};

    while (*text != '\0') {
        bool is_comment = text[strspn(text, " \t")] == '#';
        size_t length = strcspn(text, is_comment ? "\n" : ",\n");

        if (!is_comment)
            take_entry(&p, text, length);
        text += length;
        text += *text != '\0';
    }
}

/* --- where it is from */

static const char *default_folder(void)
{
    const char *folder = secure_getenv("TMPDIR");

    return folder != NULL && folder[0] == '/' ? folder : "/tmp";
}

void atw_config_read(const char *text, void (*complain)(const char *), atw_config *config_p)
{
    static char content[FILE_BYTES];
    char sentence[512];
    ssize_t length;
    int fd;

    *config_p = (atw_config){.limit = UINT64_C(1) << 30, .activities = 1 << 15};
    snprintf(config_p->folder, sizeof(config_p->folder), "%s", default_folder());
    if (text[0] != '/') {
        atw_config_parse(text, "ROMIO_AUTOTUNE_WATCH", complain, config_p);
        return;
    }
    fd = (int) syscall(SYS_openat, AT_FDCWD, text, O_RDONLY | O_CLOEXEC, 0);
    length = fd >= 0 ? syscall(SYS_read, fd, content, sizeof(content) - 1) : -1;
    if (fd >= 0)
        syscall(SYS_close, fd);
    if (length < 0) {
        snprintf(sentence, sizeof(sentence), "%.400s: cannot be read: %m", text);
        complain(sentence);
        return;
    }
    content[length] = '\0';
    atw_config_parse(content, text, complain, config_p);
}
