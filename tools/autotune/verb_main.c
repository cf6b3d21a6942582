/* A verb as a program of its own, which autotune starts: with libraries that no other verb needs.
 * VERB: its function. */

#include "autotune.h"

int main(int argc, char **argv)
{
    return autotune_finish(VERB(argc, argv));
}
