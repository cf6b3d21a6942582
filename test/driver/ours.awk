# Reports of valgrind or a sanitizer that concern us: a bad access anywhere, and
# whatever else was done by our own code, which is the first function on the
# stack besides the allocators.  (MPICH's devices send uninitialised padding and
# ROMIO leaks in places; those have our functions further up at most.)
# One bad access is known to be ROMIO's own: its GPFS driver reads srt_off[-1] on
# a rank that receives nothing in a round (ad_gpfs_wrcoll.c:1594).

function finish()
{
    if (report != "" && (ours || bad && !(known && report ~ /READ of size|Invalid read/)))
        printf "%s\n", report
    report = ""
    bad = ours = known = decided = 0
}

{ sub(/^==[0-9]+== ?/, "") }

/^$/ || /^(Direct|Indirect) leak/ || /runtime error:/ { finish() }

{ report = report $0 "\n" }

/Invalid (read|write|free)|ERROR: AddressSanitizer/ { bad = 1 }
/runtime error:/ && /ad_autotune/ { ours = 1 }

!decided && /^ *(at|by) 0x|^ *#[0-9]+ 0x/ && !/alloc|strdup|Strdup/ {
    decided = 1
    ours = /AUTOTUNE|ad_autotune|(atc|atm|sur|counts|place|topology|candidates|where|hostlist|explain)[a-z_]*\.c:/
    known = /ADIOI_W_Exchange_data_alltoallv/
}

END { finish() }
