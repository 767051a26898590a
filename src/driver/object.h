// SPDX-License-Identifier: MIT
// A Level Zero handle is the address of an object whose first word says of which kind it is and that it is alive. Handles
// come from the application, so the word is checked at every call: a null, stale or foreign handle becomes an error code
// instead of a crash, as far as its memory can be read.
#pragma once
#include "base/shortage.h"

#include <cstdint>
#include <level_zero/ze_api.h>

namespace hiplz::driver {

/// Thrown by checks and constructors, turned into the function's result at the API boundary.
struct Error {
  ze_result_t code;
  const char *reason = nullptr; ///< what was wrong, as part of a sentence; a literal. Null: what the code says
};

/// The result for something that the system has refused, with its error number: it is not always memory that is short.
inline ze_result_t shortageResult(int error) {
  return isShortOfHandles(error) ? ZE_RESULT_ERROR_NOT_AVAILABLE : ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY;
}

class ObjectBase {
public:
  /// Makes every existing handle invalid: in a forked child, which has none of the parent's threads.
  static void invalidateAll();
  /// True if that has happened.
  static bool isInvalidated() { return invalidated_; }

  ObjectBase(const ObjectBase &) = delete;
  ObjectBase &operator=(const ObjectBase &) = delete;

protected:
  explicit ObjectBase(uint64_t kind) : magic_(kAlive ^ kind ^ generation_) {}
  ~ObjectBase() { *const_cast<volatile uint64_t *>(&magic_) = 0; }

  /// Throws if `handle` does not refer to a living object of this kind.
  static void check(const void *handle, uint64_t kind) {
    if (!handle || reinterpret_cast<uintptr_t>(handle) % alignof(ObjectBase) != 0 ||
        static_cast<const ObjectBase *>(handle)->magic_ != (kAlive ^ kind ^ generation_)) [[unlikely]]
      reject(handle);
  }

private:
  static constexpr uint64_t kAlive = 0x6869'706c'7a5f'7a65; // "hiplz_ze"
  [[noreturn]] static void reject(const void *handle);
  static uint64_t generation_;
  static bool invalidated_;

  uint64_t magic_;
};

/// Base of every object `T` that the application holds as a `HandleType`.
template <class T, class HandleType> class Object : public ObjectBase {
public:
  using Handle = HandleType;

  /// The object of a handle. Throws Error: null handle, or not a living object of this kind.
  static T &from(HandleType handle) {
    check(handle, T::kKind);
    return *static_cast<T *>(reinterpret_cast<Object *>(handle));
  }
  HandleType handle() { return reinterpret_cast<HandleType>(static_cast<Object *>(this)); }

protected:
  Object() : ObjectBase(T::kKind) {}
};

} // namespace hiplz::driver
