#!/bin/sh
# romio_autotune_record: one line for a file, true numbers, and no harm where it
# cannot be written.
. "${top_srcdir:?}/test/lib.sh"

bin=$top_builddir/test/driver
ranks=4
bytes=$((40000 * ranks))

# run FS RECORD [FILE]
run()
{
    rm -rf "$scratch/d" && mkdir "$scratch/d"
    over "$1" check_mpi "$1, record $(basename "$2")" $ranks "$bin/record" "$scratch/d" "$1" \
        "${3:-file}" "$2" > "$scratch/tap"
    grep -v '^# status' "$scratch/tap"
}

# has TEXT: the record is one line with TEXT
has()
{
    [ "$(wc -l < "$scratch/record")" -eq 1 ] && grep -F "$1" "$scratch/record" ||
        { cat "$scratch/record"; return 1; }
}

for fs in ufs nfs gpfs lustre; do
    rm -f "$scratch/record"
    run $fs "$scratch/record"
    sed "s/^/# /" "$scratch/record"
    check "$fs: the file is named" has "\"file\":\"$scratch/d/file\""
    check "$fs: so is the driver" has "\"wrapped\":\"$fs\",\"status\":\""
    check "$fs: ranks" has "\"ranks\":$ranks"
    check "$fs: calls" has '"read":{"calls":1,'
    check "$fs: more calls" has '"write":{"calls":2,'
    check "$fs: bytes" grep -Eq "\"read\":\{[^}]*\"bytes\":$bytes,.*\"write\":\{[^}]*\"bytes\":$bytes," "$scratch/record"
    seconds='"seconds":[0-9.e-]*[1-9][0-9.e-]*,"accesses":[1-9][0-9]*,"bytes":[0-9]*,"storage_seconds":[0-9.e-]*[1-9]'
    check "$fs: times" grep -Eq "$seconds.*$seconds" "$scratch/record"
done

rm -f "$scratch/record"
export ROMIO_AUTOTUNE_RECORD=/this/is/overruled/by/the/hint
run ufs "$scratch/record" 'a "quoted" \name'
unset ROMIO_AUTOTUNE_RECORD
check "names are quoted" has '/d/a \"quoted\" \\name"'
run ufs "$scratch/record"
check "records are appended" test "$(wc -l < "$scratch/record")" -eq 2

status_says()
{
    grep "^# status .*; romio_autotune_record=" "$scratch/tap" | grep -F "$1"
}
run ufs /no/such/folder/record
check "a folder that is missing is reported" status_says "/no/such/folder/record: cannot be opened: No such file"
run ufs "$scratch"
check "a record that is a directory is reported" status_says "cannot be opened: Is a directory"

# A program with the rights of another user does not write where the environment says.
obeys_nobody()
{
    mkdir "$scratch/others" && chown 65534:65534 "$scratch/others" && chmod 711 "$scratch" &&
        "$top_builddir/libtool" --mode=execute cp "$bin/record" "$scratch/setuid" &&
        chown 65534:65534 "$scratch/setuid" && chmod u+s "$scratch/setuid" || return 1
    ROMIO_AUTOTUNE_RECORD="$scratch/others/record" "$scratch/setuid" "$scratch/others" ufs file "" || return 1
    [ -s "$scratch/others/file" ] && [ ! -e "$scratch/others/record" ]
}
if [ "$(id -u)" -eq 0 ]; then
    check "a program with another user's rights obeys no variable" obeys_nobody
else
    skip "a program with another user's rights obeys no variable" "only root can make one"
fi
run ufs /dev/full
check "a full disk is not the program's concern" sh -c "! grep '^# status.*ignored' '$scratch/tap'"
done_testing
