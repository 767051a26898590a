// SPDX-License-Identifier: MIT
// The interface between hipRTC and its compiler. The functions of the API are small and are in every HIP program; the
// compiler (libhiplz_rtc_compiler.so) brings clang and LLVM along and is loaded when something must be compiled.
#pragma once
#include <cstddef>
#include <string>
#include <vector>

namespace hiplz::rtc {

struct Header {
  std::string name; ///< as it stands in #include
  std::string text;
};

struct CompileRequest {
  std::string prefix; ///< where HIPLZ is installed
  std::string source;
  std::string name; ///< of the source, for messages
  std::vector<Header> headers;
  std::vector<std::string> options; ///< for clang's driver, checked already
  std::vector<std::string> nameExpressions;
  bool relocatable = false; ///< the result is bitcode for a link, not SPIR-V
  bool saveTemps = false;   ///< bitcode and SPIR-V are also written into the current folder
};

struct Input {
  std::string name;
  std::vector<std::byte> code; ///< SPIR-V or bitcode
};

struct LinkRequest {
  std::string prefix;
  std::vector<Input> inputs;
};

enum class Status { success, invalidOption, failed, crashed };

struct Result {
  Status status = Status::crashed;
  std::string log;
  std::vector<std::byte> code;
  std::vector<std::string> loweredNames; ///< one for each name expression
  bool parsedHeaders = false; ///< HIP's headers were parsed once more: no precompiled header fits the options
  std::vector<std::string> dependencies; ///< files that the compiler has looked for, there or not
};

/// Both functions: thread-safe; never throw; no error in the input, not even one that crashes the compiler, ends the
/// process.
using CompileFunction = void (*)(const CompileRequest &, Result &);
using LinkFunction = void (*)(const LinkRequest &, Result &);
inline constexpr const char *kCompileFunction = "hiplzRtcCompile";
inline constexpr const char *kLinkFunction = "hiplzRtcLink";

} // namespace hiplz::rtc
