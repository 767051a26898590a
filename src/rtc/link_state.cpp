// SPDX-License-Identifier: MIT
#include "rtc/link_state.h"
#include "api/device_code.h"
#include "api/link_inputs.h"
#include "base/log.h"
#include "rtc/library.h"

namespace hiplz::rtc {
namespace {

hiprtcResult resultOf(const HipError &error) {
  return error.code() == hipErrorInvalidValue ? HIPRTC_ERROR_INVALID_INPUT : HIPRTC_ERROR_PROGRAM_CREATION_FAILURE;
}

} // namespace

hiprtcResult LinkState::add(hipJitInputType type, std::span<const std::byte> bytes, const std::string &name,
                            const JitOptions &options) {
  Lock lock(mutex_);
  if (complete_)
    return HIPRTC_ERROR_INVALID_PROGRAM;
  try {
    std::vector<Input> inputs;
    forEachModule(type, bytes, name, [&](std::span<const std::byte> code, const std::string &where) {
      inputs.push_back({where, {code.begin(), code.end()}});
    });
    for (Input &input : inputs)
      request_.inputs.push_back(std::move(input));
  } catch (const HipError &error) {
    HIPLZ_LOG_INFO("%s", error.what());
    options_.report({}, error.what());
    options.report({}, error.what());
    return resultOf(error);
  }
  return HIPRTC_SUCCESS;
}

hiprtcResult LinkState::addFile(hipJitInputType type, const char *path, const JitOptions &options) {
  std::vector<std::byte> bytes;
  try {
    checkInputType(type, path);
    bytes = readDeviceFile(path);
  } catch (const HipError &error) {
    HIPLZ_LOG_INFO("%s", error.what());
    options.report({}, error.what());
    return resultOf(error);
  }
  return add(type, bytes, path, options);
}

hiprtcResult LinkState::complete(void **code, size_t *size) {
  Lock lock(mutex_);
  if (!complete_) {
    if (request_.inputs.empty())
      return HIPRTC_ERROR_LINKING;
    const Compiler loaded = compiler();
    if (!loaded.problem.empty()) {
      options_.report({}, loaded.problem);
      return HIPRTC_ERROR_BUILTIN_OPERATION_FAILURE;
    }
    request_.prefix = installedPrefix();
    result_ = {};
    loaded.link(request_, result_);
    complete_ = result_.status == Status::success;
    options_.report(complete_ ? result_.log : "", complete_ ? "" : result_.log);
  }
  if (!complete_)
    return HIPRTC_ERROR_LINKING;
  *code = result_.code.data();
  *size = result_.code.size();
  return HIPRTC_SUCCESS;
}

} // namespace hiplz::rtc
