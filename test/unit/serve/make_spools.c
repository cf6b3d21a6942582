/* Spools for pages: a job of four ranks that write through HDF5 and MPI, and a process whose texts
 * are hostile.
 * usage: make_spools FOLDER */

#include "unit/history/spool_help.h"

enum { RANKS = 4, ROUNDS = 40, BLOCK = 100 * 1024 };
enum call { DWRITE, WRITE_AT, PWRITE, PREAD, OPEN };

static const char calls[] =
    "[[\"H5Dwrite\", \"hdf5\"], [\"MPI_File_write_at\", \"mpi\"], [\"pwrite\", \"posix\"], "
    "[\"pread\", \"posix\"], [\"open\", \"posix\"]]";

static FILE *new_spool(const char *folder, const char *name, uint64_t unique)
{
    char path[4096];
    FILE *file;

    snprintf(path, sizeof(path), "%s/%s", folder, name);
    file = spool_begin(path, unique);
    if (file == NULL)
        exit(1);
    return file;
}

/* --- a job: each round reads and writes a block in MPI's write in HDF5's */

static atw_activity *add(atw_activity *at, uint64_t id, uint64_t parent, enum call call,
                         uint64_t start, uint64_t end)
{
    *at = (atw_activity){.id = id,
                         .parent = parent,
                         .start = STARTED + start,
                         .end = STARTED + end,
                         .offset = -1,
                         .file = 1,
                         .call = (uint16_t) call};
    return at;
}

static void put_rounds(FILE *file, int rank)
{
    atw_activity all[4 * ROUNDS], *at = all;

    for (int i = 0; i < ROUNDS; i++) {
        uint64_t id = 1 + 4 * (uint64_t) i, start = (uint64_t) (i * RANKS + rank) * 1000000;
        int64_t offset = (int64_t) (i * RANKS + rank) * BLOCK;
        atw_activity *last;

        last = add(at++, id + 2, id + 1, PREAD, start + 2000, start + 200000);
        last->offset = offset;
        last->bytes = BLOCK;
        last = add(at++, id + 3, id + 1, PWRITE, start + 210000, start + 800000);
        last->offset = offset;
        last->bytes = BLOCK;
        last->error = i == 7 ? 28 : 0;
        last = add(at++, id + 1, id, WRITE_AT, start + 1000, start + 900000);
        last->offset = offset;
        last->bytes = BLOCK;
        add(at++, id, 0, DWRITE, start, start + 950000);
    }
    spool_block(file, ATW_BLOCK_ACTIVITIES, 0, all, sizeof(all));
}

static void put_rank(const char *folder, int rank)
{
    char name[64], text[512];
    FILE *file;

    snprintf(name, sizeof(name), "autotune-node01-%d-1.spool", 100 + rank);
    file = new_spool(folder, name, 100 + (uint64_t) rank);
    snprintf(text, sizeof(text),
             "{\"program\": \"/opt/bin/vpic\", \"arguments\": [\"vpic\"], \"host\": \"node0%d\", "
             "\"user\": \"ada\", \"job\": \"77\", \"rank\": %d, \"ranks\": %d}",
             1 + rank / 2, rank, RANKS);
    spool_text(file, ATW_BLOCK_FACTS, text);
    spool_text(file, ATW_BLOCK_CALLS, calls);
    spool_file(file, 1, "/scratch/field.h5");
    put_rounds(file, rank);
    snprintf(text, sizeof(text),
             "{\"module\": \"histogram\", \"kinds\": [{\"call\": \"pwrite\", \"from_bytes\": 4096, "
             "\"count\": 2000, \"median_ns\": 590000, \"slowest_ns\": 8000000, \"slowest\": 4, "
             "\"very_fast\": 1, \"fast\": 11, \"normal\": 1940, \"slow\": 20, \"very_slow\": %d}], "
             "\"left_out\": 0}",
             rank == 2 ? 28 : 1);
    spool_text(file, ATW_BLOCK_SURVEY, text);
    spool_end(file);
}

/* --- texts that must not come out as they are */

static const char *const names[] = {
    "/scratch/<script>alert(1)</script>",
    "/scratch/\"onmouseover=\"alert(2)\" x=\"",
    "/scratch/two\nlines\r\nX-Header: 1",
    "/scratch/\xff\xfe\xc0\xaf not UTF-8 \xed\xa0\x80 \xef\xbf\xbe",
    "/scratch/'; DROP TABLE file; --",
    "/scratch/%3Cb%3E%00&amp;&lt;",
    "/scratch/\xe2\x80\xaereversed",
    "/scratch/]]><!--<![CDATA[",
    "/scratch/\x1b[31mred\x07",
    "javascript:alert(3)",
    "/scratch/\xc3\xa4\xe2\x82\xac\xf0\x9f\x92\xbe",
};
enum { NAMES = sizeof(names) / sizeof(names[0]) };

static void put_hostile(const char *folder)
{
    FILE *file = new_spool(folder, "autotune-evil-666-1.spool", 666);
    atw_activity all[NAMES + 1];
    char name[4000] = "/scratch/";

    spool_text(file, ATW_BLOCK_FACTS,
               "{\"program\": \"/opt/<img src=x onerror=alert(4)>\", \"arguments\": "
               "[\"</dd><script>alert(5)</script>\"], \"host\": \"<i>host</i>\", \"user\": "
               "\"<u>\", \"job\": \"\\\"><script>alert(6)</script>&x=%3C\", \"rank\": -1, "
               "\"ranks\": 0}");
    spool_text(file, ATW_BLOCK_CALLS, "[[\"<b>pwrite</b>\", \"<layer>\"]]");
    for (uint32_t i = 0; i < NAMES; i++)
        spool_file(file, i + 1, names[i]);
    memset(name + 9, 'x', sizeof(name) - 10);
    spool_file(file, NAMES + 1, name);
    for (uint32_t i = 0; i <= NAMES; i++) {
        add(&all[i], 1 + i, i > 0 ? i : 0, DWRITE, 1000 * i, 1000 * i + 500);
        all[i].file = i + 1;
        all[i].offset = i;
        all[i].bytes = 1;
    }
    spool_block(file, ATW_BLOCK_ACTIVITIES, 0, all, sizeof(all));
    spool_text(file, ATW_BLOCK_SURVEY,
               "{\"module\": \"histogram\", \"kinds\": [{\"call\": \"<script>alert(7)</script>\", "
               "\"from_bytes\": 0, \"count\": 1, \"median_ns\": 0, \"slowest_ns\": 1, "
               "\"slowest\": 1, \"very_fast\": 0, \"fast\": 0, \"normal\": 1, \"slow\": 0, "
               "\"very_slow\": 0}]}");
    spool_text(file, ATW_BLOCK_SURVEY,
               "{\"module\": \"histogram\", \"kinds\": [{}, 3, \"</pre>\"]}");
    spool_text(file, ATW_BLOCK_SURVEY, "{\"module\": \"histogram\", \"kinds\": [{}, 3, \"</pre>\"");
    spool_end(file);
}

int main(int argc, char **argv)
{
    if (argc != 2) {
        fputs("usage: make_spools FOLDER\n", stderr);
        return 2;
    }
    for (int rank = 0; rank < RANKS; rank++)
        put_rank(argv[1], rank);
    put_hostile(argv[1]);
    return 0;
}
