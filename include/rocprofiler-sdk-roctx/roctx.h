/* SPDX-License-Identifier: MIT */
/**
 * @file roctx.h
 * @brief The newer place for <roctracer/roctx.h>. Link with -lrocprofiler-sdk-roctx or -lroctx64, which are one library.
 */
#ifndef HIPLZ_ROCPROFILER_SDK_ROCTX_ROCTX_H
#define HIPLZ_ROCPROFILER_SDK_ROCTX_ROCTX_H

#include "../roctracer/roctx.h"

#endif
