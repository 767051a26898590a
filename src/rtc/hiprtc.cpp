// SPDX-License-Identifier: MIT
// The functions of hipRTC. They check their arguments; programs and links do the rest.
#include "base/cancellation.h"
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
template <class Body> hiprtcResult withProgram(hiprtcProgram handle, Body body) noexcept {
  return checked([&] {
    Program *program = handle ? programs().find(handle) : nullptr;
    return program ? body(*program) : HIPRTC_ERROR_INVALID_PROGRAM;
  });
}

template <class Body> hiprtcResult withLink(hiprtcLinkState handle, Body body) noexcept {
  return checked([&] {
    LinkState *link = handle ? links().find(handle) : nullptr;
    return link ? body(*link) : HIPRTC_ERROR_INVALID_INPUT;
  });
}

} // namespace

extern "C" {

hiprtcResult hiprtcVersion(int *major, int *minor) {
  if (!major || !minor)
    return HIPRTC_ERROR_INVALID_INPUT;
  // What AMD's library says of itself in HIP 6; programs compare it.
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
                                 const char **headers, const char **includeNames) {
  return checked([&] {
    if (!prog || !src || numHeaders < 0 || (numHeaders > 0 && (!headers || !includeNames)))
      return HIPRTC_ERROR_INVALID_INPUT;
    std::vector<Header> copies;
    for (int i = 0; i < numHeaders; ++i) {
      if (!headers[i] || !includeNames[i] || !*includeNames[i])
        return HIPRTC_ERROR_INVALID_INPUT;
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
    return HIPRTC_ERROR_INVALID_INPUT;
  return withProgram(*prog, [&](Program &program) {
    if (!programs().remove(program))
      return HIPRTC_ERROR_INVALID_PROGRAM;
    delete &program;
    *prog = nullptr;
    return HIPRTC_SUCCESS;
  });
}

hiprtcResult hiprtcAddNameExpression(hiprtcProgram prog, const char *name_expression) {
  if (!name_expression)
    return HIPRTC_ERROR_INVALID_INPUT;
  return withProgram(prog, [&](Program &program) { return program.addNameExpression(name_expression); });
}

hiprtcResult hiprtcCompileProgram(hiprtcProgram prog, int numOptions, const char **options) {
  if (numOptions < 0 || (numOptions > 0 && !options))
    return HIPRTC_ERROR_INVALID_INPUT;
  for (int i = 0; i < numOptions; ++i)
    if (!options[i])
      return HIPRTC_ERROR_INVALID_INPUT;
  return withProgram(prog, [&](Program &program) {
    return program.compile({options, static_cast<size_t>(numOptions)});
  });
}

hiprtcResult hiprtcGetLoweredName(hiprtcProgram prog, const char *name_expression, const char **lowered_name) {
  if (!name_expression || !lowered_name)
    return HIPRTC_ERROR_INVALID_INPUT;
  return withProgram(prog, [&](Program &program) { return program.loweredName(name_expression, lowered_name); });
}

hiprtcResult hiprtcGetProgramLogSize(hiprtcProgram prog, size_t *logSizeRet) {
  if (!logSizeRet)
    return HIPRTC_ERROR_INVALID_INPUT;
  return withProgram(prog, [&](Program &program) {
    *logSizeRet = program.log().size() + 1;
    return HIPRTC_SUCCESS;
  });
}

hiprtcResult hiprtcGetProgramLog(hiprtcProgram prog, char *log) {
  if (!log)
    return HIPRTC_ERROR_INVALID_INPUT;
  return withProgram(prog, [&](Program &program) {
    const std::string text = program.log();
    text.copy(log, text.size());
    log[text.size()] = '\0';
    return HIPRTC_SUCCESS;
  });
}

hiprtcResult hiprtcGetCodeSize(hiprtcProgram prog, size_t *codeSizeRet) {
  if (!codeSizeRet)
    return HIPRTC_ERROR_INVALID_INPUT;
  return withProgram(prog, [&](Program &program) { return program.code(false, codeSizeRet, nullptr); });
}

hiprtcResult hiprtcGetCode(hiprtcProgram prog, char *code) {
  if (!code)
    return HIPRTC_ERROR_INVALID_INPUT;
  return withProgram(prog, [&](Program &program) { return program.code(false, nullptr, code); });
}

hiprtcResult hiprtcGetBitcodeSize(hiprtcProgram prog, size_t *bitcode_size) {
  if (!bitcode_size)
    return HIPRTC_ERROR_INVALID_INPUT;
  return withProgram(prog, [&](Program &program) { return program.code(true, bitcode_size, nullptr); });
}

hiprtcResult hiprtcGetBitcode(hiprtcProgram prog, char *bitcode) {
  if (!bitcode)
    return HIPRTC_ERROR_INVALID_INPUT;
  return withProgram(prog, [&](Program &program) { return program.code(true, nullptr, bitcode); });
}

hiprtcResult hiprtcLinkCreate(unsigned int num_options, hipJitOption *option_ptr, void **option_vals_pptr,
                              hiprtcLinkState *hip_link_state_ptr) {
  return checked([&] {
    if (!hip_link_state_ptr)
      return HIPRTC_ERROR_INVALID_INPUT;
    auto link = std::make_unique<LinkState>(JitOptions(num_options, option_ptr, option_vals_pptr));
    links().add(*link);
    *hip_link_state_ptr = reinterpret_cast<hiprtcLinkState>(link.release());
    return HIPRTC_SUCCESS;
  });
}

hiprtcResult hiprtcLinkAddData(hiprtcLinkState hip_link_state, hipJitInputType input_type, void *image,
                               size_t image_size, const char *name, unsigned int num_options, hipJitOption *options_ptr,
                               void **option_values) {
  if (!image || image_size == 0)
    return HIPRTC_ERROR_INVALID_INPUT;
  return withLink(hip_link_state, [&](LinkState &link) {
    return link.add(input_type, {static_cast<const std::byte *>(image), image_size},
                    name ? name : "the data of the link", JitOptions(num_options, options_ptr, option_values));
  });
}

hiprtcResult hiprtcLinkAddFile(hiprtcLinkState hip_link_state, hipJitInputType input_type, const char *file_path,
                               unsigned int num_options, hipJitOption *options_ptr, void **option_values) {
  if (!file_path)
    return HIPRTC_ERROR_INVALID_INPUT;
  return withLink(hip_link_state, [&](LinkState &link) {
    return link.addFile(input_type, file_path, JitOptions(num_options, options_ptr, option_values));
  });
}

hiprtcResult hiprtcLinkComplete(hiprtcLinkState hip_link_state, void **bin_out, size_t *size_out) {
  if (!bin_out || !size_out)
    return HIPRTC_ERROR_INVALID_INPUT;
  return withLink(hip_link_state, [&](LinkState &link) { return link.complete(bin_out, size_out); });
}

hiprtcResult hiprtcLinkDestroy(hiprtcLinkState hip_link_state) {
  return withLink(hip_link_state, [&](LinkState &link) {
    if (!links().remove(link))
      return HIPRTC_ERROR_INVALID_INPUT;
    delete &link;
    return HIPRTC_SUCCESS;
  });
}

} // extern "C"
