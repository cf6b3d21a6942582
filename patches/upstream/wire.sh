# shellcheck shell=sh disable=SC2154
# Sourced by make-commit, which has a folder $made: ROMIO's tests, to which autotune.c is
# added.  Since MPICH 4.3 make runs them through parallel_run.sh, before runtests did.

# runner ROMIO: the script that runs its tests
runner()
{
    if [ -f "$1/test/parallel_run.sh.in" ]; then echo test/parallel_run.sh.in; else echo test/runtests.in; fi
}

# wired_files TREE: what wire_tests changes, below ROMIO
wired_files()
{
    echo test/Makefile.am
    runner "$1/src/mpi/romio"
}

# insert_before FILE START: standard input, before the one line of FILE that starts so
insert_before()
{
    cat > "$made/text"
    awk -v start="$2" -v text="$made/text" '
        index($0, start) == 1 { found++; while ((getline line < text) > 0) print line }
        { print }
        END { exit found != 1 }' "$1" > "$made/file" || fail "${1##*/}: not one line starts with \"$2\""
    cat "$made/file" > "$1"
}

wire_program()
{
    insert_before "$1/test/Makefile.am" 'FTESTS = ' <<'END'
if BUILD_AD_AUTOTUNE
CTESTS += autotune
endif BUILD_AD_AUTOTUNE

END
}

wire_runtests()
{
    insert_before "$1/test/runtests.in" 'if [ @NOF77@ = 0 ]' <<'END'
case " @FILE_SYSTEM@ " in
    *" autotune "*)
        OutTime
        MakeExe autotune
        \rm -f $FILENAME*
        echo '**** Testing autotune.c ****'
        $mpirun -np 4 ./autotune -fname $FILENAME
        CleanExe autotune
        ;;
esac
END
}

# file_info with -u, -b or -l asks for a driver's default hints, which it is this driver's
# business to change, except in mode disable.  Without them it asks that what the user set
# is reported, and that holds in every mode.
wire_parallel_run()
{
    insert_before "$1/test/parallel_run.sh.in" '   for fs in @FILE_SYSTEM@' <<'END'
   # -u, -b and -l ask for defaults; with ROMIO_FSTYPE_FORCE=autotune: there are some in
   # this mode only
   ROMIO_AUTOTUNE=disable
   export ROMIO_AUTOTUNE
END
    insert_before "$1/test/parallel_run.sh.in" '       fi' <<'END'
       elif [ $fs = "autotune" ] ; then
          ROMIO_AUTOTUNE=enable $mpirun -np 4 ${valgrind_opt} $1 -fname autotune:$FILENAME
END
}

# wire_tests ROMIO
wire_tests()
{
    wire_program "$1"
    case $(runner "$1") in
        *parallel_run*) wire_parallel_run "$1" ;;
        *) wire_runtests "$1" ;;
    esac
}

# wired_message ROMIO: what the commit says of the tests that it changes
wired_message()
{
    case $(runner "$1") in
        *parallel_run*) cat <<'END' ;;

test/file_info with -u, -b or -l asks for the default hints of a driver.
make check now runs it so with ROMIO_AUTOTUNE=disable, which matters only
if ROMIO_FSTYPE_FORCE=autotune: is set, and once more through autotune:
with tuning, where it asks that the hints of the user are kept.
END
    esac
}
