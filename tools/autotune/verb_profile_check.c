/* autotune profile check: valid or not, and what looks wrong. */

#include "verb_profile.h"

static void print_line(const profile_file *file)
{
    int measured = 0, operations = 0;

    if (file->points != NULL) {
        for (int i = 0; i < ATM_OPERATION_COUNT; i++)
            for (int k = 0; k < file->points->count; k++)
                if ((int) file->points->at[k].operation == i) {
                    operations++;
                    break;
                }
        printf("%s: valid points: %d of %d operations\n", file->path, file->points->count,
               operations);
        return;
    }
    for (int i = 0; i < ATM_OPERATION_COUNT; i++) {
        operations += atm_profile_uses(file->profile, (atm_operation) i);
        measured += atm_profile_learned(file->profile, (atm_operation) i);
    }
    printf("%s: valid profile%s%s: %d of %d operations measured\n", file->path,
           file->profile->machine.name[0] != '\0' ? " of " : "", file->profile->machine.name,
           measured, operations);
}

int profile_check(char **files, int count)
{
    int code = 0;

    for (int i = 0; i < count; i++) {
        profile_file file;
        char prefix[512];

        if (!profile_file_open(files[i], &file)) {
            code = 2;
            continue;
        }
        print_line(&file);
        fflush(stdout); /* before its warnings */
        snprintf(prefix, sizeof(prefix), "%s: warning: ", files[i]);
        if (file.points != NULL)
            profile_warn_points(file.points, stderr, prefix);
        else
            profile_warn(file.profile, stderr, prefix);
        profile_file_close(&file);
    }
    return code;
}
