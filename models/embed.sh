#!/bin/sh
# embed.sh FILE: the bytes of FILE as C source, what files/profile_generic.h declares.
set -eu
test $# -eq 1 && test -r "$1" || { echo "usage: $0 FILE" >&2; exit 2; }
cat << END
/* Made by embed.sh from ${1##*/}. */

#include "files/profile_generic.h"

const char atm_profile_generic_text[] = {
END
# without -v, od would print a * for lines that repeat
od -A n -v -t x1 "$1" | sed "s/ *\([0-9a-f][0-9a-f]\)/'\\\\x\1',/g"
cat << END
};

const size_t atm_profile_generic_length = sizeof(atm_profile_generic_text);
END
