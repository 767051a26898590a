// SPDX-License-Identifier: MIT
// A stream's reports to the checks about its records (check/stream_checks.h).
#pragma once
#include "cpu/check/stream_checks.h"
#include "cpu/exec/record.h"

namespace hiplz::cpu {

/// A record, of the command with this number, begins: what it comes after, and which memory it uses unless it is a kernel.
inline void tellChecks(check::StreamChecks &checks, const Record &record, uint64_t command) {
  checks.begins(command);
  for (uint32_t index = 0; index < record.waitCount; ++index)
    record.waits[index]->shared ? checks.waitedForAnything() : checks.waited(record.waits[index]);
  switch (record.op) {
  case Op::copy: {
    const auto &copy = static_cast<const CopyRecord &>(record);
    const check::Region from{copy.from, copy.size};
    return checks.copies({copy.to, copy.size}, &from, copy.submission);
  }
  case Op::copyRegion: {
    const auto &copy = static_cast<const CopyRegionRecord &>(record);
    const check::Region from{copy.from, copy.width, copy.rows, copy.fromPitch, copy.slices, copy.fromSlicePitch};
    return checks.copies({copy.to, copy.width, copy.rows, copy.toPitch, copy.slices, copy.toSlicePitch}, &from,
                         copy.submission);
  }
  case Op::fill: {
    const auto &fill = static_cast<const FillRecord &>(record);
    return checks.copies({fill.to, fill.size}, nullptr, fill.submission);
  }
  case Op::markMemory: {
    const ZeCheckMark &mark = static_cast<const MarkMemoryRecord &>(record).mark;
    const bool begins = mark.kind == ZeCheckMark::Kind::obtained;
    if (begins || mark.kind == ZeCheckMark::Kind::returned)
      checks.lives({mark.begin, mark.bytes}, begins, record.submission);
    return;
  }
  default: return;
  }
}

} // namespace hiplz::cpu
