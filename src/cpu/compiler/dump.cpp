// SPDX-License-Identifier: MIT
#include "cpu/compiler/dump.h"
#include "base/env.h"
#include "base/log.h"

#include <llvm/Support/FileSystem.h>
#include <llvm/Support/raw_ostream.h>

#include <unistd.h>

using namespace llvm;

namespace hiplz::cpu {

Dump::Dump() : folder_(envString(EnvVar::HIPLZ_DUMP)) {
  if (folder_.empty())
    return;
  prefix_ = folder_ + "/cpu-" + std::to_string(::getpid()) + ".";
  sys::fs::create_directories(folder_);
}

void Dump::bytes(const char *name, StringRef content) {
  if (folder_.empty())
    return;
  std::error_code failure;
  raw_fd_ostream stream(prefix_ + std::to_string(stage_++) + "-" + name, failure);
  if (failure)
    HIPLZ_LOG_INFO("HIPLZ_DUMP: nothing can be written to %s: %s", folder_.c_str(), failure.message().c_str());
  else
    stream << content;
}

void Dump::module(const char *name, const Module &module) {
  if (folder_.empty())
    return;
  std::string text;
  raw_string_ostream stream(text);
  module.print(stream, nullptr);
  bytes(name, stream.str());
}

} // namespace hiplz::cpu
