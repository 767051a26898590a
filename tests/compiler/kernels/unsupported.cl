// SPDX-License-Identifier: MIT
// A built-in function that the CPU device does not have: kernels that enqueue kernels.
__kernel void ask(__global int *out) { *out = is_valid_event(create_user_event()); }
