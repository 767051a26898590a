// SPDX-License-Identifier: MIT
/* hipcc compiles .c files as C, beside those with kernels. */
#include "arguments.h"

#include <stdlib.h>

size_t elementsFromArguments(int count, char **arguments, size_t otherwise) {
  char *end = NULL;
  long long value = count > 1 ? strtoll(arguments[1], &end, 10) : 0;
  return value > 0 && *end == '\0' ? (size_t)value : otherwise;
}
