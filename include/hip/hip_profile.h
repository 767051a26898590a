// SPDX-License-Identifier: MIT
// Markers for profilers. They have no effect, as in every HIP since 5.0; code that sets them compiles.
#ifndef HIPLZ_HIP_PROFILE_H
#define HIPLZ_HIP_PROFILE_H

#define HIP_SCOPED_MARKER(markerName, group)
#define HIP_BEGIN_MARKER(markerName, group)
#define HIP_END_MARKER()

#endif
