# Sourced: the stand-in for Lustre of study/standin, whose calibration holds here too; a rank a node.
# shellcheck shell=sh disable=SC2034 # used by those who source it
ranks=4
nodes=4
osts=12
times=ost:20,node:40,latency:5000,lock:25000
layout=1:1048576
