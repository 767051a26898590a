// SPDX-License-Identifier: MIT
// The version of the HIP API that these headers declare: 7.2, or 6.4 with -DHIPLZ_HIP_VERSION=6. HIPLZ's own version is in
// hiplz/version.h.
#ifndef HIPLZ_HIP_VERSION_H
#define HIPLZ_HIP_VERSION_H

#ifndef HIPLZ_HIP_VERSION
#define HIPLZ_HIP_VERSION 7
#endif

#if HIPLZ_HIP_VERSION == 7
#define HIP_VERSION_MAJOR 7
#define HIP_VERSION_MINOR 2
#define HIP_VERSION_PATCH 53211
#elif HIPLZ_HIP_VERSION == 6
#define HIP_VERSION_MAJOR 6
#define HIP_VERSION_MINOR 4
#define HIP_VERSION_PATCH 43484
#else
#error "HIPLZ_HIP_VERSION must be 6 or 7"
#endif
#define HIP_VERSION_BUILD_ID 0
#define HIP_VERSION_BUILD_NAME ""
#define HIP_VERSION_GITHASH ""

#define HIP_VERSION (HIP_VERSION_MAJOR * 10000000 + HIP_VERSION_MINOR * 100000 + HIP_VERSION_PATCH)

#endif
