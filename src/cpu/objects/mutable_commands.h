// SPDX-License-Identifier: MIT
// Commands of a regular list that may be changed between its executions (mutable command lists of specification 1.9). A launch
// keeps a kernel of its own, whose state is written into the record again when it has changed.
#pragma once
#include "cpu/exec/record.h"
#include "cpu/objects/kernel.h"

#include <map>
#include <memory>
#include <vector>

namespace hiplz::cpu {

/// The parts of a command that may change: ze_mutable_command_exp_flags_t.
enum MutableFlag : uint32_t {
  kMutableArguments = 1 << 0,
  kMutableGroupCount = 1 << 1,
  kMutableGroupSize = 1 << 2,
  kMutableGlobalOffset = 1 << 3,
  kMutableSignal = 1 << 4,
  kMutableWaits = 1 << 5,
  kMutableKernel = 1 << 6,
};
constexpr uint32_t kMutableFlags = 0x7f;

/// Of one list; used like the list by one thread at a time, and not while it executes.
class MutableCommands {
public:
  struct Command {
    uint32_t flags = 0;
    Record *record = nullptr;         ///< null until it has been appended
    std::unique_ptr<Kernel> kernel;   ///< of a launch: its state
    std::vector<Kernel *> candidates; ///< what `kernel` may be replaced with
  };

  /// The identifier of the command that is appended next.
  uint64_t announce(uint32_t flags, std::vector<Kernel *> candidates);

  /// The command of an identifier. Throws Error(INVALID_ARGUMENT) if there is none, or it was not announced with all these
  /// flags.
  Command &find(uint64_t id, uint32_t flags);

  /// Writes a launch's kernel into its record. Throws Error if the kernel cannot be launched.
  static void rewrite(Command &command);

  // For the list, while it is appended to.
  void noteCommand(Record &record);
  void noteLaunch(LaunchRecord &record, const Kernel &kernel);
  /// How many bytes of arguments the next launch needs, whatever it becomes.
  size_t argumentBytes(const KernelInfo &info) const;

private:
  std::map<uint64_t, Command> commands_;
  uint64_t last_ = 0;
  bool isAnnounced_ = false; // the last one
};

} // namespace hiplz::cpu
