// SPDX-License-Identifier: MIT
// The boundary of the C API. Every hip* function that can fail is one expression:
//
//   hipError_t hipFree(void *ptr) {
//     return HIPLZ_API(hipFree, ptr)([&] { ... });
//   }
//
// The body calls LZ objects and returns a hipError_t, or throws HipError. The scope turns every exception into a
// hipError_t, keeps the thread's last error and writes the trace: calls that fail, with the reason (HIPLZ_LOG=info), or
// all calls (HIPLZ_LOG=debug). No call is a cancellation point. Nothing inside the runtime calls a public hip* function,
// so an error is recorded once.
#pragma once
#include "api/api_tracer.h"
#include "base/cancellation.h"
#include "base/hip_version.h"
#include "base/log.h"
#include "lz/context/checked_calls.h"
#include "lz/core/error.h"
#include "lz/core/thread_state.h"

#include <hip/hip_runtime_api.h>

#include <array>
#include <initializer_list>
#include <string>
#include <tuple>
#include <type_traits>

namespace hiplz {

/// The meaning of an exception to the caller, and its sentence for the log; empty if a refusal said it, or nobody.
struct Thrown {
  hipError_t error;
  std::string sentence;
};

/// For the exception that is being handled. Where there is no memory for the sentence it is left out.
Thrown currentExceptionToHip() noexcept;

/// The answer to a call from a host function of a stream: hipErrorNotSupported. The call could wait for the stream that
/// waits for the function, so HIP forbids it.
hipError_t refuseInHostFunction();

/// The sentence of the thread's refusal if it is the reason for this error, else an empty one. It is given only once.
const char *takeRefusal(hipError_t error) noexcept;

/// Throws HipError{hipErrorInvalidValue} with the first of the names, of which `null` says whose argument is null.
[[noreturn]] void throwNull(const char *names, std::initializer_list<bool> null);

/// Throws HipError{hipErrorInvalidValue} that names the first of the arguments that is null. `names` are theirs, as a macro
/// spells them.
template <class... Pointers> void requireNotNull(const char *names, Pointers... arguments) {
  if ((!arguments || ...)) [[unlikely]]
    throwNull(names, {!arguments...});
}

/// The name of the enumerator, or "hipErrorUnknown". Never null.
const char *errorName(hipError_t error) noexcept;

/// Appends "name=" of the next argument to a line of the trace. `names` are the remaining ones, as a macro spells them.
void describeName(std::string &line, const char *&names);

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
  ApiScope(const char *function, const char *names, const Arguments &...arguments)
      : function_(function), names_(names), arguments_(arguments...) {}

  template <class Body> hipError_t operator()(Body body) {
    const CancellationOff notNow;
    ApiTracer tracer(function_);
    try {
      return finish(tracer, ownThreadState().inHostFunction ? refuseInHostFunction() : body(), nullptr);
    } catch (...) {
      const Thrown thrown = currentExceptionToHip();
      return finish(tracer, thrown.error, thrown.sentence.empty() ? nullptr : thrown.sentence.c_str());
    }
  }

private:
  hipError_t finish(ApiTracer &tracer, hipError_t result, const char *sentence) const {
    ownThreadState().lastResult = result;
    const bool failed = result != hipSuccess && result != hipErrorNotReady;
    if (failed || successHidesErrors())
      ownThreadState().lastError = result;
    tracer.setResult(result);
    const bool isTraced = logLevel(LogCategory::api) >= (failed ? LogLevel::info : LogLevel::debug);
    if (isTraced || (failed && areCallsChecked())) [[unlikely]]
      trace(result, sentence ? sentence : takeRefusal(result), isTraced, failed && areCallsChecked());
    return result;
  }

  // "function(name=argument, ...) = result", and why it was refused.
  [[gnu::cold]] void trace(hipError_t result, const char *sentence, bool isTraced, bool isChecked) const {
    std::string line(function_);
    line += '(';
    std::apply(
        [&](const auto &...argument) {
          [[maybe_unused]] const char *names = names_, *separator = ""; // unused where there are no arguments
          ((line += separator, describeName(line, names), describeArgument(line, argument), separator = ", "), ...);
        },
        arguments_);
    if (isTraced)
      logLine("%s) = %s%s%s", line.c_str(), errorName(result), *sentence ? ": " : "", sentence);
    if (isChecked) {
      const auto pointers = std::apply(
          [](const auto &...argument) { return std::array<const void *, sizeof...(argument)>{pointerOf(argument)...}; },
          arguments_);
      reportFailedCall(line + ")", result, errorName(result), sentence, pointers);
    }
  }

  template <class Value> static const void *pointerOf(const Value &value) {
    if constexpr (std::is_convertible_v<Value, const void *>)
      return value;
    else
      return nullptr;
  }

  const char *function_, *names_;
  std::tuple<const Arguments &...> arguments_;
};

} // namespace hiplz

// The names of the function and of its arguments, and nothing else, need a macro.
#define HIPLZ_API(function, ...) ::hiplz::ApiScope(#function, #__VA_ARGS__ __VA_OPT__(, ) __VA_ARGS__)

// The names of the arguments are what a macro is needed for.
#define HIPLZ_NOT_NULL(...) ::hiplz::requireNotNull(#__VA_ARGS__, __VA_ARGS__)
