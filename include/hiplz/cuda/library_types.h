// SPDX-License-Identifier: MIT
// The types that libraries share.
#ifndef __LIBRARY_TYPES_H__
#define __LIBRARY_TYPES_H__

#include "names/library_types.h"
#include <hip/library_types.h>

#endif
