// SPDX-License-Identifier: MIT
// Modules: a loaded program and the devices' view of it. The program stays in memory as long as a module, a kernel or a
// command that is still to be executed needs it.
#pragma once
#include "base/lockable.h"
#include "cpu/objects/object.h"
#include "cpu/program/program.h"

#include <memory>
#include <string>
#include <vector>

namespace hiplz::cpu {

class Context;

/// Linking gives it another program, once. Every method may be called by any thread.
class Module : public Object<Module, ze_module_handle_t> {
public:
  static constexpr uint64_t kKind = 9;
  explicit Module(std::shared_ptr<const Program> program)
      : kernelNames_(namesOf(*program)), program_(LockRank::cpuModule, std::move(program)) {}

  /// The names live as long as the module, whatever program it has.
  const std::vector<std::string> &kernelNames() const { return kernelNames_; }
  std::shared_ptr<const Program> program() const { return *program_.lock(); }
  void setProgram(std::shared_ptr<const Program> program) { *program_.lock() = std::move(program); }

private:
  static std::vector<std::string> namesOf(const Program &program) {
    std::vector<std::string> names;
    for (const KernelInfo &kernel : program.kernels())
      names.push_back(kernel.name);
    return names;
  }

  const std::vector<std::string> kernelNames_;
  mutable Lockable<std::shared_ptr<const Program>> program_;
};

/// The messages of building a module and, as kernels are compiled later, those of compiling them so far. Immutable.
class BuildLog : public Object<BuildLog, ze_module_build_log_handle_t> {
public:
  static constexpr uint64_t kKind = 11;
  BuildLog(std::string text, std::shared_ptr<const BuildMessages> later)
      : text_(std::move(text)), later_(std::move(later)) {}
  std::string text() const { return later_ ? text_ + later_->text() : text_; }

private:
  const std::string text_;
  const std::shared_ptr<const BuildMessages> later_; // null: nothing follows
};

} // namespace hiplz::cpu
