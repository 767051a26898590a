// SPDX-License-Identifier: MIT
#include "rtc/program.h"
#include "base/disk_cache.h"
#include "base/log.h"
#include "hiplz/version.h"
#include "rtc/dependencies.h"
#include "rtc/library.h"
#include "rtc/options.h"

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <sys/auxv.h>

namespace hiplz::rtc {
namespace {

/// Everything that the result depends on, apart from the files that the compiler looks for.
std::string keyOf(const CompileRequest &request) {
  SerialWriter writer;
  writer.text("hiprtc " HIPLZ_VERSION_STRING);
  writer.text(request.prefix);
  writer.text(request.source);
  writer.text(request.name);
  for (const Header &header : request.headers) {
    writer.text(header.name);
    writer.text(header.text);
  }
  writer.number(request.headers.size());
  for (const std::string &option : request.options)
    writer.text(option);
  writer.number(request.options.size());
  for (const std::string &expression : request.nameExpressions)
    writer.text(expression);
  // Folders and files in options may be relative.
  std::error_code error;
  writer.text(std::filesystem::current_path(error).native());
  writer.text(compilerEnvironment());
  return contentKey(writer.body);
}

bool load(const DiskCache &cache, const std::string &key, Result &result) {
  const auto stored = cache.load(key);
  if (!stored)
    return false;
  SerialReader reader(*stored);
  if (!readDependencies(reader))
    return false;
  Result found;
  found.status = Status::success;
  found.log = reader.text();
  for (uint64_t count = reader.number(); count > 0 && reader.good(); --count)
    found.loweredNames.emplace_back(reader.text());
  const auto code = std::as_bytes(std::span(reader.text()));
  found.code.assign(code.begin(), code.end());
  if (reader.good())
    result = std::move(found);
  return reader.good();
}

void store(const DiskCache &cache, const std::string &key, const Result &result, const timespec &begin) {
  SerialWriter writer;
  if (!writeDependencies(writer, result.dependencies, begin))
    return;
  writer.text(result.log);
  writer.number(result.loweredNames.size());
  for (const std::string &name : result.loweredNames)
    writer.text(name);
  writer.text({reinterpret_cast<const char *>(result.code.data()), result.code.size()});
  cache.store(key, writer.body);
}

/// A name that a file can have.
std::string fileName(const std::string &name) {
  const std::string last = std::filesystem::path(name).filename().string();
  return last.empty() || last == "." || last == ".." ? "hiprtc_program" : name;
}

} // namespace

Program::Program(std::string source, std::string name, std::vector<Header> headers) {
  request_.prefix = installedPrefix();
  folder_ = std::filesystem::path(name).parent_path();
  request_.source = std::move(source);
  request_.name = fileName(std::move(name));
  request_.headers = std::move(headers);
}

hiprtcResult Program::addNameExpression(std::string expression) {
  Lock lock(mutex_);
  if (compiled_)
    return HIPRTC_ERROR_NO_NAME_EXPRESSIONS_AFTER_COMPILATION;
  if (std::ranges::find(request_.nameExpressions, expression) == request_.nameExpressions.end())
    request_.nameExpressions.push_back(std::move(expression));
  return HIPRTC_SUCCESS;
}

hiprtcResult Program::compile(std::span<const char *const> given) {
  Lock lock(mutex_);
  Options options = parseOptions(given);
  compiled_ = true;
  result_ = {};
  result_.status = Status::invalidOption;
  if (!options.error.empty()) {
    result_.log = std::move(options.error);
    return HIPRTC_ERROR_INVALID_OPTION;
  }
  request_.options = std::move(options.forClang);
  if (options.cuda) // in front of the program's own folders and headers
    for (const std::string &option :
         {std::string("hiplz/cuda/nvrtc_source.h"), std::string("-include"), request_.prefix + "/include/hiplz/cuda",
          std::string("-isystem"), std::string("-D__HIPLZ_CUDA_SOURCE__=1")})
      request_.options.insert(request_.options.begin(), option);
  if (options.cuda && options.searchesSourceFolder) { // behind the program's own folders
    std::error_code error;
    request_.options.push_back("-I" + std::filesystem::absolute(folder_.empty() ? "." : folder_, error).string());
  }
  request_.relocatable = options.relocatable;
  request_.saveTemps = options.saveTemps;

  // A program with other privileges than its user's would compile whatever the user puts in its way.
  if (const std::string environment = compilerEnvironment(); !environment.empty() && ::getauxval(AT_SECURE)) {
    result_.log = "error: the environment has " + environment.substr(0, environment.find('=')) +
                  ", which would change the code of a program with other privileges than its user's\n";
    return HIPRTC_ERROR_COMPILATION;
  }
  const DiskCache cache("rtc");
  const std::string key = keyOf(request_);
  if (!request_.saveTemps && load(cache, key, result_)) {
    HIPLZ_LOG_DEBUG("hipRTC: %s comes from the cache", request_.name.c_str());
  } else {
    const Compiler loaded = compiler();
    if (!loaded.problem.empty()) {
      result_.log = "error: " + loaded.problem + "\n";
      return HIPRTC_ERROR_BUILTIN_OPERATION_FAILURE;
    }
    HIPLZ_LOG_DEBUG("hipRTC: compiling %s", request_.name.c_str());
    const timespec begin = fileTime();
    loaded.compile(request_, result_);
    if (result_.parsedHeaders)
      HIPLZ_LOG_DEBUG("hipRTC: %s has options for which HIP's headers are parsed again", request_.name.c_str());
    result_.dependencies.push_back(compilerLibrary());
    result_.dependencies.push_back(installedPrefix() + "/lib/hip-device-lib/hipspv-spirv64.bc");
    if (result_.status == Status::success)
      store(cache, key, result_, begin);
  }
  result_.log = options.warnings + result_.log;
  for (size_t i = 0; i < result_.loweredNames.size(); ++i)
    loweredNames_.try_emplace(request_.nameExpressions[i], result_.loweredNames[i]);
  switch (result_.status) {
  case Status::success: return HIPRTC_SUCCESS;
  case Status::invalidOption: return HIPRTC_ERROR_INVALID_OPTION;
  case Status::failed: return HIPRTC_ERROR_COMPILATION;
  case Status::crashed: return HIPRTC_ERROR_INTERNAL_ERROR;
  }
  return HIPRTC_ERROR_INTERNAL_ERROR;
}

hiprtcResult Program::loweredName(std::string_view expression, const char **name) const {
  Lock lock(mutex_);
  if (!compiled_)
    return HIPRTC_ERROR_NO_LOWERED_NAMES_BEFORE_COMPILATION;
  const auto found = loweredNames_.find(expression);
  if (found == loweredNames_.end())
    return HIPRTC_ERROR_NAME_EXPRESSION_NOT_VALID;
  *name = found->second.c_str();
  return HIPRTC_SUCCESS;
}

std::string Program::log() const {
  Lock lock(mutex_);
  return result_.log;
}

hiprtcResult Program::code(bool bitcode, size_t *size, char *bytes) const {
  Lock lock(mutex_);
  if (!compiled_ || result_.status != Status::success || request_.relocatable != bitcode)
    return HIPRTC_ERROR_INVALID_PROGRAM;
  if (size)
    *size = result_.code.size();
  if (bytes)
    std::memcpy(bytes, result_.code.data(), result_.code.size());
  return HIPRTC_SUCCESS;
}

} // namespace hiplz::rtc
