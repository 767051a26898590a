// SPDX-License-Identifier: MIT
// Formatting of device printf records on the host, and the walk over records in the ring (hip/spirv/printf_record.h).
// Nothing here touches a device.
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

namespace hiplz {

/// Appends to `out` what C's printf would print for the body of one record: the format string, then the arguments.
/// Malformed bodies and formats give text, never undefined behaviour: a conversion that is unknown, or has no argument of
/// its kind, is printed as it stands. Widths and precisions are limited to 64 Ki. Pure.
void formatPrintfRecord(std::span<const std::byte> body, std::string &out);

/// The same for the words of a message as AMD's compiler sends it (hip/spirv/hostcall_layout.h): the format, terminated and padded
/// with zeros, then a word for each argument, or a string like the format for one that a %s takes.
void formatPrintfWords(std::span<const uint64_t> words, std::string &out);

/// Puts messages together that arrive in parts (__hiplz::PrintfPart). Not thread-safe.
class PrintfMessages {
public:
  enum class Stream { none, output, error };

  /// Appends to `out` the text of a record's body: of a whole message, or of one of which this is the last part. Returns where it
  /// belongs; none after a part that more follow. Messages of which a part was lost are dropped.
  Stream format(std::span<const std::byte> body, std::string &out);

private:
  struct Message {
    uint64_t parts = 0;
    std::vector<std::byte> body; // so far
  };
  std::unordered_map<uint64_t, Message> unfinished_;
};

/// How many of these bytes of the ring's stream, which begin with a record, are finished records and padding. A record
/// that a kernel still waits for is not finished. One that no kernel can have written ends the walk and sets `damaged`.
/// Pure.
size_t finishedPrintfBytes(std::span<const std::byte> stream, bool &damaged);

} // namespace hiplz
