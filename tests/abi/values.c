// SPDX-License-Identifier: MIT
/* Values of enumerators and macros. */
#include "check.h"

#include "values.inc"
