// SPDX-License-Identifier: MIT
// Common to all entry points: the boundary that no exception crosses, checks of pointers, and the protocol of functions
// that return an array whose length the caller asks for first.
#pragma once
#include "driver/last_error.h"
#include "driver/object.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <level_zero/ze_api.h>
#include <new>
#include <string>
#include <vector>

namespace hiplz::driver {

/// Runs the body of an entry point and returns its result, or the code of the Error that it throws. Failures become the
/// calling thread's last error; `function` is the name of the entry point.
template <class Body> ze_result_t guarded(Body body, const char *function = __builtin_FUNCTION()) noexcept {
  try {
    ze_result_t result = body();
    if (result != ZE_RESULT_SUCCESS && result != ZE_RESULT_NOT_READY) [[unlikely]]
      noteError(function, result, nullptr);
    return result;
  } catch (const Error &error) {
    return noteError(function, error.code, error.reason);
  } catch (const std::bad_alloc &) {
    return noteError(function, ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY, nullptr);
  } catch (...) {
    return noteError(function, ZE_RESULT_ERROR_UNKNOWN, nullptr);
  }
}

/// The object behind a pointer argument. Throws Error(INVALID_NULL_POINTER).
template <class T> T &deref(T *pointer) {
  if (!pointer) [[unlikely]]
    throw Error{ZE_RESULT_ERROR_INVALID_NULL_POINTER};
  return *pointer;
}

inline void require(bool condition, ze_result_t otherwise, const char *reason = nullptr) {
  if (!condition) [[unlikely]]
    throw Error{otherwise, reason};
}

/// An entry point that returns one property of an object: what `read` returns goes to *out.
template <class T, class Out, class Read>
ze_result_t tell(typename T::Handle handle, Out *out, Read read, const char *function = __builtin_FUNCTION()) noexcept {
  return guarded(
      [&] {
        T &object = T::from(handle);
        deref(out);
        *out = read(object);
        return ZE_RESULT_SUCCESS;
      },
      function);
}

/// The count and array arguments of a query: calls `write(index, element)` for as many elements as the caller has room
/// for and there are, and reports how many there are.
template <class T, class Write> ze_result_t listInto(uint32_t *count, T *array, size_t available, Write write) {
  uint32_t room = deref(count);
  uint32_t total = static_cast<uint32_t>(available);
  if (room == 0 || room > total)
    *count = total;
  if (array)
    for (uint32_t index = 0; index < std::min(room, total); ++index)
      write(index, array[index]);
  return ZE_RESULT_SUCCESS;
}

/// The size and text arguments of a query: the text with its end, cut to what the caller has room for.
inline ze_result_t stringInto(size_t *size, char *out, const std::string &text) {
  size_t needed = text.size() + 1;
  if (out && deref(size) > 0) {
    size_t copied = std::min(*size, needed);
    std::memcpy(out, text.c_str(), copied);
    out[copied - 1] = '\0';
    *size = copied;
  } else {
    deref(size) = needed;
  }
  return ZE_RESULT_SUCCESS;
}

/// An optional list of handles as objects, checked one by one. A few need no allocation. A contiguous range.
template <class T> class ObjectList {
public:
  ObjectList(uint32_t count, const typename T::Handle *handles) : count_(count) {
    if (count)
      deref(handles);
    if (count > kFew)
      many_.resize(count);
    for (uint32_t index = 0; index < count; ++index)
      data()[index] = &T::from(handles[index]);
  }
  T **data() { return count_ > kFew ? many_.data() : few_; }
  size_t size() const { return count_; }
  T **begin() { return data(); }
  T **end() { return data() + count_; }
  operator std::vector<T *>() { // NOLINT(google-explicit-constructor): the driver's classes take vectors
    return {begin(), end()};
  }

private:
  static constexpr uint32_t kFew = 4;
  uint32_t count_;
  T *few_[kFew];
  std::vector<T *> many_;
};

template <class T> ObjectList<T> objectsFrom(uint32_t count, const typename T::Handle *handles) {
  return ObjectList<T>(count, handles);
}

/// The extension structure of a type in a chain, or null.
template <class T> T *findInChain(void *chain, ze_structure_type_t type) {
  struct Head {
    ze_structure_type_t type;
    void *next;
  };
  for (auto *head = static_cast<Head *>(chain); head; head = static_cast<Head *>(head->next))
    if (head->type == type)
      return reinterpret_cast<T *>(head);
  return nullptr;
}

} // namespace hiplz::driver
