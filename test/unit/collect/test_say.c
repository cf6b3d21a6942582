/* What users can cause is bounded in the log, for each of them alone. */

#include "help.h"

#include <stdio.h>
#include <unistd.h>

#include "collect/collector.h"

static int count_lines(FILE *file, const char *with)
{
    char line[256];
    int count = 0;

    rewind(file);
    while (fgets(line, sizeof(line), file) != NULL)
        count += strstr(line, with) != NULL;
    return count;
}

static void test_each_has_ten(void **state)
{
    FILE *said = tmpfile();
    int before = dup(STDERR_FILENO);

    (void) state;
    assert_non_null(said);
    dup2(fileno(said), STDERR_FILENO);
    for (int i = 0; i < 100; i++)
        say_of_user(7, "complaint %d", i);
    for (int i = 0; i < 5; i++)
        say_of_user(8, "complaint %d", i);
    say("the collector's own");
    fflush(stderr);
    dup2(before, STDERR_FILENO);
    close(before);
    assert_int_equal(count_lines(said, "user 7: complaint"), 10);
    assert_int_equal(count_lines(said, "user 8: complaint"), 5);
    assert_int_equal(count_lines(said, "own"), 1);
    fclose(said);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_each_has_ten)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
