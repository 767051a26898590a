// SPDX-License-Identifier: MIT
// The names, parameters and variables of the kernels in the tests with the fake Level Zero. What they do there is in failures.cpp.
global int deviceValue;

kernel void addTo(global int *out, global const int *in, int value, int count) {}
kernel void readValue(global int *out) { *out = deviceValue; }
