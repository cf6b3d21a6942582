## Runs on a real Lustre as a ground.  No MPI.

NIGHTLY += study/lustre/lustre.sh
