// SPDX-License-Identifier: MIT
/* A pointer of the documented type to each function, and with it a reference to the function's symbol. */
#include "check.h"

#include "prototypes.inc"
