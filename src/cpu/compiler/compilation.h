// SPDX-License-Identifier: MIT
// One request to the compiler (program/compiler_protocol.h): the order of the stages.
#pragma once
#include "cpu/program/binary_format.h"
#include "cpu/program/compiler_protocol.h"

#include <cstddef>
#include <string>

namespace hiplz::cpu {

struct CompileRequest {
  CompileTask task = CompileTask::module;
  GroupKind kind = GroupShape::rows32;
  CompileHaste haste = CompileHaste::none;
  std::string input, flags, hostKey, kernel;
};

/// Where the answer goes, piece by piece. Pieces that were sent before a crash arrive.
class AnswerSink {
public:
  virtual ~AnswerSink() = default;
  virtual void send(const void *data, size_t size) = 0;
};

/// Sends the answers to the request.
void compile(const CompileRequest &request, AnswerSink &sink);

} // namespace hiplz::cpu
