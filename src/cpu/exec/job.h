// SPDX-License-Identifier: MIT
// One command that several threads execute together: a kernel's work-groups or the pieces of a large copy. A job is a range of
// indices, divided into parts, one for each worker thread. A participant begins with the part that belongs to the processor it
// runs on, so that the same data come to the same processor in each launch, and pages to the node of memory that uses them; then
// it helps with the others. It claims as many indices at a time as take some microseconds: few claims cost little, and a worker
// that is wanted elsewhere leaves between two of them. The last one to leave goes on with the stream, so no thread ever waits for
// a job on the stream's behalf.
//
// The work-groups of a cooperative kernel wait for each other, so none of them may need a thread of its own to go on. They
// are resident (resident_group.h): a participant executes one until it waits, then another one, first those that have not
// begun. A worker that finds all of them waiting, and other work in the scheduler, leaves for that work and comes back.
//
// So are those of an ordinary launch of a kernel that waits in a loop, if they are as few as a GPU would hold: programs count on
// that, with barriers of their own or work that groups with higher numbers hand down.
//
// Of larger launches, work-groups may wait for those with lower numbers, as on GPUs, which begin them in the order of their numbers
// ("decoupled look-back"). Of a kernel that waits in a loop, a participant claims one work-group at a time, and all of them claim
// from one part: of those that are not done, the first has been begun and waits for nobody.
//
// A job that workers have left may be without participants for a while.
#pragma once
#include "base/lockable.h"
#include "cpu/exec/futex.h"
#include "cpu/exec/group_times.h"
#include "cpu/exec/priority.h"
#include "cpu/exec/resident_group.h"
#include "cpu/exec/worker.h"

#include <cstdint>
#include <memory>

namespace hiplz::cpu {

class Stream;

struct alignas(64) Job {
  /// Executes the indices begin <= i < end. May fault; must not own anything while it does.
  using Body = void (*)(const Job &job, Worker &worker, uint64_t begin, uint64_t end);

  /// Throws std::bad_alloc.
  Job();
  ~Job();

  // Written before the job is published, read-only until the last participant has left.
  Stream *stream = nullptr;
  Priority priority = Priority::normal;
  Body body = nullptr;
  const void *record = nullptr;
  const KernelCode *kernel = nullptr; ///< whose work-groups `body` executes; null if it is not a kernel
  const KernelCode *resident =
      nullptr;           ///< if set, `total` resident work-groups of this kernel take the place of `body`
  uint32_t patience = 1; ///< of resident work-groups: how often they look before they let others run
  bool inOrder = false;  ///< no index is begun before all lower ones are
  LaunchState launch{};  ///< of a kernel
  uint64_t total = 0;
  uint32_t maxParticipants = 1;

  // Of the scheduler, under its lock.
  Job *previous = nullptr, *next = nullptr;
  Atomic<bool> listed{false};  ///< read without the lock as a hint
  Atomic<bool> closing{false}; ///< a participant is about to take the job out of the list

  /// Host threads that wait for the stream and look whether the job is offered. A thread that stops looking looks once more after it
  /// has decremented this.
  Atomic<uint32_t> lookers{0};

  alignas(64) Atomic<uint32_t> participants{0};
  alignas(64) Atomic<bool> failed{false}; ///< read for each claim, so apart from what participants write

  /// Nothing is left for a thread to begin: all indices are claimed (resident work-groups: executed), or the
  /// job has failed.
  bool isOver() const { return failed.load() || (resident ? ended_.load() == total : openGroups_.load() == 0); }

  /// Executes so many indices, as the owner of the stream, with that many threads at most: a small job alone, of others what the
  /// workers leave. True if the caller still owns the stream, and all of them are done; otherwise another thread goes on with it.
  bool execute(Worker &worker, uint64_t indices, uint32_t maxThreads, bool publishAtOnce);

  /// Executes what nobody else does until nothing is left or the worker is called away, as a thread that is counted in
  /// `participants` already. True if the caller was the last participant and nothing is left, so that it owns the stream now.
  bool participate(Worker &worker);

private:
  struct Part;
  struct alignas(64) OpenParts {
    Atomic<uint32_t> count{0};
  };
  class Pace;
  uint64_t runAlone(Worker &worker);
  void divide(uint64_t done);
  Atomic<uint32_t> &openOf(unsigned group) { return group == 0 ? firstOpen_ : openOfOthers_[group - 1].count; }
  bool workOff(Worker &worker);
  bool workOff(unsigned part, Worker &worker, Pace &pace);
  unsigned firstPart() const;
  void fail(Worker &worker, WorkerState &faulted);
  void findWorkItem(Worker &worker, WorkerState &faulted);
  bool participateResident(Worker &worker);
  ResidentGroup *nextGroup(ResidentGroup *&spare);
  void putBack(ResidentGroup &group);

  std::unique_ptr<Part[]> parts_; // as many as there are workers
  unsigned partCount_ = 0;        // in use
  GroupTimes groupTimes_;         // of the owner of the stream

  // Parts of which something is not claimed, counted for each group of neighbouring parts, and groups that have such parts. A hundred
  // participants end their parts at about the same time, and would all write one count that they all read.
  std::unique_ptr<OpenParts[]> openOfOthers_; // groups but the first
  alignas(64) Atomic<uint32_t> openGroups_{0};
  Atomic<uint32_t> firstOpen_{0}; // the only one of a machine with few processors

  // Of resident work-groups.
  Atomic<uint64_t> begun_{0}, ended_{0};                            // work-groups
  Lockable<ResidentGroupList, SpinLock> waiting_{LockRank::cpuJob}; // groups that have begun and that nobody executes
};

} // namespace hiplz::cpu
