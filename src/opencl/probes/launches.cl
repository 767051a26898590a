// SPDX-License-Identifier: MIT
// A sum that the host sees grow.
kernel void probe(global ulong *out, ulong number) { *(volatile global ulong *)out += number; }
