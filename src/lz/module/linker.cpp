// SPDX-License-Identifier: MIT
// Linking runs the programs that clang runs: llvm-link, opt with HIPLZ's passes, HIPLZ's llvm-spirv. They work on files in
// a folder of their own, which is removed afterwards.
#include "lz/module/linker.h"
#include "base/disk_cache.h"
#include "base/file_stamp.h"
#include "base/temporary_folder.h"
#include "fatbin/amd_spirv.h"
#include "fatbin/bitcode.h"
#include "lz/core/error.h"
#include "spirv/words.h"
#ifdef HIPLZ_HAS_TOOLCHAIN
#include "base/find_clang.h"
#endif

#include <array>
#include <cerrno>
#include <cstring>
#include <dlfcn.h>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

namespace hiplz {
namespace {

namespace fs = std::filesystem;

std::vector<std::byte> readFile(const std::string &name) {
  std::ifstream file(name, std::ios::binary | std::ios::ate);
  std::vector<std::byte> bytes(file ? static_cast<size_t>(file.tellg()) : 0);
  file.seekg(0);
  file.read(reinterpret_cast<char *>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
  return file ? bytes : std::vector<std::byte>();
}

void writeFile(const std::string &name, std::span<const std::byte> bytes) {
  std::ofstream file(name, std::ios::binary);
  file.write(reinterpret_cast<const char *>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
  file.close();
  if (!file)
    throw HipError(hipErrorOperatingSystem, "the file " + name + " cannot be written");
}

/// Runs a program to its end; what it says goes to the file `output`. False if it does not start or reports failure.
bool run(std::vector<std::string> arguments, const std::string &output) {
  std::vector<char *> pointers;
  for (std::string &argument : arguments)
    pointers.push_back(argument.data());
  pointers.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  ::posix_spawn_file_actions_init(&actions);
  ::posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  ::posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, output.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
  ::posix_spawn_file_actions_adddup2(&actions, STDOUT_FILENO, STDERR_FILENO);
  pid_t child;
  const int failed = ::posix_spawnp(&child, pointers[0], &actions, nullptr, pointers.data(), environ);
  ::posix_spawn_file_actions_destroy(&actions);
  if (failed)
    return false;
  int status = 0;
  pid_t ended;
  do
    ended = ::waitpid(child, &status, 0);
  while (ended < 0 && errno == EINTR);
  // Where the application ignores SIGCHLD there is no status; then it counts whether the program has made its output.
  return ended < 0 || (WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

#ifdef HIPLZ_HAS_TOOLCHAIN
/// The programs and files of the compile path.
struct Toolchain {
  std::string llvmLink, opt, translator, passes, deviceLibrary, amdLibrary, runtime;

  static Toolchain find() {
    Dl_info info;
    if (!::dladdr(reinterpret_cast<const void *>(&run), &info) || !info.dli_fname)
      throw HipError(hipErrorSharedObjectInitFailed, "the folder of libhiplz cannot be found");
    std::error_code error;
    const fs::path prefix = fs::canonical(info.dli_fname, error).parent_path().parent_path();
    const fs::path llvm = fs::canonical(findClang(prefix.string()).path, error).parent_path();
    Toolchain found{(llvm / "llvm-link").string(),
                    (llvm / "opt").string(),
                    (prefix / "lib/hiplz/bin/llvm-spirv").string(),
                    (prefix / "lib/libLLVMHipSpvPasses.so").string(),
                    (prefix / "lib/hip-device-lib/hipspv-spirv64.bc").string(),
                    (prefix / "lib/hip-device-lib/amd-spirv64.bc").string(),
                    info.dli_fname};
    for (const std::string *file : found.files())
      if (::access(file->c_str(), R_OK) != 0)
        throw HipError(hipErrorSharedObjectInitFailed, "LLVM bitcode and AMD's SPIR-V can only be loaded where the "
                                                       "compile path is installed: there is no " +
                                                           *file);
    return found;
  }

  std::array<const std::string *, 7> files() const {
    return {&llvmLink, &opt, &translator, &passes, &deviceLibrary, &amdLibrary, &runtime};
  }

  /// Changes when one of the files does; this library is one.
  std::string identity() const {
    std::string text;
    for (const std::string *file : files())
      text += *file + ":" + fileStamp(file->c_str()) + ";";
    return text;
  }
};
#endif

} // namespace

void LZLinker::add(std::span<const std::byte> code, std::string name) {
  if (isBitcode(code)) {
    modules_.push_back({{code.begin(), code.end()}, std::move(name), Module::bitcode});
  } else if (spirv::isAmdDialect(code)) {
    try {
      modules_.push_back({spirv::withoutAmdDialect(code), std::move(name), Module::amdSpirv});
    } catch (const ParseError &error) {
      throw HipError(hipErrorInvalidImage, name + ": " + error.what());
    }
  } else if (spirv::isSpirv(code)) {
    modules_.push_back({{code.begin(), code.end()}, std::move(name), Module::spirv});
  } else {
    throw HipError(hipErrorInvalidImage, name + " is neither SPIR-V nor LLVM bitcode");
  }
}

std::vector<std::byte> LZLinker::link() {
  if (modules_.size() == 1 && modules_[0].kind == Module::spirv)
    return modules_[0].code;
  if (modules_.empty())
    throw HipError(hipErrorInvalidImage, "there is no code to link");

  const TemporaryFolder folder(TemporaryFolder::pattern("hiplz-link"));
  if (folder.path().empty())
    throw HipError(hipErrorOperatingSystem, "no folder for temporary files can be made: " +
                                                TemporaryFolder::pattern("hiplz-link") + ": " + std::strerror(errno));
  auto file = [&](const std::string &name) { return folder.path() + "/" + name; };
  auto step = [&](std::vector<std::string> arguments, const std::string &result) {
    const std::string output = file("output");
    const std::string program = fs::path(arguments[0]).filename().string();
    const bool succeeded = run(std::move(arguments), output);
    const std::vector<std::byte> said = readFile(output);
    log_.append(reinterpret_cast<const char *>(said.data()), said.size());
    if (!succeeded || ::access(result.c_str(), R_OK) != 0)
      throw HipError(hipErrorInvalidImage, program + " failed" + (log_.empty() ? "" : ":\n" + log_));
  };

  std::vector<std::string> bitcode, spirv, amdSpirv;
  for (size_t i = 0; i < modules_.size(); ++i) {
    const std::string input = file("input" + std::to_string(i));
    writeFile(input, modules_[i].code);
    (modules_[i].kind == Module::bitcode ? bitcode
     : modules_[i].kind == Module::spirv ? spirv
                                         : amdSpirv)
        .push_back(input);
  }

  if (!bitcode.empty() || !amdSpirv.empty()) {
#ifdef HIPLZ_HAS_TOOLCHAIN
    const Toolchain tools = Toolchain::find();
    for (const std::string &input : amdSpirv) {
      const std::string read = input + ".bc";
      step({tools.translator, "-r", "--spirv-target-env=SPV-IR", "-o", read, input}, read);
      bitcode.push_back(read);
    }
    const std::string linked = file("linked"), whole = file("whole"), lowered = file("lowered"), result = file("spirv");
    std::vector<std::string> link{tools.llvmLink, "-o", linked};
    link.insert(link.end(), bitcode.begin(), bitcode.end());
    step(link, linked);
    // The options apply to every input but the first.
    const auto linkLibrary = [&](const std::string &program, const std::string &library, const std::string &output) {
      step({tools.llvmLink, "-o", output, program, "--only-needed", "--internalize", "--suppress-warnings", library},
           output);
    };
    std::string passes = "-passes=hip-post-link-passes", program = linked;
    if (!amdSpirv.empty()) {
      linkLibrary(linked, tools.amdLibrary, program = file("amd"));
      passes = "-passes=function(sroa),hiplz-amd-dialect,hip-post-link-passes"; // pointers in variables are followed
    }
    linkLibrary(program, tools.deviceLibrary, whole);
    step({tools.opt, "-load-pass-plugin", tools.passes, passes, "-o", lowered, whole}, lowered);
    // The versions and extensions of HIPLZ stand in for whatever these options say.
    step({tools.translator, "--spirv-max-version=1.3", "--spirv-ext=+all", "-o", result, lowered}, result);
    spirv.push_back(result);
#else
    throw HipError(hipErrorSharedObjectInitFailed,
                   "this HIPLZ was built without the compile path: bitcode cannot be loaded");
#endif
  }
  if (spirv.size() == 1)
    return readFile(spirv[0]);
  const std::string result = file("module");
  std::vector<std::string> arguments{"spirv-link", "-o", result};
  arguments.insert(arguments.end(), spirv.begin(), spirv.end());
  step(arguments, result);
  return readFile(result);
}

void makeLoadable(DeviceImage &image, const std::string &origin, std::string &log) {
  if (!image.amdDialect && !isBitcode(image.spirv))
    return;
  std::vector<std::byte> made;
  std::string key;
  const DiskCache cache("amd-spirv");
#ifdef HIPLZ_HAS_TOOLCHAIN
  if (image.amdDialect) {
    key = contentKey(image.spirv) + " " + Toolchain::find().identity();
    if (auto known = cache.load(key))
      made = std::move(*known);
  }
#endif
  if (made.empty()) {
    LZLinker linker;
    linker.add(image.spirv, origin);
    made = linker.link();
    log = linker.log();
    if (!key.empty() && log.empty()) // what has been said must be said again
      cache.store(key, made);
  }
  image.owned = std::move(made);
  image.spirv = image.owned;
  image.native.clear(); // made from something else
  image.amdDialect = false;
}

} // namespace hiplz
