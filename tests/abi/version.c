// SPDX-License-Identifier: MIT
/* The version in the header is that of the build: MAJOR, MINOR, PATCH and VERSION come from CMake. */
#include <hiplz/version.h>

_Static_assert(HIPLZ_VERSION_MAJOR == MAJOR && HIPLZ_VERSION_MINOR == MINOR && HIPLZ_VERSION_PATCH == PATCH,
               "hiplz/version.h has the version of the build");
_Static_assert(__builtin_strcmp(HIPLZ_VERSION_STRING, VERSION) == 0, "the string agrees with the numbers");
