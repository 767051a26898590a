// SPDX-License-Identifier: MIT
// Modules: a loaded program and the devices' view of it. The program stays in memory as long as a module, a kernel or a
// command that is still to be executed needs it.
#pragma once
#include "cpu/objects/object.h"
#include "cpu/program/program.h"

#include <memory>
#include <string>

namespace hiplz::cpu {

class Context;

/// Immutable.
class Module : public Object<Module, ze_module_handle_t> {
public:
  static constexpr uint64_t kKind = 9;
  explicit Module(std::shared_ptr<const Program> program) : program(std::move(program)) {}
  const std::shared_ptr<const Program> program;
};

/// Immutable.
class BuildLog : public Object<BuildLog, ze_module_build_log_handle_t> {
public:
  static constexpr uint64_t kKind = 11;
  explicit BuildLog(std::string text) : text(std::move(text)) {}
  const std::string text;
};

} // namespace hiplz::cpu
