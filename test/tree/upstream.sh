#!/bin/sh
# The commit for MPICH's own tree, made in the ROMIO of the MPICH that is built here, with
# our patches taken back; and the test program that it adds.
. "${top_srcdir:?}/test/lib.sh"

make_commit=$top_srcdir/patches/upstream/make-commit
romio=src/mpi/romio
driver=$romio/adio/ad_autotune
tree=$scratch/mpich
export GIT_AUTHOR_NAME='A Person' GIT_AUTHOR_EMAIL=person@example.org
export GIT_COMMITTER_NAME="$GIT_AUTHOR_NAME" GIT_COMMITTER_EMAIL="$GIT_AUTHOR_EMAIL"

# --- the test program, over every wrapped driver

program=$top_builddir/patches/upstream/test/autotune
for fs in ufs nfs gpfs lustre; do
    for ranks in 1 4; do
        mkdir "$scratch/d"
        over $fs check "test/autotune over $fs, $ranks ranks" ends 0 " No Errors" \
            mpi $ranks "$program" -fname "$scratch/d/file"
        check "test/autotune over $fs, $ranks ranks: nothing is left" test -z "$(ls "$scratch/d")"
        rm -r "$scratch/d"
    done
done
# without mpiexec, which may lose the last words of a program that aborts
check "test/autotune: no such folder" ends 1 "MPI_File_open" "$program" -fname "$scratch/none/file"

# --- a tree

pristine()
{
    mkdir -p "$tree/maint" "$tree/$romio" &&
        cp "$MPICH_SOURCE/maint/version.m4" "$tree/maint/" &&
        (cd "$MPICH_SOURCE/$romio" && cp -R adio include mpi-io test Makefile.am configure.ac "$tree/$romio/") &&
        rm -r "${tree:?}/$driver" || return 1
    _patches=$("$make_commit" --show-patches "$tree") || return 1
    for _patch in $(sed '1!G; h; $!d' "$_patches/series"); do
        patch -R -d "$tree" -p1 -F0 -s --no-backup-if-mismatch < "$_patches/$_patch" || return 1
    done
}
check "a tree without the driver" pristine

check "help" ends 0 "usage: make-commit" "$make_commit" --help
check "no tree" ends 2 "one MPICH-TREE is needed" "$make_commit"
check "an unknown option" ends 2 "unknown option --nonsense" "$make_commit" --nonsense "$tree"
check "an option without its value" ends 2 "--output needs a value" "$make_commit" --output
check "a folder that is not there" ends 1 "none: no such folder" "$make_commit" "$scratch/none"
check "not MPICH" ends 1 "not a tree of MPICH's source" "$make_commit" "$scratch"
check "MPICH without git" ends 1 "not a clone of MPICH's git" "$make_commit" "$tree"
check "a patch of a tree without git" ends 0 "new files for MPICH" \
    "$make_commit" --output "$scratch/0001.patch" "$tree"
check "the tree is as it was" test ! -e "$tree/$driver"

# --- the commit

git_tree()
{
    git -C "$tree" -c core.hooksPath=/dev/null "$@"
}
repository()
{
    git init -q "$tree" && git_tree add -A -f && git_tree commit -q -m base && git_tree tag base
}
check "a repository" repository
echo >> "$tree/$romio/configure.ac"
check "changes that are not committed" ends 1 "has changes that are not committed" "$make_commit" "$tree"
git_tree checkout -q -- .
check "a commit" ends 0 "romio: add the autotune driver" "$make_commit" "$tree"
check "it is one" test "$(git_tree rev-list --count base..HEAD)" = 1
check "nothing else has changed" test -z "$(git_tree status --porcelain)"
check "its author" test "$(git_tree log -1 --format='%an <%ae>')" = "A Person <person@example.org>"
check "nobody has signed it off" test -z "$(git_tree log -1 --format=%B | grep -i signed-off-by)"
check "no line of its message is too long" test -z "$(git_tree log -1 --format=%B | grep '.\{76\}')"
check "a second run" ends 1 "has the driver already" "$make_commit" "$tree"

