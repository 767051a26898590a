// SPDX-License-Identifier: MIT
// See mutable_commands.h.
#include "cpu/objects/mutable_commands.h"
#include "cpu/exec/record_arena.h"

#include <algorithm>

namespace hiplz::cpu {

uint64_t MutableCommands::announce(uint32_t flags, std::vector<Kernel *> candidates) {
  // Asked again before a command was appended, the identifier is the same.
  if (!isAnnounced_)
    ++last_;
  isAnnounced_ = true;
  Command &command = commands_[last_];
  command.flags = flags;
  command.candidates = std::move(candidates);
  return last_;
}

MutableCommands::Command &MutableCommands::find(uint64_t id, uint32_t flags) {
  auto found = commands_.find(id);
  if (found == commands_.end() || !found->second.record)
    throw Error{ZE_RESULT_ERROR_INVALID_ARGUMENT, "no command of the list has this identifier"};
  if ((found->second.flags & flags) != flags)
    throw Error{ZE_RESULT_ERROR_INVALID_ARGUMENT, "the command was not announced to change like this"};
  return found->second;
}

void MutableCommands::rewrite(Command &command) {
  auto &record = static_cast<LaunchRecord &>(*command.record);
  command.kernel->requireLaunchable();
  record.kernel = &command.kernel->code();
  command.kernel->writeLaunch(record.launch, RecordArena::extra(record));
}

void MutableCommands::noteCommand(Record &record) {
  if (!isAnnounced_)
    return;
  isAnnounced_ = false;
  commands_[last_].record = &record;
}

void MutableCommands::noteLaunch(LaunchRecord &record, const Kernel &kernel) {
  if (!isAnnounced_)
    return;
  noteCommand(record);
  commands_[last_].kernel = kernel.clone();
}

size_t MutableCommands::argumentBytes(const KernelInfo &info) const {
  size_t bytes = info.argBlockBytes;
  if (isAnnounced_)
    for (const Kernel *candidate : commands_.at(last_).candidates)
      bytes = std::max<size_t>(bytes, candidate->info().argBlockBytes);
  return bytes;
}

} // namespace hiplz::cpu
