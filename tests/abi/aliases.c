// SPDX-License-Identifier: MIT
/* The names that macros turn into other functions: the entry points of the per-thread default stream, and the functions
   whose structures have changed. */
#define HIP_API_PER_THREAD_DEFAULT_STREAM
#include "check.h"

#include "aliases.inc"
