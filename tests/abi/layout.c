// SPDX-License-Identifier: MIT
/* What type names stand for, and the layout of records. */
#include "check.h"

#include "layout.inc"
