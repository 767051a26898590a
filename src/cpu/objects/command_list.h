// SPDX-License-Identifier: MIT
// Command lists. A regular list writes records into an arena of its own, which queues execute; an immediate list writes
// them straight into its stream. Everything executes in order, which the specification allows and in-order lists demand,
// so barriers and relaxed ordering need nothing.
#pragma once
#include "cpu/check/launches.h"
#include "cpu/check/tools.h"
#include "cpu/exec/stream.h"
#include "cpu/objects/mutable_commands.h"
#include "cpu/objects/object.h"

#include <memory>
#include <span>

namespace hiplz::cpu {

class Context;
class Device;
class Event;
class Kernel;

/// Events of an append call.
struct Events {
  EventState *signal = nullptr;
  std::span<EventState *const> waits;
};

/// One thread at a time may use a list, as the specification says.
class CommandList : public Object<CommandList, ze_command_list_handle_t> {
public:
  static constexpr uint64_t kKind = 5;
  CommandList(Context &context, Device &device, const ze_command_list_desc_t &desc); ///< regular
  CommandList(Context &context, Device &device, const ze_command_queue_desc_t &desc,
              uint32_t maxThreads); ///< immediate
  ~CommandList();

  /// A list that executes what this closed one does; null if this one was not created to be cloned or is not closed.
  std::unique_ptr<CommandList> clone() const;

  bool immediate() const { return stream_; }
  bool isClosed() const { return closed_; }
  /// Throws Error unless this is a closed regular list that a queue, or an immediate list, of the device and the queue group may execute.
  void requireExecutable(const Device &where, uint32_t ordinal) const;
  void close();
  void reset();
  ze_result_t synchronize(uint64_t timeout);

  /// Appends a record that `fill` completes. Throws Error if the list is closed, std::bad_alloc.
  template <class T, class Fill> ze_result_t append(Op op, const Events &events, Fill fill, size_t extraBytes = 0) {
    T &record = arena().append<T>(op, events.signal, static_cast<uint32_t>(events.waits.size()), events.waits.data(),
                                  extraBytes);
    if (check::tools().any()) [[unlikely]]
      record.submission = check::addSubmission();
    fill(record);
    if (mutable_) [[unlikely]]
      mutable_->noteCommand(record);
    return commit(events.signal);
  }
  ze_result_t appendNothing(const Events &events) {
    return append<Record>(Op::none, events, [](Record &) {});
  }
  ze_result_t appendLaunch(Kernel &kernel, const ze_group_count_t &groups, bool cooperative, const Events &events);
  /// Group counts are read at execution, and the command is skipped unless index < *count (null: never skipped).
  ze_result_t appendLaunchIndirect(Kernel &kernel, const ze_group_count_t *groups, const uint32_t *count,
                                   uint32_t index, EventState *timeStart, const Events &events);
  /// Executes closed regular lists as part of this list, which must be immediate.
  ze_result_t appendLists(std::span<CommandList *const> lists, const Events &events);

  /// The commands that may be changed after they have been appended; null unless the list was created for it.
  MutableCommands *mutableCommands() { return mutable_.get(); }
  void makeMutable() { mutable_ = std::make_unique<MutableCommands>(); }
  /// A changed command signals another event from now on; null: none.
  void replaceSignalled(const EventState *before, EventState *now);
  /// The command that is being appended or changed refers to the event; see RecordArena::hold.
  void hold(EventState &state) { (stream_ ? stream_->arena() : *arena_).hold(state); }
  /// Keeps the program of a changed command loaded.
  void keepAlive(const std::shared_ptr<const Program> &program) { arena_->keepAlive(program); }

  Context &context;
  Device &device;
  const ze_command_list_flags_t flags = 0; ///< of a regular list
  const ze_command_queue_desc_t queue =
      {}; ///< of an immediate list as it was created; of a regular one the ordinal counts

private:
  friend void appendExecution(Stream &stream, CommandList &list, std::span<EventState *const> waits);
  RecordArena &arena();
  ze_result_t commit(EventState *signal, uint64_t records = 1);
  LaunchRecord &newLaunch(Kernel &kernel, const Events &events);

  Stream *stream_ = nullptr;     // immediate
  RecordArena *arena_ = nullptr; // regular; shared with its executions
  std::unique_ptr<MutableCommands> mutable_;
  bool closed_ = false;
  bool synchronous_ = false;
};

/// Throws Error(OUT_OF_HOST_MEMORY) if there are no threads to execute what is appended without waiting for it.
void requireThreads();

/// Appends one execution of a closed regular list, which the caller commits. The stream's appending thread.
void appendExecution(Stream &stream, CommandList &list, std::span<EventState *const> waits = {});

} // namespace hiplz::cpu
