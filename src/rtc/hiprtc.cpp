// SPDX-License-Identifier: MIT
// The functions of hipRTC. They check their arguments; programs and links do the rest.
#include "base/cancellation.h"
#include "base/log.h"
#include "lz/core/error.h"
#include "lz/core/handle_table.h"
#include "rtc/link_state.h"
#include "rtc/program.h"

#include <memory>
#include <new>

using namespace hiplz;
using namespace hiplz::rtc;

namespace {

// Never destroyed: the application may use them in destructors of static objects.
HandleTable<Program> &programs() {
  static HandleTable<Program> &table = *new HandleTable<Program>;
  return table;
}

HandleTable<LinkState> &links() {
  static HandleTable<LinkState> &table = *new HandleTable<LinkState>;
  return table;
}

/// The result of a call that is refused; the log says why.
hiprtcResult refuse(const char *function, const char *reason, hiprtcResult result = HIPRTC_ERROR_INVALID_INPUT) {
  HIPLZ_LOG_INFO("%s = %s: %s", function, hiprtcGetErrorString(result), reason);
  return result;
}

/// Runs the body; exceptions become results. No cancellation point: a thread that compiles has another one work for it.
template <class Body> hiprtcResult checked(Body body) noexcept {
  const CancellationOff notNow;
  try {
    return body();
  } catch (const std::bad_alloc &) {
    return HIPRTC_ERROR_OUT_OF_MEMORY;
  } catch (const HipError &) {
    return HIPRTC_ERROR_INVALID_INPUT;
  } catch (const std::exception &) {
    return HIPRTC_ERROR_INTERNAL_ERROR;
  }
}

/// Runs the body with the program behind a handle.
template <class Body> hiprtcResult withProgram(const char *function, hiprtcProgram handle, Body body) noexcept {
  return checked([&] {
    Program *program = handle ? programs().find(handle) : nullptr;
    return program
               ? body(*program)
               : refuse(function, "the program does not exist, or it has been destroyed", HIPRTC_ERROR_INVALID_PROGRAM);
  });
}

template <class Body> hiprtcResult withLink(const char *function, hiprtcLinkState handle, Body body) noexcept {
  return checked([&] {
    LinkState *link = handle ? links().find(handle) : nullptr;
    return link ? body(*link) : refuse(function, "the link does not exist, or it has been destroyed");
  });
}

} // namespace

