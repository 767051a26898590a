// SPDX-License-Identifier: MIT
// How the names that an application gives through roctx stand in a trace: records of threads, devices and streams whose text is
// that name, and which say nothing else.
#pragma once
#include <cstdint>

namespace hiplz::prof {

/// trace::Record::name of such a record.
inline constexpr uint32_t kGivenName = UINT32_MAX;

} // namespace hiplz::prof
