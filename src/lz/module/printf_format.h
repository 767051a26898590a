// SPDX-License-Identifier: MIT
// Formatting of device printf records on the host, and the walk over records in the ring (hip/spirv/printf_record.h).
// Nothing here touches a device.
#pragma once
#include <cstddef>
#include <span>
#include <string>

namespace hiplz {

/// Appends to `out` what C's printf would print for the body of one record: the format string, then the arguments.
/// Malformed bodies and formats give text, never undefined behaviour: a conversion that is unknown, or has no argument of
/// its kind, is printed as it stands. Widths and precisions are limited to 64 Ki. Pure.
void formatPrintfRecord(std::span<const std::byte> body, std::string &out);

/// How many of these bytes of the ring's stream, which begin with a record, are finished records and padding. A record
/// that a kernel still waits for is not finished. One that no kernel can have written ends the walk and sets `damaged`.
/// Pure.
size_t finishedPrintfBytes(std::span<const std::byte> stream, bool &damaged);

} // namespace hiplz