extern "C" {

hiprtcResult hiprtcVersion(int *major, int *minor) {
  if (!major)
    return refuse(__func__, "major is null");
  if (!minor)
    return refuse(__func__, "minor is null");
  // The version of AMD's library in HIP 6; programs compare it.
  *major = 9;
  *minor = 0;
  return HIPRTC_SUCCESS;
}

const char *hiprtcGetErrorString(hiprtcResult result) {
  switch (result) {
#define NAME(value)                                                                                                    \
  case value: return #value;
    NAME(HIPRTC_SUCCESS)
    NAME(HIPRTC_ERROR_OUT_OF_MEMORY)
    NAME(HIPRTC_ERROR_PROGRAM_CREATION_FAILURE)
    NAME(HIPRTC_ERROR_INVALID_INPUT)
    NAME(HIPRTC_ERROR_INVALID_PROGRAM)
    NAME(HIPRTC_ERROR_INVALID_OPTION)
    NAME(HIPRTC_ERROR_COMPILATION)
    NAME(HIPRTC_ERROR_BUILTIN_OPERATION_FAILURE)
    NAME(HIPRTC_ERROR_NO_NAME_EXPRESSIONS_AFTER_COMPILATION)
    NAME(HIPRTC_ERROR_NO_LOWERED_NAMES_BEFORE_COMPILATION)
    NAME(HIPRTC_ERROR_NAME_EXPRESSION_NOT_VALID)
    NAME(HIPRTC_ERROR_INTERNAL_ERROR)
    NAME(HIPRTC_ERROR_LINKING)
#undef NAME
  }
  return "HIPRTC_ERROR unknown";
}

hiprtcResult hiprtcCreateProgram(hiprtcProgram *prog, const char *src, const char *name, int numHeaders,
                                 const char *const *headers, const char *const *includeNames) {
  if (!prog)
    return refuse(__func__, "prog is null", HIPRTC_ERROR_INVALID_PROGRAM);
  if (!src)
    return refuse(__func__, "src is null");
  if (numHeaders < 0)
    return refuse(__func__, "numHeaders is negative");
  if (numHeaders > 0 && (!headers || !includeNames))
    return refuse(__func__, headers ? "includeNames is null" : "headers is null");
  return checked([&] {
    std::vector<Header> copies;
    for (int i = 0; i < numHeaders; ++i) {
      if (!headers[i] || !includeNames[i] || !*includeNames[i])
        return refuse("hiprtcCreateProgram", "a header is null, or has no name");
      copies.push_back({includeNames[i], headers[i]});
    }
    auto program = std::make_unique<Program>(src, name ? name : "", std::move(copies));
    programs().add(*program);
    *prog = reinterpret_cast<hiprtcProgram>(program.release());
    return HIPRTC_SUCCESS;
  });
}

hiprtcResult hiprtcDestroyProgram(hiprtcProgram *prog) {
  if (!prog)
    return refuse(__func__, "prog is null");
  return withProgram(__func__, *prog, [&](Program &program) {
    if (!programs().remove(program))
      return HIPRTC_ERROR_INVALID_PROGRAM;
    delete &program;
    *prog = nullptr;
    return HIPRTC_SUCCESS;
  });
}

hiprtcResult hiprtcAddNameExpression(hiprtcProgram prog, const char *name_expression) {
  if (!name_expression)
    return refuse(__func__, "name_expression is null");
  return withProgram(__func__, prog, [&](Program &program) { return program.addNameExpression(name_expression); });
}

hiprtcResult hiprtcCompileProgram(hiprtcProgram prog, int numOptions, const char *const *options) {
  if (numOptions < 0)
    return refuse(__func__, "numOptions is negative");
  if (numOptions > 0 && !options)
    return refuse(__func__, "options is null");
  for (int i = 0; i < numOptions; ++i)
    if (!options[i])
      return refuse(__func__, "one of options is null");
  return withProgram(__func__, prog, [&](Program &program) {
    return program.compile({options, static_cast<size_t>(numOptions)});
  });
}

hiprtcResult hiprtcGetLoweredName(hiprtcProgram prog, const char *name_expression, const char **lowered_name) {
  if (!name_expression)
    return refuse(__func__, "name_expression is null");
  if (!lowered_name)
    return refuse(__func__, "lowered_name is null");
  return withProgram(__func__, prog,
                     [&](Program &program) { return program.loweredName(name_expression, lowered_name); });
}

hiprtcResult hiprtcGetProgramLogSize(hiprtcProgram prog, size_t *logSizeRet) {
  if (!logSizeRet)
    return refuse(__func__, "logSizeRet is null");
  return withProgram(__func__, prog, [&](Program &program) {
    *logSizeRet = program.log().size() + 1;
    return HIPRTC_SUCCESS;
  });
}

hiprtcResult hiprtcGetProgramLog(hiprtcProgram prog, char *log) {
  if (!log)
    return refuse(__func__, "log is null");
  return withProgram(__func__, prog, [&](Program &program) {
    const std::string text = program.log();
    text.copy(log, text.size());
    log[text.size()] = '\0';
    return HIPRTC_SUCCESS;
  });
}

hiprtcResult hiprtcGetCodeSize(hiprtcProgram prog, size_t *codeSizeRet) {
  if (!codeSizeRet)
    return refuse(__func__, "codeSizeRet is null");
  return withProgram(__func__, prog, [&](Program &program) { return program.code(false, codeSizeRet, nullptr); });
}

hiprtcResult hiprtcGetCode(hiprtcProgram prog, char *code) {
  if (!code)
    return refuse(__func__, "code is null");
  return withProgram(__func__, prog, [&](Program &program) { return program.code(false, nullptr, code); });
}

hiprtcResult hiprtcGetBitcodeSize(hiprtcProgram prog, size_t *bitcode_size) {
  if (!bitcode_size)
    return refuse(__func__, "bitcode_size is null");
  return withProgram(__func__, prog, [&](Program &program) { return program.code(true, bitcode_size, nullptr); });
}

hiprtcResult hiprtcGetBitcode(hiprtcProgram prog, char *bitcode) {
  if (!bitcode)
    return refuse(__func__, "bitcode is null");
  return withProgram(__func__, prog, [&](Program &program) { return program.code(true, nullptr, bitcode); });
}

hiprtcResult hiprtcLinkCreate(unsigned int num_options, hipJitOption *option_ptr, void **option_vals_pptr,
                              hiprtcLinkState *hip_link_state_ptr) {
  if (!hip_link_state_ptr)
    return refuse(__func__, "hip_link_state_ptr is null");
  if (num_options > 0 && (!option_ptr || !option_vals_pptr))
    return refuse(__func__, option_ptr ? "option_vals_pptr is null" : "option_ptr is null");
  return checked([&] {
    auto link = std::make_unique<LinkState>(JitOptions(num_options, option_ptr, option_vals_pptr));
    links().add(*link);
    *hip_link_state_ptr = reinterpret_cast<hiprtcLinkState>(link.release());
    return HIPRTC_SUCCESS;
  });
}

hiprtcResult hiprtcLinkAddData(hiprtcLinkState hip_link_state, hipJitInputType input_type, void *image,
                               size_t image_size, const char *name, unsigned int num_options, hipJitOption *options_ptr,
                               void **option_values) {
  if (!image)
    return refuse(__func__, "image is null");
  if (image_size == 0)
    return refuse(__func__, "image_size is 0");
  return withLink(__func__, hip_link_state, [&](LinkState &link) {
    return link.add(input_type, {static_cast<const std::byte *>(image), image_size},
                    name ? name : "the data of the link", JitOptions(num_options, options_ptr, option_values));
  });
}

hiprtcResult hiprtcLinkAddFile(hiprtcLinkState hip_link_state, hipJitInputType input_type, const char *file_path,
                               unsigned int num_options, hipJitOption *options_ptr, void **option_values) {
  if (!file_path)
    return refuse(__func__, "file_path is null");
  return withLink(__func__, hip_link_state, [&](LinkState &link) {
    return link.addFile(input_type, file_path, JitOptions(num_options, options_ptr, option_values));
  });
}

hiprtcResult hiprtcLinkComplete(hiprtcLinkState hip_link_state, void **bin_out, size_t *size_out) {
  if (!bin_out)
    return refuse(__func__, "bin_out is null");
  if (!size_out)
    return refuse(__func__, "size_out is null");
  return withLink(__func__, hip_link_state, [&](LinkState &link) { return link.complete(bin_out, size_out); });
}

hiprtcResult hiprtcLinkDestroy(hiprtcLinkState hip_link_state) {
  return withLink(__func__, hip_link_state, [&](LinkState &link) {
    if (!links().remove(link))
      return HIPRTC_ERROR_INVALID_INPUT;
    delete &link;
    return HIPRTC_SUCCESS;
  });
}

} // extern "C"
