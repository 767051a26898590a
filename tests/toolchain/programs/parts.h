// SPDX-License-Identifier: MIT
// A program in parts: main.hip calls kernels in library.hip and a C function in plain.c.
#pragma once
#ifdef __cplusplus
extern "C"
#endif
    int
    plainC(int value);

#ifdef __cplusplus
/// Runs a kernel that adds `amount` to one number; false if a HIP call fails.
bool addOnDevice(int &value, int amount);
#endif
