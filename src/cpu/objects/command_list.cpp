// SPDX-License-Identifier: MIT
// See command_list.h.
#include "cpu/objects/command_list.h"
#include "cpu/abi/group_count.h"
#include "cpu/exec/counted_event.h"
#include "cpu/exec/scheduler.h"
#include "cpu/objects/command_queue.h"
#include "cpu/objects/context.h"
#include "cpu/objects/device.h"
#include "cpu/objects/kernel.h"

#include <algorithm>

namespace hiplz::cpu {
namespace {
// A stream that has launched from more programs than this lets go of them when it is empty.
constexpr size_t kMaxPrograms = 8;

// A command that signals the event is submitted.
void expect(EventState &state) {
  if (state.counted) [[unlikely]]
    static_cast<CountedState &>(state).expect();
}
} // namespace

void requireThreads() {
  if (!Scheduler::get().ensureThreads()) [[unlikely]]
    throw Error{ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY};
}

CommandList::CommandList(Context &context, Device &device, const ze_command_list_desc_t &desc)
    : context(context), device(device), flags(desc.flags), queue{.ordinal = desc.commandQueueGroupOrdinal},
      arena_(new RecordArena(RecordArena::Use::list)) {}

CommandList::CommandList(Context &context, Device &device, const ze_command_queue_desc_t &desc, uint32_t maxThreads)
    : context(context), device(device), queue(withoutExtensions(desc)),
      stream_(context.createStream(device, desc.priority, maxThreads)),
      synchronous_(desc.mode == ZE_COMMAND_QUEUE_MODE_SYNCHRONOUS) {}

void CommandList::replaceSignalled(const EventState *before, EventState *now) {
  std::vector<EventState *> &all = arena_->signalled; // an event once for each command that signals it
  if (now) {
    all.push_back(now);
    arena_->hold(*now);
    if (now->counted)
      static_cast<CountedState *>(now)->becomeLatest();
  }
  if (auto found = std::find(all.begin(), all.end(), before); before && found != all.end())
    all.erase(found);
}

std::unique_ptr<CommandList> CommandList::clone() const {
  constexpr ze_command_list_flags_t kCloneable = ZE_BIT(4); // ZE_COMMAND_LIST_FLAG_EXP_CLONEABLE
  if (stream_ || !closed_ || mutable_ || !(flags & kCloneable))
    return nullptr;
  ze_command_list_desc_t desc{ZE_STRUCTURE_TYPE_COMMAND_LIST_DESC, nullptr, queue.ordinal, flags};
  auto copy = std::make_unique<CommandList>(context, device, desc);
  copy->arena_->release();
  copy->arena_ = arena_; // records of a closed list are never written
  arena_->retain();
  copy->closed_ = true;
  return copy;
}

CommandList::~CommandList() {
  if (stream_)
    context.destroyStream(stream_);
  else
    arena_->release();
}

RecordArena &CommandList::arena() {
  if (stream_) {
    if (!synchronous_)
      requireThreads();
    return stream_->arena();
  }
  if (closed_)
    throw Error{ZE_RESULT_ERROR_INVALID_ARGUMENT};
  return *arena_;
}

ze_result_t CommandList::commit(EventState *signal, uint64_t records) {
  if (signal && signal->counted) [[unlikely]]
    static_cast<CountedState *>(signal)->becomeLatest();
  if (!stream_) {
    ++arena_->recordCount;
    if (signal)
      arena_->signalled.push_back(signal);
    return ZE_RESULT_SUCCESS;
  }
  if (signal) {
    signal->producer.store(stream_, std::memory_order_relaxed);
    expect(*signal);
  }
  // Commands that are appended to a lost device are not executed, but signal like everything before it. Whether an asynchronous
  // command faults is not known here, so its own fault is never the result of its append, however fast it comes.
  bool lost = stream_->isLost();
  if (synchronous_) {
    stream_->commitAndWait(records);
    lost = stream_->isLost();
  } else {
    stream_->commit(records);
  }
  return lost ? ZE_RESULT_ERROR_DEVICE_LOST : ZE_RESULT_SUCCESS;
}

// An immediate list is never closed, and what it has been given is not taken back; programs that treat all lists alike call
// these functions for it, too.
void CommandList::close() { closed_ = !stream_; }

void CommandList::reset() {
  if (stream_)
    return;
  // Executions that are still under way keep the old records.
  auto *fresh = new RecordArena(RecordArena::Use::list);
  arena_->release();
  arena_ = fresh;
  closed_ = false;
  if (mutable_)
    makeMutable();
}

ze_result_t CommandList::synchronize(uint64_t timeout) {
  if (!stream_)
    throw Error{ZE_RESULT_ERROR_INVALID_ARGUMENT};
  return synchronizeStream(*stream_, Goal{nullptr, stream_, stream_->committed()}, timeout);
}

LaunchRecord &CommandList::newLaunch(Kernel &kernel, const Events &events) {
  if (queue.ordinal == kCopyGroup)
    throw Error{ZE_RESULT_ERROR_INVALID_COMMAND_LIST_TYPE, "the list's queue group executes no kernels"};
  const KernelInfo &info = kernel.info();
  kernel.requireLaunchable();
  RecordArena &records = arena();
  const KernelCode &code = kernel.code();
  if (stream_ && records.programCount() > kMaxPrograms && stream_->isCompleted(stream_->committed()))
    records.dropPrograms();
  records.keepAlive(kernel.program());
  auto &record =
      records.append<LaunchRecord>(Op::launch, events.signal, static_cast<uint32_t>(events.waits.size()),
                                   events.waits.data(), mutable_ ? mutable_->argumentBytes(info) : info.argBlockBytes);
  record.kernel = &code;
  record.info = &info;
  if (check::tools().any()) [[unlikely]]
    record.submission = check::addSubmission();
  kernel.writeLaunch(record.launch, RecordArena::extra(record));
  if (mutable_) [[unlikely]]
    mutable_->noteLaunch(record, kernel);
  return record;
}

ze_result_t CommandList::appendLaunch(Kernel &kernel, const ze_group_count_t &groups, bool cooperative,
                                      const Events &events) {
  const uint32_t count[3] = {groups.groupCountX, groups.groupCountY, groups.groupCountZ};
  const auto total = totalGroups(count);
  if (!total || (cooperative && *total > kernel.maxCooperativeGroups()))
    throw Error{ZE_RESULT_ERROR_INVALID_ARGUMENT};
  LaunchRecord &record = newLaunch(kernel, events);
  std::copy_n(count, 3, record.launch.groupCount);
  record.cooperative = cooperative;
  return commit(events.signal);
}

ze_result_t CommandList::appendLaunchIndirect(Kernel &kernel, const ze_group_count_t *groups, const uint32_t *count,
                                              uint32_t index, EventState *timeStart, const Events &events) {
  LaunchRecord &record = newLaunch(kernel, events);
  record.timeStart = timeStart;
  record.indirect = groups;
  record.indirectCount = count;
  record.indirectIndex = index;
  return commit(events.signal);
}

void appendExecution(Stream &stream, CommandList &list, std::span<EventState *const> waits) {
  auto &record = stream.arena().append<ExecuteListRecord>(Op::executeList, nullptr, static_cast<uint32_t>(waits.size()),
                                                          waits.data());
  record.list = list.arena_;
  list.arena_->retain();
  for (EventState *event : list.arena_->signalled) {
    event->producer.store(&stream, std::memory_order_relaxed);
    expect(*event);
  }
}

void CommandList::requireExecutable(const Device &where, uint32_t ordinal) const {
  if (immediate())
    throw Error{ZE_RESULT_ERROR_INVALID_COMMAND_LIST_TYPE, "an immediate list is executed as it is appended to"};
  if (!isClosed() || &device != &where)
    throw Error{ZE_RESULT_ERROR_INVALID_ARGUMENT, "a list is not closed, or of another device"};
  // The specification wants the same group; a list that only copies may go anywhere.
  if (queue.ordinal != ordinal && queue.ordinal != kCopyGroup)
    throw Error{ZE_RESULT_ERROR_INVALID_COMMAND_LIST_TYPE, "a list for kernels is given to a queue that only copies"};
}

ze_result_t CommandList::appendLists(std::span<CommandList *const> lists, const Events &events) {
  if (!stream_)
    throw Error{ZE_RESULT_ERROR_INVALID_ARGUMENT};
  for (CommandList *list : lists)
    list->requireExecutable(device, queue.ordinal);
  if (!synchronous_)
    requireThreads();
  uint64_t records = 0;
  for (CommandList *list : lists)
    appendExecution(*stream_, *list, records++ == 0 ? events.waits : std::span<EventState *const>());
  if (events.signal) {
    stream_->arena().append<Record>(Op::none, events.signal, 0, nullptr);
    ++records;
  }
  return commit(events.signal, records);
}

} // namespace hiplz::cpu
