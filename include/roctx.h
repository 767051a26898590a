/* SPDX-License-Identifier: MIT */
/**
 * @file roctx.h
 * @brief AMD's other place for <roctracer/roctx.h>.
 */
#ifndef HIPLZ_ROCTX_H
#define HIPLZ_ROCTX_H

#include "roctracer/roctx.h"

#endif
