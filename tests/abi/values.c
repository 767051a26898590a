// SPDX-License-Identifier: MIT
/* Values of enumerators and macros. */
#include "values.inc"
#include "check.h"
