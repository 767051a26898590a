// SPDX-License-Identifier: MIT
// The ring that printf writes into on the device and the host reads, and the records in it. The link-time passes write the
// code that fills it (llvm-passes/printf_runtime.cpp), the runtime prints it (src/lz/module/printf.cpp); both include this file.
#pragma once

#include <stddef.h>
#include <stdint.h>

namespace __hiplz {

/// The module's variable __hiplz_printf has its address. `capacity` bytes of records follow.
struct PrintfRing {
  static constexpr unsigned droppedBits = 40;

  uint64_t tail;     ///< bytes that have ever been reserved
  uint64_t head;     ///< bytes that the host has printed and cleared
  uint64_t capacity; ///< a power of two
  uint64_t
      dropped; ///< calls that were lost; above droppedBits, in units of 8 bytes, the longest record that may wait for
               ///< room, 0 if the host does not read while kernels run
  uint64_t messages; ///< messages in parts that kernels have begun
};
static_assert(sizeof(PrintfRing) == 40 && offsetof(PrintfRing, head) == 8 && offsetof(PrintfRing, capacity) == 16 &&
                  offsetof(PrintfRing, dropped) == 24 && offsetof(PrintfRing, messages) == 32,
              "host and device agree");

/// Before each record: the format and then the arguments follow, each a PrintfItem. The room for a record is zero before.
struct PrintfRecord {
  /// `ready` and `readyError` are complete, for standard output and the error stream. `asking` is complete as well, and the
  /// kernel waits until the host has printed it and `answered`, with the result in the word behind the header; the kernel then
  /// makes it `padding`.
  enum State : uint32_t { writing = 0, ready = 1, padding = 2, readyError = 3, asking = 4, answered = 5 };

  uint32_t bytes; ///< of the whole record, a multiple of 8
  uint32_t state;
};
static_assert(sizeof(PrintfRecord) == 8 && offsetof(PrintfRecord, state) == 4, "host and device agree");

/// Before each argument: a payload follows, padded to 8 bytes. A record that begins with `part` instead of a format has a part of
/// a message (PrintfPart) and is printed with the last one. `word` is 64 bits whose type the format says.
struct PrintfItem {
  enum Kind : uint32_t { integer = 0, real = 1, pointer = 2, string = 3, part = 4, word = 5 };

  uint32_t kind;
  uint32_t bytes; ///< of a string, without the padding; otherwise of the promoted argument, of a real one 4 for a float
};
static_assert(sizeof(PrintfItem) == 8 && offsetof(PrintfItem, bytes) == 4, "host and device agree");

/// The number in an item of the kind `part`, from the high bit down: the error stream, the message, and how many parts of it
/// came before. An integer follows, 1 for the last part, and then the arguments.
struct PrintfPart {
  static constexpr unsigned indexBits = 16, errorBit = 63;
};

} // namespace __hiplz
