// SPDX-License-Identifier: MIT
// OpenCL as the driver uses it: the functions of libOpenCL, which is opened when it is needed so that HIPLZ can be built and
// installed without it; owners of its objects; and its error codes as those of Level Zero.
#pragma once
#define CL_TARGET_OPENCL_VERSION 300
#include "driver/object.h"

#include <CL/cl.h>
#include <CL/cl_ext.h>
#include <string>
#include <utility>
#include <vector>

namespace hiplz::opencl {

using driver::Error;

struct ClFunctions {
#define HIPLZ_CL(name) decltype(&::name) name;
#include "opencl/cl_functions.def"
#undef HIPLZ_CL
  decltype(&::clCreateBufferWithProperties) clCreateBufferWithProperties; ///< of OpenCL 3.0; null before
};

/// Opens libOpenCL once. False if the machine has none, or one older than OpenCL 2.2. Thread-safe.
bool openCl();
extern ClFunctions clFunctions;
/// The functions. Only after openCl() has returned true.
inline const ClFunctions &cl() { return clFunctions; }

/// The result of Level Zero for an error code of OpenCL.
ze_result_t resultOf(cl_int code);

/// Throws an Error unless the code is CL_SUCCESS. `function` is a literal: the OpenCL function that returned it.
inline void checkCl(cl_int code, const char *function) {
  if (code != CL_SUCCESS) [[unlikely]]
    throw Error{resultOf(code), function};
}

/// A value that one of OpenCL's query functions returns; `get` calls it with (size, value, sizeOut).
template <class Value, class Get> Value clValue(Get get, Value otherwise = {}) {
  Value value{};
  return get(sizeof value, &value, nullptr) == CL_SUCCESS ? value : otherwise;
}
template <class Element, class Get> std::vector<Element> clValues(Get get) {
  size_t bytes = 0;
  if (get(0, nullptr, &bytes) != CL_SUCCESS)
    return {};
  std::vector<Element> values(bytes / sizeof(Element));
  if (bytes == 0 || get(bytes, values.data(), nullptr) != CL_SUCCESS)
    return {};
  return values;
}
template <class Get> std::string clText(Get get) {
  const std::vector<char> text = clValues<char>(get);
  return text.empty() ? std::string() : std::string(text.data());
}

/// Owner of an OpenCL object; movable, may be empty.
template <class T, auto kRelease> class ClOwner {
public:
  ClOwner() = default;
  explicit ClOwner(T object) : object_(object) {}
  ClOwner(ClOwner &&other) noexcept : object_(std::exchange(other.object_, nullptr)) {}
  ClOwner &operator=(ClOwner &&other) noexcept {
    std::swap(object_, other.object_);
    return *this;
  }
  ~ClOwner() {
    if (object_)
      (cl().*kRelease)(object_);
  }
  T get() const { return object_; }
  /// The caller owns it now.
  T release() { return std::exchange(object_, nullptr); }
  explicit operator bool() const { return object_ != nullptr; }

private:
  T object_ = nullptr;
};

using ClContext = ClOwner<cl_context, &ClFunctions::clReleaseContext>;
using ClQueue = ClOwner<cl_command_queue, &ClFunctions::clReleaseCommandQueue>;
using ClProgram = ClOwner<cl_program, &ClFunctions::clReleaseProgram>;
using ClKernel = ClOwner<cl_kernel, &ClFunctions::clReleaseKernel>;
using ClMemory = ClOwner<cl_mem, &ClFunctions::clReleaseMemObject>;
using ClEvent = ClOwner<cl_event, &ClFunctions::clReleaseEvent>;

/// Another reference to an event; empty stays empty.
inline ClEvent retained(const ClEvent &event) {
  if (event)
    checkCl(cl().clRetainEvent(event.get()), "clRetainEvent");
  return ClEvent(event.get());
}

} // namespace hiplz::opencl
