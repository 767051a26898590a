// SPDX-License-Identifier: MIT
// The objects of the fake Level Zero, and the table of those that are alive. One lock guards all of it.
#pragma once
#include "fake.h"

#include <condition_variable>
#include <deque>
#include <memory>
#include <mutex>

namespace fake_ze {

/// Its address is its handle. Dead objects keep theirs, so that no other object gets it.
struct Object {
  explicit Object(const char *kind) : kind(kind) {}
  Object(const Object &) = delete;
  Object &operator=(const Object &) = delete;
  virtual ~Object() = default;
  const char *kind;
};

struct State {
  std::mutex mutex;
  std::condition_variable changed;
  std::map<const void *, Object *> alive;
  std::deque<std::unique_ptr<Object>> all;
  std::vector<std::string> mistakes;
};
State &state();

/// The function of Level Zero that this thread is in.
extern thread_local const char *currentCall;

void noteMistake(const std::string &what);

/// The methods called ...Locked are for threads that have locked state().mutex.
template <class Kind, class... Arguments> Kind &makeLocked(Arguments &&...arguments) {
  auto object = std::make_unique<Kind>(std::forward<Arguments>(arguments)...);
  Kind &made = *object;
  state().all.push_back(std::move(object));
  state().alive[&made] = &made;
  return made;
}

/// The object behind a handle; a mistake and null if there is none.
template <class Kind> Kind *findLocked(const void *handle) {
  const auto found = state().alive.find(handle);
  Kind *object = found == state().alive.end() ? nullptr : dynamic_cast<Kind *>(found->second);
  if (!object)
    noteMistake("there is no such object");
  return object;
}

/// The object dies.
void buryLocked(Object &object);

template <class Kind> Kind *begin(std::unique_lock<std::mutex> &lock, const void *handle) {
  lock = std::unique_lock(state().mutex);
  return findLocked<Kind>(handle);
}

/// A function that destroys an object: `look` is called before it goes, with the lock.
template <class Kind, class Look> ze_result_t destroy(const void *handle, Look look) {
  std::unique_lock<std::mutex> lock;
  Kind *object = begin<Kind>(lock, handle);
  if (!object)
    return ZE_RESULT_ERROR_INVALID_NULL_HANDLE;
  look(*object);
  buryLocked(*object);
  return ZE_RESULT_SUCCESS;
}
template <class Kind> ze_result_t destroy(const void *handle) {
  return destroy<Kind>(handle, [](Kind &) {});
}

struct Context : Object {
  Context() : Object("context") {}
};

struct EventPool : Object {
  EventPool(uint32_t count, bool timed, const char *kind) : Object(kind), taken(count), timed(timed) {}
  std::vector<bool> taken;
  bool timed;
};

struct Event : Object {
  Event(EventPool &pool, uint32_t index) : Object("event"), pool(pool), index(index) {}
  EventPool &pool;
  uint32_t index;
  bool signalled = false;
  uint64_t begin = 0, end = 0;
  int users = 0; ///< commands that have not been executed yet
};

struct Command {
  std::vector<Event *> waits;
  Event *signal = nullptr;
  std::function<bool()> run; ///< false: it must be tried again later. Empty: nothing to do.
};

/// Executes commands one after the other.
struct Stream : Object {
  using Object::Object;
  std::deque<Command> pending;
};

struct CommandList : Stream {
  explicit CommandList(bool immediate) : Stream(immediate ? "immediate list" : "list"), immediate(immediate) {}
  bool immediate;
  bool closed = false;
  std::vector<Command> recorded;
  std::map<uint64_t, std::shared_ptr<struct Launched>> changeable; ///< launches by their command numbers
  uint64_t nextNumber = 0;                                         ///< of the launch that is appended next; 0: none
};

struct CommandQueue : Stream {
  CommandQueue() : Stream("queue") {}
};

struct Module : Object {
  Module() : Object("module") {}
  std::vector<uint8_t> code; ///< SPIR-V
  std::map<std::string, std::vector<std::byte>> variables;
};

struct BuildLog : Object {
  BuildLog() : Object("build log") {}
};

struct Kernel : Object {
  Kernel(Module &module, std::string name) : Object("kernel"), module(module), name(std::move(name)) {}
  Module &module;
  std::string name;
  Launch next; ///< what a launch would find now
};

struct Launched {
  std::function<void(const Launch &)> kernel;
  Launch launch;
};

/// Lets everything execute that can.
void progressLocked();
/// Appends a command. `run` may be empty.
ze_result_t append(ze_command_list_handle_t list, ze_event_handle_t signal, uint32_t waitCount,
                   ze_event_handle_t *waits, std::function<bool()> run);

/// A function that is looked for by name: null if the driver has none.
void *extension(const std::string &name);

} // namespace fake_ze

// The functions of Level Zero: each does what `fake_ze::calls` says, unless it is its turn to fail.
#define HIPLZ_ZE(function, names, parameters, given)                                                                   \
  namespace fake_ze::calls {                                                                                           \
  ze_result_t function parameters;                                                                                     \
  }
#include "lz/core/ze_calls.def"
#undef HIPLZ_ZE

namespace fake_ze {
/// True if it is this call's turn to fail; `result` is then what it returns.
bool isTurn(const char *function, ze_result_t &result);
/// True if a call has said that the device is lost.
bool isLost();

/// Leaves nonsense where a call that fails would have put a new handle.
template <class Argument> void spoil(Argument argument) {
  if constexpr (std::is_pointer_v<Argument>) {
    using Place = std::remove_pointer_t<Argument>;
    // Drivers give the log of a build that has failed.
    constexpr bool isLog = std::is_same_v<Place, ze_module_build_log_handle_t>;
    if constexpr (std::is_pointer_v<Place> && !std::is_const_v<Place> && !isLog)
      if (argument)
        *argument = reinterpret_cast<Place>(uintptr_t{0xbad});
  }
}

/// One call: of a function that creates, destroys, or does something else.
template <class Function, class... Arguments>
ze_result_t call(const char *name, Function function, Arguments... arguments) {
  currentCall = name;
  const std::string text = name;
  const auto is = [&](const char *part) { return text.find(part) != text.npos; };
  ze_result_t failure;
  if (!isTurn(name, failure))
    return function(arguments...);
  if (is("Destroy") || is("Release") || is("zeMemFree") || (is("Close") && is("Ipc")))
    function(arguments...);
  else if (is("Create") || is("zeMemAlloc") || is("Open") || is("Reserve"))
    (spoil(arguments), ...);
  return failure;
}
} // namespace fake_ze
