// SPDX-License-Identifier: MIT
// Launching, changing and destroying executable graphs.
#include "lz/graph/graph_exec.h"
#include "base/lockable.h"
#include "base/log.h"
#include "lz/core/handle_table.h"
#include "lz/core/owned_objects.h"
#include "lz/device/device.h"
#include "lz/device/device_list.h"
#include "lz/graph/capture.h"
#include "lz/graph/graph_recording.h"
#include "lz/graph/graph_submit.h"
#include "lz/memory/graph_memory.h"
#include "lz/memory/memory.h"
#include "lz/stream/device_queues.h"
#include "lz/stream/serialization.h"

#include <algorithm>
#include <atomic>

namespace hiplz {
namespace {

HandleTable<LZGraphExec> &live() { return HandleTable<LZGraphExec>::ofProcess(); }

// Nodes of two graphs that were created in the same order are counterparts.
bool sameDependencies(const LZGraphNode &a, const LZGraph &aGraph, const LZGraphNode &b, const LZGraph &bGraph) {
  if (a.dependencies().size() != b.dependencies().size())
    return false;
  auto indices = [](const LZGraphNode &node, const LZGraph &graph) {
    std::vector<size_t> found;
    for (size_t i = 0; i < graph.nodes().size(); ++i)
      for (const LZGraphNode *dependency : node.dependencies())
        if (graph.nodes()[i].get() == dependency)
          found.push_back(i);
    return found;
  };
  return indices(a, aGraph) == indices(b, bGraph);
}

} // namespace

/// Every executable graph that has not been deleted, and those of them that only wait for their last launch.
struct LZGraphExec::All {
  struct Lists {
    std::unordered_set<LZGraphExec *> execs;
    std::vector<LZGraphExec *> dying;
  };
  Lockable<Lists> lists{LockRank::graphExecTable};
  std::atomic<bool> anyDying{false}; // whether dying has an element; written under the lock

