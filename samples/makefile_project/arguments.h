// SPDX-License-Identifier: MIT
/* Reading the command line, in C. */
#ifndef ARGUMENTS_H
#define ARGUMENTS_H
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The number in the first argument, or otherwise if there is none or it is no positive number. */
size_t elementsFromArguments(int count, char **arguments, size_t otherwise);

#ifdef __cplusplus
}
#endif
#endif
