/* Schema: every version's statements.  @key, @int and @real stand for a database's own words. */

#include "schema.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const version_1[] = {
    "CREATE TABLE history_version (version @int NOT NULL)",

    "CREATE TABLE source (id @key, identity TEXT NOT NULL UNIQUE, name TEXT NOT NULL, "
    "bytes @int NOT NULL, whole @int NOT NULL, imported @real NOT NULL)",

    "CREATE TABLE process (id @key, source @int NOT NULL UNIQUE, host TEXT NOT NULL, "
    "pid @int NOT NULL, uid @int NOT NULL, username TEXT NOT NULL, program TEXT NOT NULL, "
    "arguments TEXT NOT NULL, job TEXT NOT NULL, rank @int NOT NULL, ranks @int NOT NULL, "
    "started @real NOT NULL, monotonic @int NOT NULL, activities @int NOT NULL, "
    "dropped @int NOT NULL, began @int NOT NULL, lasted @int NOT NULL)",
    "CREATE INDEX process_host ON process (host, pid)",

    "CREATE TABLE call (id @key, layer TEXT NOT NULL, name TEXT NOT NULL, UNIQUE (layer, name))",

    "CREATE TABLE file (id @key, path TEXT NOT NULL UNIQUE)",

    "CREATE TABLE use (process @int NOT NULL, file @int NOT NULL, call @int NOT NULL, "
    "activities @int NOT NULL, bytes @int NOT NULL, busy @int NOT NULL, errors @int NOT NULL, "
    "PRIMARY KEY (process, file, call))",
    "CREATE INDEX use_file ON use (file)",

    "CREATE TABLE activity (id @int PRIMARY KEY, number @int NOT NULL, parent @int NOT NULL, "
    "start @int NOT NULL, duration @int NOT NULL, position @int NOT NULL, bytes @int NOT NULL, "
    "file @int NOT NULL, call @int NOT NULL, flags @int NOT NULL, error @int NOT NULL)",

    "CREATE TABLE survey (id @key, process @int NOT NULL, document TEXT NOT NULL)",
    "CREATE INDEX survey_process ON survey (process)",

    "CREATE TABLE record (id @key, identity TEXT NOT NULL UNIQUE, file @int NOT NULL, "
    "program TEXT NOT NULL, username TEXT NOT NULL, host TEXT NOT NULL, pid @int NOT NULL, "
    "job TEXT NOT NULL, wrapped TEXT NOT NULL, status TEXT NOT NULL, ranks @int NOT NULL, "
    "nodes @int NOT NULL, started @real NOT NULL, seconds @real NOT NULL, line TEXT NOT NULL)",
    "CREATE INDEX record_file ON record (file)",
    "CREATE INDEX record_started ON record (started)",

    "CREATE TABLE trial (record @int NOT NULL, writes @int NOT NULL, origin @int NOT NULL, "
    "settings TEXT NOT NULL, calls @int NOT NULL, bytes @real NOT NULL, seconds @real NOT NULL, "
    "predicted @real NOT NULL, PRIMARY KEY (record, writes))",
};

static const char *const version_2[] = {
    "ALTER TABLE trial ADD COLUMN independent @int NOT NULL DEFAULT 0",
};

static const char *const version_3[] = {
    "CREATE TABLE quota (uid @int PRIMARY KEY, bytes @int NOT NULL)",
    "INSERT INTO quota (uid, bytes) " ATH_QUOTA_OF_ALL,
    "ALTER TABLE process ADD COLUMN directory TEXT NOT NULL DEFAULT ''",
};

typedef struct step {
    const char *const *statements;
    int count;
} step;

static const step steps[ATH_SCHEMA_VERSION] = {
    {version_1, sizeof(version_1) / sizeof(version_1[0])},
    {version_2, sizeof(version_2) / sizeof(version_2[0])},
    {version_3, sizeof(version_3) / sizeof(version_3[0])},
};

int ath_schema_statements(int version)
{
    return steps[version - 1].count;
}

char *ath_schema_statement(int version, int index, const char *key, const char *integer,
                           const char *real)
{
    const char *const words[][2] = {{"@key", key}, {"@int", integer}, {"@real", real}};
    const char *from = steps[version - 1].statements[index];
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);

    if (out == NULL)
        return NULL;
    while (*from != '\0') {
        size_t word = 0;

        while (word < 3 && strncmp(from, words[word][0], strlen(words[word][0])) != 0)
            word++;
        if (word < 3) {
            fputs(words[word][1], out);
            from += strlen(words[word][0]);
        } else {
            fputc(*from++, out);
        }
    }
    if (fclose(out) == 0)
        return text;
    free(text);
    return NULL;
}
