// The boundary of the C API. Every hip* function that can fail is one expression:
//
//   hipError_t hipFree(void *ptr) {
//     return HIPLZ_API(hipFree, ptr)([&] { ... });
//   }
//
// The body calls LZ objects and returns a hipError_t, or throws HipError. The scope turns every exception into a
// hipError_t, keeps the thread's last error and writes the trace (HIPLZ_LOG=debug). No call is a cancellation point. Nothing inside the runtime calls a
// public hip* function, so an error is recorded once.
#pragma once
#include "api/api_tracer.h"
#include "base/cancellation.h"
#include "base/log.h"
#include "lz/error.h"
#include "lz/thread_state.h"

#include <hip/hip_runtime_api.h>

#include <string>
#include <tuple>
#include <type_traits>

namespace hiplz {

/// What the exception that is being handled means to the caller; logs its message.
hipError_t currentExceptionToHip();

/// What a call from a host function of a stream gets: hipErrorNotSupported. It could wait for the stream that waits for
/// the function, so HIP forbids such calls.
hipError_t refuseInHostFunction();

/// The name of the enumerator, or "hipErrorUnknown". Never null.
const char *errorName(hipError_t error) noexcept;

/// Appends an argument to a line of the trace.
void describeArgument(std::string &line, const void *value);
void describeArgument(std::string &line, const char *value);
void describeArgument(std::string &line, unsigned long long value);
void describeArgument(std::string &line, long long value);
void describeArgument(std::string &line, const dim3 &value);

template <class Value> void describeArgument(std::string &line, const Value &value) {
  if constexpr (std::is_pointer_v<Value>)
    describeArgument(line, reinterpret_cast<const void *>(value));
  else if constexpr (std::is_enum_v<Value>)
    describeArgument(line, static_cast<long long>(value));
  else if constexpr (std::is_integral_v<Value> && std::is_signed_v<Value>)
    describeArgument(line, static_cast<long long>(value));
  else if constexpr (std::is_integral_v<Value>)
    describeArgument(line, static_cast<unsigned long long>(value));
  else
    line += "{...}";
}

/// One call of a HIP function. Constructing it costs nothing: the arguments are only looked at for the trace.
template <class... Arguments> class ApiScope {
public:
  explicit ApiScope(const char *function, const Arguments &...arguments)
      : function_(function), arguments_(arguments...) {}

  template <class Body> hipError_t operator()(Body body) {
    const CancellationOff notNow;
    ApiTracer tracer(function_);
    hipError_t result;
    try {
      result = threadState.inHostFunction ? refuseInHostFunction() : body();
    } catch (...) {
      result = currentExceptionToHip();
    }
    threadState.lastResult = result;
    if (result != hipSuccess && result != hipErrorNotReady) [[unlikely]]
      threadState.lastError = result;
    tracer.setResult(result);
    if (logLevel() >= LogLevel::debug) [[unlikely]]
      trace(result);
    return result;
  }

private:
  void trace(hipError_t result) const {
    std::string line(function_);
    line += '(';
    std::apply(
        [&](const auto &...argument) {
          const char *separator = "";
          ((line += separator, describeArgument(line, argument), separator = ", "), ...);
        },
        arguments_);
    logLine("%s) = %s", line.c_str(), errorName(result));
  }

  const char *function_;
  std::tuple<const Arguments &...> arguments_;
};

} // namespace hiplz

// The name and the arguments of the call, and nothing else, need a macro.
#define HIPLZ_API(function, ...) ::hiplz::ApiScope(#function __VA_OPT__(, ) __VA_ARGS__)
