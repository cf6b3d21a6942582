#!/bin/sh
# Unit tests that need no MPI.
exec env CMOCKA_MESSAGE_OUTPUT=TAP "${top_builddir:?}/test/unit/test_name"
