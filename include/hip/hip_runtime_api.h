// SPDX-License-Identifier: MIT
// The host API of HIP 7.2, or of HIP 6.4 (hip_version.h), for C (C11) and C++ (C++11 and newer), with any compiler. The chapters are in hip/api.
#ifndef HIPLZ_HIP_RUNTIME_API_H
#define HIPLZ_HIP_RUNTIME_API_H

#include "spirv/user_macros_off.h"

#include <stddef.h>
#include <stdint.h>

#include "hip_common.h"

#include "driver_types.h"
#include "hip_deprecated.h"
#include "hip_texture_types.h"
#include "surface_types.h"

#include "api/array.h"
#include "api/context.h"
#include "api/copy.h"
#include "api/device.h"
#include "api/error.h"
#include "api/event.h"
#include "api/external.h"
#include "api/graph.h"
#include "api/graph_nodes.h"
#include "api/init.h"
#include "api/launch.h"
#include "api/memory.h"
#include "api/memory_pool.h"
#include "api/module.h"
#include "api/occupancy.h"
#include "api/peer.h"
#include "api/profiler.h"
#include "api/stream.h"
#include "api/texture.h"
#include "api/virtual_memory.h"

// New in HIP 7.
#include "api/batch.h"
#include "api/execution_context.h"
#include "api/launch_config.h"
#include "api/library.h"

#include "api/per_thread_stream.h"

#include "spirv/followed_version.h"

#ifdef __cplusplus
#include "api/overloads.h"
#endif

#include "spirv/user_macros_on.h"
#endif
