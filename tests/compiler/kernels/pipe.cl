// SPDX-License-Identifier: MIT
// The CPU device has no pipes.
__kernel void pump(read_only pipe int from, __global int *out) { read_pipe(from, out); }
