// SPDX-License-Identifier: MIT
// The numbers of the API's functions.
#pragma once
#include <hip/amd_detail/hip_prof_str.h>

#include <string_view>

namespace hiplz {

/// The name of the function with this number; "unknown" if there is none.
const char *apiName(uint32_t id) noexcept;

/// The number of a function; HIP_API_ID_NONE for one that has none.
hip_api_id_t apiId(std::string_view name) noexcept;

} // namespace hiplz
