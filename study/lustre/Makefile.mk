## Runs on a real Lustre as a ground.  No MPI.

TESTS += study/lustre/lustre.sh
