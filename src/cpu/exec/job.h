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

#include <atomic>
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
  KernelFunction resident = nullptr;  ///< if set, `total` resident work-groups of this kernel take the place of `body`
  uint32_t patience = 1;              ///< of resident work-groups: how often they look before they let others run
  bool inOrder = false;               ///< no index is begun before all lower ones are
  LaunchState launch{};               ///< of a kernel
  uint64_t total = 0;
  uint32_t maxParticipants = 1;

  // Of the scheduler, under its lock.
  Job *previous = nullptr, *next = nullptr;
  std::atomic<bool> listed{false}; ///< read without the lock as a hint

  /// Host threads that wait for the stream and look whether the job is offered. A thread that stops looking looks once more after it
  /// has decremented this.
  std::atomic<uint32_t> lookers{0};

  alignas(64) std::atomic<uint32_t> participants{0};
  std::atomic<bool> failed{false};

  /// Nothing is left for a thread to begin: all indices are claimed (resident work-groups: executed), or the
  /// job has failed.
  bool isOver() const { return failed.load() || (resident ? ended_.load() == total : openParts_.load() == 0); }

  /// Executes from the front without publishing, while that takes little time in all; nothing if the kernel is known to take long.
  /// Returns how many indices are done now; all if the job has failed.
  uint64_t runAlone(Worker &worker);

  /// To be called before the first participation: what follows the first `done` indices is divided into parts.
  void divide(uint64_t done);

  /// Executes what nobody else does until nothing is left or the worker is called away, as a thread that is counted in
  /// `participants` already. True if the caller was the last participant and nothing is left, so that it owns the stream now.
  bool participate(Worker &worker);

private:
  struct Part;
  class Pace;
  bool workOff(Worker &worker);
  bool workOff(Part &part, Worker &worker, Pace &pace);
  unsigned firstPart() const;
  void fail(Worker &worker, WorkerState &faulted);
  void findWorkItem(Worker &worker, WorkerState &faulted);
  bool participateResident(Worker &worker);
  ResidentGroup *nextGroup(ResidentGroup *&spare);
  void putBack(ResidentGroup &group);

  std::unique_ptr<Part[]> parts_; // as many as there are workers
  unsigned partCount_ = 0;        // in use
  GroupTimes groupTimes_;         // of the owner of the stream

  alignas(64) std::atomic<uint32_t> openParts_{0}; // parts of which something is not claimed

  // Of resident work-groups.
  std::atomic<uint64_t> begun_{0}, ended_{0};                       // work-groups
  Lockable<ResidentGroupList, SpinLock> waiting_{LockRank::cpuJob}; // groups that have begun and that nobody executes
};

} // namespace hiplz::cpu