git_tree diff --name-only base HEAD > "$scratch/changed"
git_tree diff --name-only --diff-filter=A base HEAD > "$scratch/new"
check "only files of ROMIO" test -z "$(grep -v "^$romio/" "$scratch/changed")"
check "no file is gone" test -z "$(git_tree diff --name-only --diff-filter=D base HEAD)"
printf '%s\n' 'Copyright (C) by the romio-autotune authors' 'See COPYRIGHT in top-level directory' > "$scratch/notice"
all_have_notice()
{
    while read -r _file; do
        case $_file in */LICENSE) continue ;; esac
        sed -n '2,3s/^[ *#]*//p' "$tree/$_file" | diff "$scratch/notice" - > /dev/null || echo "$_file"
    done < "$scratch/new" > "$scratch/without"
    cat "$scratch/without"
    [ -s "$scratch/new" ] && [ ! -s "$scratch/without" ]
}
check "every new file has the notice" all_have_notice
check "the models' names have the driver's prefix" \
    grep -q '^#define atm_[a-z_]* ADIOI_AUTOTUNE_atm_' "$tree/$driver/atm/atm_embedded.h"
all_listed()
{
    sed 's/^[a-z_]* = //' "$tree/$driver/sources.mk" | tr ' ' '\n' | grep '^adio/' | sort > "$scratch/listed"
    sed -n "s,^$romio/\(adio/ad_autotune/.*\.[ch]\)\$,\1,p" "$scratch/new" | sort | diff "$scratch/listed" -
}
check "every source is listed for automake, and no other" all_listed
check "the test is built" grep -qx 'CTESTS += autotune' "$tree/$romio/test/Makefile.am"

same_tree()
{
    git_tree checkout -q base && git_tree am -q --whitespace=nowarn "$scratch/0001.patch" &&
        [ "$(git_tree rev-parse 'HEAD^{tree}')" = "$(git_tree rev-parse 'made^{tree}')" ]
}
git_tree tag made
check "the patch is the same commit" same_tree
git_tree checkout -q base
check "another holder" ends 0 "new files" \
    "$make_commit" --copyright "Somebody Else" --output "$scratch/else.patch" "$tree"
check "is named" grep -q '^+ \* Copyright (C) by Somebody Else$' "$scratch/else.patch"

# --- what MPICH's maintainers ask for

check "no static function has the driver's prefix" \
    sh -c '! grep -nE "^static [^(]*ADIOI_AUTOTUNE_[a-z_]*\(" "$1"/ad_autotune/*.c' sh "$top_srcdir"
check "nothing is cleaned up in ADIO_End" \
    sh -c '! grep -rnwE "ADIO_(End|Init)" "$1/ad_autotune" "$1/adio"' sh "$top_srcdir"

# --- how newer versions run their tests, by a script of the same form

newer=$(git_tree ls-tree --name-only base "$romio/test/parallel_run.sh.in")
cat > "$tree/$romio/test/parallel_run.sh.in" <<'END'
mpirun="@MPIRUN@"
FILENAME=romio_test
if test "$1" = file_info ; then
   for fs in @FILE_SYSTEM@ ; do
       if [ $fs = "ufs" ] ; then
          $mpirun $1 -u -fname $FILENAME
       fi
    done
else
   $mpirun $1 -fname $FILENAME
fi
END
git_tree add -A && git_tree commit -q -m newer
check "a commit for newer versions" ends 0 "romio: add the autotune driver" "$make_commit" "$tree"
printf '#!/bin/sh\necho "${ROMIO_AUTOTUNE-}: $*"\n' > "$scratch/mpirun"
chmod +x "$scratch/mpirun"
sed "s,@MPIRUN@,$scratch/mpirun,; s/@FILE_SYSTEM@/testfs ufs autotune/" \
    "$tree/$romio/test/parallel_run.sh.in" > "$scratch/parallel_run.sh"
cat > "$scratch/expected" <<'END'
disable: file_info -u -fname romio_test
enable: -np 4 file_info -fname autotune:romio_test
: autotune -fname romio_test
END
{ sh "$scratch/parallel_run.sh" file_info; sh "$scratch/parallel_run.sh" autotune; } > "$scratch/ran" 2>&1
check "file_info and autotune are run" diff "$scratch/expected" "$scratch/ran"
check "the message tells of file_info" sh -c 'git -C "$1" log -1 --format=%B | grep -q file_info' sh "$tree"
[ -n "$newer" ] || check "and did not before" sh -c '! git -C "$1" log -1 --format=%B made | grep -q file_info' sh "$tree"
done_testing