  static All &instance() {
    static auto *all = new All;
    return *all;
  }
};

LZGraphExec::LZGraphExec(const LZGraph &graph, unsigned long long flags, Use use)
    : flags_(flags), instances_(graph.instances()), graph_(graph.copy(LZGraph::Purpose::execution)),
      lanes_([&]() -> LZDevice & {
        LZDevice *main = mainDeviceOf(graph);
        return main ? *main : *allDevices().front();
      }()) {
  if (use == Use::whole)
    graph_->assignDefaultsFirst();
  makeBodies(*graph_);
  addCounterparts(*graph_);
  instances_->fetch_add(1, std::memory_order_relaxed);
  All::instance().lists.lock()->execs.insert(this);
}

LZGraphExec::~LZGraphExec() {
  lanes_.finishCallbacks(); // they use the recordings
  instances_->fetch_sub(1, std::memory_order_relaxed);
}

void LZGraphExec::addCounterparts(const LZGraph &graph) {
  for (const auto &node : graph.nodes()) {
    counterparts_[node->clonedFrom()] = node.get();
    if (const auto *child = node->as<ChildNode>())
      addCounterparts(*child->graph);
  }
}

// Bodies become executables of their own before anything is locked.
void LZGraphExec::makeBodies(LZGraph &graph) {
  for (const auto &node : graph.nodes())
    if (auto *conditional = node->as<ConditionalNode>())
      for (const auto &body : std::exchange(conditional->bodies, {})) {
        if (body->usesMemory())
          throw HipError(hipErrorNotSupported, "the body of a conditional node cannot allocate or free memory");
        LZGraphExec &exec = make(*body, 0, Use::body, nullptr);
        conditional->executables.emplace_back(&exec, [](LZGraphExec *unused) { destroy(*unused); });
        const std::vector<LZDevice *> printing = exec.printing();
        conditional->printing.insert(conditional->printing.end(), printing.begin(), printing.end());
      }
}

LZGraphExec &LZGraphExec::create(const LZGraph &graph, unsigned long long flags, const LZGraphNode **culprit) {
  return make(graph, flags, Use::whole, culprit);
}

LZGraphExec &LZGraphExec::make(const LZGraph &graph, unsigned long long flags, Use use, const LZGraphNode **culprit) {
  reap();
  if (graph.hasCycle())
    throw HipError(hipErrorInvalidValue, "a graph with a cycle cannot be executed");
  if (graph.usesMemory() && graph.instances()->load(std::memory_order_relaxed) != 0)
    throw HipError(hipErrorNotSupported, "a graph that allocates or frees memory has another executable graph already");
  if (graph.isConditional() && graph.instances()->load(std::memory_order_relaxed) != 0)
    throw HipError(hipErrorNotSupported, "a graph with conditional nodes has another executable graph already");
  auto *exec = new LZGraphExec(graph, flags, use);
  try {
    Lock lock(exec->mutex_);
    exec->recordLocked();
  } catch (...) {
    {
      Lock lock(exec->mutex_);
      if (culprit && exec->culprit_)
        *culprit = graph.nodeWithId(exec->culprit_->clonedFrom());
    }
    abandon(*exec);
    reap();
    throw;
  }
  live().add(*exec);
  if (use == Use::whole)
    OwnedObjects::made("an executable graph", exec);
  return *exec;
}

std::unique_ptr<LZGraph> LZGraphExec::copyGraph(LZGraph::Purpose purpose) {
  Lock lock(mutex_);
  return graph_->copy(purpose);
}

LZGraphExec *LZGraphExec::find(const void *handle) { return live().find(handle); }

bool LZGraphExec::destroy(LZGraphExec &exec) {
  if (!live().remove(exec))
    return false;
  abandon(exec);
  reap();
  return true;
}

void LZGraphExec::abandon(LZGraphExec &exec) {
  All &all = All::instance();
  const auto lists = all.lists.lock();
  lists->dying.push_back(&exec);
  all.anyDying.store(true, std::memory_order_relaxed);
}

// Deletes what was destroyed by the application and has finished since.
void LZGraphExec::reap() {
  All &all = All::instance();
  if (!all.anyDying.load(std::memory_order_relaxed))
    return;
  std::vector<std::unique_ptr<LZGraphExec>> finished; // deleted after the lock is released
  const auto lists = all.lists.lock();
  std::erase_if(lists->dying, [&](LZGraphExec *exec) {
    {
      Lock lock(exec->mutex_);
      if (!isFinished(exec->done_))
        return false;
    }
    lists->execs.erase(exec);
    finished.emplace_back(exec);
    return true;
  });
  all.anyDying.store(!lists->dying.empty(), std::memory_order_relaxed);
}

// A lost device counts as finished.
bool LZGraphExec::isFinished(const LZEventRef &done) { return !done || done.query() != ZE_RESULT_NOT_READY; }

const LZGraphRecording &LZGraphExec::recordLocked() {
  return recordings_.provide(*graph_, disabled_, lanes_, culprit_);
}

hipError_t LZGraphExec::upload() {
  Lock lock(mutex_);
  recordLocked();
  return hipSuccess;
}

// Memory is allocated and freed in the order of submission.
hipError_t LZGraphExec::claimMemoryLocked() {
  const std::vector<LZGraphRecording::MemoryUse> &uses = recordings_.current()->memory();
  if (uses.empty())
    return hipSuccess;
  const bool freesFirst = flags_ & hipGraphInstantiateFlagAutoFreeOnLaunch;
  std::unordered_map<const LZGraphMemory *, bool> used;
  for (const LZGraphRecording::MemoryUse &use : uses) {
    auto [entry, first] = used.try_emplace(use.memory.get(), false);
    if (first)
      entry->second = use.memory->used() && !(use.allocates && freesFirst);
    if (entry->second == use.allocates)
      throw HipError(hipErrorInvalidValue, use.allocates ? "the graph's memory has not been freed since the last launch"
                                                         : "the graph frees memory that is not allocated");
    entry->second = use.allocates;
  }
  for (const LZGraphRecording::MemoryUse &use : uses) {
    if (use.allocates && freesFirst)
      use.memory->setUsed(false);
    use.memory->setUsed(use.allocates);
  }
  return hipSuccess;
}

hipError_t LZGraphExec::launch(LZQueue &stream) {
  reap();
  if (stream.captured()) [[unlikely]]
    return LZCapture::launchGraph(stream, *this);
  hipError_t error;
  if (LZHostcall::anyPrintfBuffer()) [[unlikely]]
    if (const std::vector<LZDevice *> devices = printing(); !devices.empty())
      return withPrinting(stream, devices, [&] { return launchNow(stream); });
  if (const Serialization &serial = Serialization::ofKernels(); serial.any()) [[unlikely]]
    error = serial.around(stream, [&] { return launchNow(stream); });
  else
    error = launchNow(stream);
  return error || !writesPageable() ? error : stream.synchronize();
}

bool LZGraphExec::writesPageable() {
  Lock lock(mutex_);
  const LZGraphRecording *recording = recordings_.current();
  return recording && recording->writesPageable();
}

// Does not reap: forgetModule() may be waiting for this launch with the lock of all executables.
hipError_t LZGraphExec::launchAlone(LZEventRef &done) {
  LZQueue *queue = nullptr;
  {
    Lock lock(mutex_);
    queue = &lanes_.homeQueue();
  }
  if (hipError_t error = launchIn(*queue))
    return error;
  Lock lock(mutex_);
  done = done_;
  return hipSuccess;
}

std::vector<LZDevice *> LZGraphExec::printing() {
  Lock lock(mutex_);
  return recordLocked().printing();
}

// Closed lists go into immediate lists. A queue has none, so the graph is launched beside it, in order with it.
hipError_t LZGraphExec::launchNow(LZQueue &stream) {
  if (!stream.appender().onQueue()) [[likely]]
    return launchIn(stream);
  LZQueue &beside = LZDeviceQueues::of(stream.device()).internalQueue();
  const LZEventRef before = stream.record(false);
  if (hipError_t error = beside.wait(before))
    return error;
  if (hipError_t error = launch(beside))
    return error;
  return stream.wait(beside.record(false));
}

hipError_t LZGraphExec::launchIn(LZQueue &stream) {
  if (hipError_t fault = stream.device().fault())
    return fault;
  Lock lock(mutex_);
  const bool foreign = &stream.device() != &lanes_.main();
  // Recording compiles kernels that nobody has launched before.
  LZPauses::Pause pause;
  if (!recordings_.current() && !foreign)
    pause = stream.beginPause();
  const LZGraphRecording &recording = recordLocked();
  if (pause.before)
    stream.endPause(pause);
  for (const GraphStep &step : recording.steps())
    if (step.event && HandleTable<LZEvent>::ofProcess().find(step.event) != step.event)
      throw HipError(hipErrorInvalidHandle, "the graph uses an event that has been destroyed");
  if (hipError_t error = claimMemoryLocked())
    return error;
  // A stream of another device lets a queue of the right one do it.
  LZQueue &queue = foreign ? lanes_.homeQueue() : stream;
  if (foreign)
    if (hipError_t error = queue.wait(stream.record(false)))
      return error;
  // Whatever the lists wait for is ready before they are submitted.
  hostTasks_.clear();
  hostTasks_.reserve(recording.hostTasks().size());
  for (const LZGraphRecording::HostTask &task : recording.hostTasks()) {
    LZCallbackThread::Task &due =
        hostTasks_.emplace_back(LZCallbackThread::Task{task.arrived, task.done, {}, {}, true});
    if (task.poll)
      due.poll = [&task] { return task.poll(); };
    if (task.function)
      due.function = [&task](hipError_t status) { task.function(status); };
    lanes_.callbacksOf(task.lane).reserve(recording.hostTasks().size());
  }
  if (hipError_t error = submitLocked(queue))
    return error;
  for (size_t index = 0; index < hostTasks_.size(); ++index)
    lanes_.callbacksOf(recording.hostTasks()[index].lane).add(std::move(hostTasks_[index]));
  stream.addPause(std::move(pause));
  return foreign ? stream.wait(done_) : hipSuccess;
}

hipError_t LZGraphExec::submitLocked(LZQueue &queue) {
  const LZEventRef previous = lastQueue_ == queue.id() ? LZEventRef() : done_;
  hipError_t error;
  try {
    error = submitGraph(queue, *recordings_.current(), lanes_, previous, done_);
  } catch (const HipError &failure) {
    error = failure.code();
  } catch (const std::bad_alloc &) {
    error = hipErrorOutOfMemory;
  }
  if (!error)
    error = queue.device().lost();
  if (!error) {
    lastQueue_ = queue.id();
    return hipSuccess;
  }
  // Only a part has been submitted, and it must not wait for the rest.
  recordings_.current()->signalAll();
  if (!queue.device().fault()) {
    done_ = queue.record(false);
    lastQueue_ = queue.id();
    recordings_.outdate(LZGraphRecordings::Change::failure, done_);
  }
  return error;
}

const LZGraphNode *LZGraphExec::counterpart(const LZGraphNode &original) {
  Lock lock(mutex_);
  return counterpartLocked(original);
}

LZGraphNode *LZGraphExec::counterpartLocked(const LZGraphNode &original) {
  auto entry = counterparts_.find(original.id());
  return entry == counterparts_.end() ? nullptr : entry->second;
}

hipError_t LZGraphExec::setContent(const LZGraphNode &original, GraphNodeContent content) {
  Lock lock(mutex_);
  LZGraphNode *node = counterpartLocked(original);
  if (!node)
    return refuse(hipErrorInvalidValue, "the executable graph has no counterpart of the node");
  if (auto *child = std::get_if<ChildNode>(&content)) {
    const auto *present = node->as<ChildNode>();
    const LZGraphNode *culprit = nullptr;
    std::vector<Change> changes;
    if (!present || compare(*present->graph, *child->graph, changes, culprit) != hipGraphExecUpdateSuccess)
      return refuse(hipErrorInvalidValue, "the child graph differs from that of the executable graph");
    applyLocked(changes);
    return hipSuccess;
  }
  if (whyNot(*node, content, node->device()) != hipGraphExecUpdateSuccess)
    throw HipError(hipErrorInvalidValue,
                   "a node of an executable graph cannot change its direction, its device, or the "
                   "size of its rows");
  if (auto *kernel = std::get_if<KernelNode>(&content))
    kernel->attributes = node->as<KernelNode>()->attributes;
  std::vector<Change> change;
  change.push_back({node, std::move(content)});
  applyLocked(change);
  return hipSuccess;
}

hipError_t LZGraphExec::setEnabled(const LZGraphNode &original, bool enabled) {
  Lock lock(mutex_);
  LZGraphNode *node = counterpartLocked(original);
  if (!node || !canBeDisabled(*node))
    return refuse(hipErrorInvalidValue,
                  "the executable graph has no counterpart of the node, or such nodes cannot be disabled");
  if (enabled ? disabled_.erase(node->id()) != 0 : disabled_.insert(node->id()).second)
    recordings_.outdate(LZGraphRecordings::Change::other, done_);
  return hipSuccess;
}

hipError_t LZGraphExec::isEnabled(const LZGraphNode &original, bool &enabled) {
  Lock lock(mutex_);
  LZGraphNode *node = counterpartLocked(original);
  if (!node || !canBeDisabled(*node))
    return refuse(hipErrorInvalidValue,
                  "the executable graph has no counterpart of the node, or such nodes cannot be disabled");
  enabled = !disabled_.contains(node->id());
  return hipSuccess;
}

bool LZGraphExec::canBeDisabled(const LZGraphNode &node) {
  return node.as<KernelNode>() || node.as<CopyNode>() || node.as<FillNode>();
}

// True if a node of an executable graph may get this content.
hipGraphExecUpdateResult LZGraphExec::whyNot(const LZGraphNode &node, const GraphNodeContent &content,
                                             const LZDevice &device) {
  if (node.content().index() != content.index())
    return hipGraphExecUpdateErrorNodeTypeChanged;
  if (&node.device() != &device)
    return node.as<KernelNode>() ? hipGraphExecUpdateErrorUnsupportedFunctionChange
                                 : hipGraphExecUpdateErrorParametersChanged;
  if (const auto *copy = node.as<CopyNode>()) {
    const CopyRegion &present = copy->region, &wanted = std::get<CopyNode>(content).region;
    auto place = [](const CopyEnd &end) {
      const std::optional<Allocation> known = allocationTable().find(end.first());
      return known ? std::pair(known->device, known->kind)
                   : std::pair<LZDevice *, MemoryKind>(nullptr, MemoryKind::host);
    };
    if (present.kind != wanted.kind || place(present.to) != place(wanted.to) ||
        place(present.from) != place(wanted.from))
      return hipGraphExecUpdateErrorParametersChanged;
  }
  if (const auto *fill = node.as<FillNode>()) {
    const FillRegion &present = fill->region, &wanted = std::get<FillNode>(content).region;
    auto home = [](const FillRegion &region) {
      const std::optional<Allocation> known = allocationTable().find(region.to);
      return known ? known->device : nullptr;
    };
    // Rows are as many and as long as they were, or become one.
    const bool linear = wanted.height == 1 && wanted.depth == 1;
    const bool sameBox = present.width * present.elementBytes == wanted.width * wanted.elementBytes &&
                         present.height == wanted.height && present.depth == wanted.depth;
    if (home(present) != home(wanted) || !(linear || sameBox))
      return hipGraphExecUpdateErrorParametersChanged;
  }
  if (node.as<ConditionalNode>())
    return hipGraphExecUpdateErrorNotSupported;
  if (const auto *allocation = node.as<AllocNode>())
    if (allocation->memory != std::get<AllocNode>(content).memory)
      return hipGraphExecUpdateErrorNotSupported;
  if (const auto *release = node.as<FreeNode>())
    if (release->pointer != std::get<FreeNode>(content).pointer)
      return hipGraphExecUpdateErrorNotSupported;
  return hipGraphExecUpdateSuccess;
}

// Collects what the nodes of `present` have to become.
hipGraphExecUpdateResult LZGraphExec::compare(const LZGraph &present, const LZGraph &wanted,
                                              std::vector<Change> &changes, const LZGraphNode *&culprit) {
  if (present.nodes().size() != wanted.nodes().size())
    return hipGraphExecUpdateErrorTopologyChanged;
  for (size_t index = 0; index < wanted.nodes().size(); ++index) {
    LZGraphNode &from = *present.nodes()[index];
    const LZGraphNode &to = *wanted.nodes()[index];
    culprit = &to;
    if (from.content().index() != to.content().index())
      return hipGraphExecUpdateErrorNodeTypeChanged;
    if (!sameDependencies(from, present, to, wanted))
      return hipGraphExecUpdateErrorTopologyChanged;
    if (const auto *child = from.as<ChildNode>()) {
      if (auto result = compare(*child->graph, *to.as<ChildNode>()->graph, changes, culprit))
        return result;
    } else {
      if (auto result = whyNot(from, to.content(), to.device()))
        return result;
      changes.push_back({&from, to.content()});
    }
  }
  culprit = nullptr;
  return hipGraphExecUpdateSuccess;
}

void LZGraphExec::applyLocked(std::vector<Change> &changes) {
  const bool launches = std::all_of(changes.begin(), changes.end(), [](const Change &change) {
    return differInLaunchAtMost(change.node->content(), change.content);
  });
  for (Change &change : changes)
    change.node->content() = std::move(change.content);
  recordings_.outdate(launches ? LZGraphRecordings::Change::launches : LZGraphRecordings::Change::other, done_);
}

hipGraphExecUpdateResult LZGraphExec::update(const LZGraph &graph, const LZGraphNode *&culprit) {
  Lock lock(mutex_);
  std::vector<Change> changes;
  const hipGraphExecUpdateResult result = compare(*graph_, graph, changes, culprit);
  if (result == hipGraphExecUpdateSuccess)
    applyLocked(changes);
  return result;
}

void LZGraphExec::forgetModule(const LZModule &module) noexcept {
  All &all = All::instance();
  const auto lists = all.lists.lock();
  for (LZGraphExec *exec : lists->execs) {
    Lock lock(exec->mutex_);
    if (exec->recordings_.launches(module)) {
      if (exec->done_)
        exec->done_.wait(); // a failure stays with the device
      exec->lanes_.finishCallbacks();
      exec->recordings_.clear();
    }
    exec->lanes_.forgetModule(module); // handles outlive the recordings that were made with them
  }
}

} // namespace hiplz
