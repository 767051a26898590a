// SPDX-License-Identifier: MIT
// hipcc: compiles HIP programs with the stock clang. It finds the prefix that it was installed into and a clang, asks
// plan.h what to run, and becomes that process; where a command leaves files behind, it stays and cleans up.
#include "base/env.h"
#include "base/temporary_folder.h"
#include "fatbin/device_objects.h"
#include "tools/hipcc/plan.h"
#include "tools/long_command.h"
#include "tools/prefix.h"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <optional>
#include <spawn.h>
#include <string_view>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

namespace hiplz::hipcc {

namespace {

constexpr const char kHelp[] =
    R"(usage: hipcc [options] files...
Compiles and links HIP programs for every device that speaks oneAPI Level Zero. It runs the stock clang++; all of clang's
options work. Files that end in .hip .cpp .cc .cxx .C .cu are HIP, .c is C, -x says otherwise; anything else is for the
linker, in the order given. Without -O and -g it compiles with -O3.

  --genco              make a code object for hipModuleLoad instead of a program
  -fgpu-rdc            let kernels call device functions of other files (when compiling and when linking)
  --offload-arch=...   Intel's names (pvc,adl-s,...): puts native code for these GPUs beside the SPIR-V, with ocloc; names of
                       other vendors are ignored. Without, too, a program runs on every device.
  --recursion-stack=N  bytes that each thread has for recursive functions on GPUs (8192)
  --cxxflags           print what hipcc adds to a compilation
  --ldflags            print what hipcc adds to a link
  --version            print the versions of HIP and of clang; --short-version: of HIP alone
  -v, -###             show the commands; -### does not run them

Environment:
  HIPLZ_CLANG                  the clang++ to run
  HIP_CLANG_PATH               the folder with the clang++ to run
  HIPLZ_OCLOC                  the ocloc to run
  HIPLZ_OFFLOAD_ARCH           GPUs for native code when --offload-arch names none of Intel's
  HIPCC_COMPILE_FLAGS_APPEND   added to each compilation, quoted as in a shell
  HIPCC_LINK_FLAGS_APPEND      added to each link
  HIPCC_VERBOSE                1: print the command; 2: and these variables; 4: and the arguments given
)";

// A folder for the files between commands and for those of clang, which forgets the empty folders that it makes in
// TMPDIR. They are removed with the process, however the plan ends. What clang has left on purpose stays, such as the
// source of a crash that its message names.
class TemporaryFiles {
public:
  TemporaryFiles() = default;
  TemporaryFiles(const TemporaryFiles &) = delete;
  TemporaryFiles &operator=(const TemporaryFiles &) = delete;
  ~TemporaryFiles() {
    std::error_code ignored;
    if (interrupted_)
      std::filesystem::remove_all(folder_, ignored);
    for (const std::string &file : files_)
      unlink(file.c_str());
    if (!folder_.empty())
      removeEmptyFolders(folder_);
  }
  /// A command was ended by a signal, so what it has left is useless.
  void noteInterruption() { interrupted_ = true; }
  /// The folder, which the first call makes; empty if that fails, with the reason in errno.
  const std::string &folder() {
    if (folder_.empty())
      if (std::string name = TemporaryFolder::pattern("hipcc"); mkdtemp(name.data()))
        folder_ = std::move(name);
    return folder_;
  }
  /// A path that does not exist yet.
  std::string newFile(const std::string &ending) {
    if (folder().empty()) {
      std::fprintf(stderr, "hipcc: cannot make a folder for temporary files: %s: %s\n",
                   TemporaryFolder::pattern("hipcc").c_str(), std::strerror(errno));
      std::exit(1);
    }
    return files_.emplace_back(folder_ + "/" + std::to_string(files_.size()) + ending);
  }

private:
  static void removeEmptyFolders(const std::filesystem::path &folder) {
    std::error_code ignored;
    for (std::filesystem::directory_iterator at(folder, ignored), end; at != end; at.increment(ignored))
      if (at->is_directory(ignored) && !at->is_symlink(ignored))
        removeEmptyFolders(at->path());
    rmdir(folder.c_str());
  }

  std::string folder_;
  Words files_;
  bool interrupted_ = false;
};

void say(const Words &words) {
  for (const std::string &word : words) {
    const bool plain = !word.empty() && word.find_first_of(" \t\n\"'\\$`&|;<>()*?[]#~!{}") == word.npos;
    std::string quoted = word;
    if (!plain) {
      quoted = "'";
      for (const char c : word)
        quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
      quoted += "'";
    }
    std::fprintf(stderr, " %s", quoted.c_str());
  }
  std::fputc('\n', stderr);
}

int cannotRun(const std::string &program, int error) {
  std::fprintf(stderr, "hipcc: cannot run %s: %s\n", program.c_str(), std::strerror(error));
  return 127;
}

// The signals that end a compilation.
sigset_t endingSignals() {
  sigset_t signals;
  sigemptyset(&signals);
  for (const int signal : {SIGHUP, SIGINT, SIGQUIT, SIGTERM})
    sigaddset(&signals, signal);
  return signals;
}

// Hands on what clang says, with the name of the target that it leaves out: "1 error generated when compiling for ."
void handOn(int channel) {
  constexpr std::string_view kNameless = " when compiling for .\n", kNamed = " when compiling for spirv64.\n";
  std::string pending;
  char buffer[4096];
  for (ssize_t count; (count = read(channel, buffer, sizeof buffer)) != 0;) {
    if (count < 0 && errno != EINTR)
      break;
    pending.append(buffer, static_cast<size_t>(std::max<ssize_t>(count, 0)));
    for (size_t end; (end = pending.find('\n')) != pending.npos; pending.erase(0, end + 1)) {
      std::string line = pending.substr(0, end + 1);
      if (line.ends_with(kNameless))
        line.replace(line.size() - kNameless.size(), kNameless.size(), kNamed);
      std::fputs(line.c_str(), stderr);
    }
  }
  std::fputs(pending.c_str(), stderr);
  close(channel);
}

// Runs a command while this process stays, which cleans up when a signal ends the command. The terminal's signals reach
// both; those that somebody sent to this process are handed on. Returns the status from waitpid.
int runAndWait(Words command) {
  // Clang writes to a pipe, so it would not find out that somebody is looking.
  const auto isAboutColor = [](const std::string &word) {
    return word.find("color") != word.npos && word.starts_with("-f");
  };
  if (isatty(STDERR_FILENO) && std::ranges::none_of(command, isAboutColor))
    command.insert(command.begin() + 1, "-fcolor-diagnostics");
  const Words words = shortEnough(command);
  std::fflush(stdout);
  signal(SIGCHLD, SIG_DFL); // if it were ignored, nobody would learn how the command ended
  sigset_t waitedFor = endingSignals(), before;
  sigaddset(&waitedFor, SIGCHLD);
  sigprocmask(SIG_BLOCK, &waitedFor, &before);
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setsigmask(&attributes, &before);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK);
  int channel[2] = {-1, -1};
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  const bool filtered = pipe2(channel, O_CLOEXEC) == 0;
  if (filtered)
    posix_spawn_file_actions_adddup2(&actions, channel[1], STDERR_FILENO);
  pid_t child = 0;
  const int error = posix_spawn(&child, words[0].c_str(), &actions, &attributes, pointersTo(words).data(), environ);
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  std::thread reader;
  if (filtered) {
    close(channel[1]);
    reader = std::thread(handOn, channel[0]);
  }
  int status = 0;
  if (error)
    status = cannotRun(words[0], error) << 8;
  while (!error && waitpid(child, &status, WNOHANG) == 0) {
    siginfo_t info;
    if (const int signal = sigwaitinfo(&waitedFor, &info); signal > 0 && signal != SIGCHLD && info.si_code <= 0)
      kill(child, signal);
  }
  // A command that a signal has ended may leave processes of its own behind, which keep the pipe open.
  if (reader.joinable())
    WIFSIGNALED(status) ? reader.detach() : reader.join();
  sigprocmask(SIG_SETMASK, &before, nullptr);
  return status;
}

int become(const Words &command) {
  execCommand(command);
  return cannotRun(command[0], errno);
}

unsigned verbosity() {
  const char *value = std::getenv("HIPCC_VERBOSE");
  return value ? std::strtoul(value, nullptr, 0) : 0;
}

Words wordsOfVariable(const char *name) {
  const char *value = std::getenv(name);
  return value ? splitWords(value) : Words();
}

// Device code of a static library, as objects in the temporary folder.
LibraryWithDeviceCode deviceCodeOfLibrary(const std::string &library, const Words &folders, TemporaryFiles &files) {
  const std::string path = findStaticLibrary(library, folders);
  Words objects;
  for (const std::string &code : deviceCodesOfLibrary(path)) {
    objects.push_back(files.newFile(".o"));
    std::ofstream(objects.back(), std::ios::binary) << objectWithDeviceCode(code);
  }
  return {path, objects};
}

// Gives what a compilation has written to a device or a pipe, which takes no other file's place.
int copyInto(const Output &output) {
  const std::optional<std::string> bytes = readFile(output.file);
  std::ofstream target(output.target, std::ios::binary);
  if (bytes)
    target << *bytes;
  if (bytes && target.flush())
    return 0;
  std::fprintf(stderr, "hipcc: cannot write %s: %s\n", output.target.c_str(), std::strerror(errno));
  return 1;
}

// Returns the exit code. If one of endingSignals has ended a command, it is in `signal`.
int run(const Words &given, int &signal) {
  const auto has = [&](const char *word) { return std::find(given.begin(), given.end(), word) != given.end(); };
  if (has("--help") || has("-h")) {
    std::fputs(kHelp, stdout);
    return 0;
  }
  if (has("--short-version")) {
    std::printf("%s", hipVersionText().c_str());
    return 0;
  }
  const std::string prefix = installedPrefix();
  if (has("--cxxflags") || has("--ldflags")) {
    if (has("--cxxflags"))
      std::printf("-x hip --offload=spirv64 --hip-path=%s -B%s/lib/hiplz/bin -isystem %s/include", prefix.c_str(),
                  prefix.c_str(), prefix.c_str());
    if (has("--ldflags"))
      std::printf("%s-L%s/lib -lhiplz -Wl,-rpath,%s/lib", has("--cxxflags") ? " " : "", prefix.c_str(), prefix.c_str());
    return 0;
  }
  const FoundClang found = findClang();
  if (found.path.empty()) {
    std::fprintf(stderr, "hipcc: %s\n", found.problem.c_str());
    return 1;
  }
  const std::string &clang = found.path;
  TemporaryFiles files;
  Settings settings;
  settings.clang = clang;
  settings.prefix = prefix;
  settings.compileFlags = wordsOfVariable("HIPCC_COMPILE_FLAGS_APPEND");
  settings.linkFlags = wordsOfVariable("HIPCC_LINK_FLAGS_APPEND");
  settings.temporaryFile = [&](const std::string &ending) { return files.newFile(ending); };
  settings.holdsDeviceCode = [](const std::string &path) {
    const std::optional<std::string> object = readFile(path);
    return object && deviceCodeOf(*object);
  };
  settings.isSpecialFile = [](const std::string &path) {
    std::error_code error;
    return std::filesystem::is_other(path, error);
  };
  settings.deviceCodeOfLibrary = [&](const std::string &library, const Words &folders) {
    return deviceCodeOfLibrary(library, folders, files);
  };
  settings.devices = splitNames(envString(EnvVar::HIPLZ_OFFLOAD_ARCH));
  const Words words = expandResponseFiles(given, readFile);
  const Plan plan = makePlan(words, settings);
  const std::string error = plan.error.empty() && !plan.devices.empty() && findOcloc().empty() ? kNoOcloc : plan.error;
  if (!error.empty()) {
    std::fprintf(stderr, "hipcc: %s\n", error.c_str());
    return 1;
  }
  for (const std::string &warning : plan.warnings)
    std::fprintf(stderr, "hipcc: warning: %s\n", warning.c_str());
  if (!plan.recursionStack.empty()) // for the link-time passes
    setenv("HIPLZ_RECURSION_STACK", plan.recursionStack.c_str(), 1);
  if (!plan.devices.empty()) { // for the clang-offload-bundler that clang will find
    std::string names;
    for (const std::string &name : plan.devices)
      names += (names.empty() ? "" : ",") + name;
    setenv("HIPLZ_OFFLOAD_ARCH", names.c_str(), 1);
    setenv("HIPLZ_CLANG", clang.c_str(), 1);
  }

  if (std::find(words.begin(), words.end(), "-v") != words.end())
    for (const std::string &note : plan.notes)
      std::fprintf(stderr, "hipcc: note: %s\n", note.c_str());
  const unsigned verbose = verbosity();
  if (verbose & 2)
    for (const char *name : {"HIPLZ_CLANG", "HIP_CLANG_PATH", "HIPCC_COMPILE_FLAGS_APPEND", "HIPCC_LINK_FLAGS_APPEND"})
      std::fprintf(stderr, "hipcc-env: %s=%s\n", name, std::getenv(name) ? std::getenv(name) : "");
  if (verbose & 4) {
    std::fputs("hipcc-args:", stderr);
    say(given);
  }
  for (const Words &command : plan.commands) {
    if (verbose & 1) {
      std::fputs("hipcc-cmd:", stderr);
      say(command);
    }
    // If nothing remains to be done afterwards, clang takes the place of this process.
    if (!plan.makesTemporaryFiles || files.folder().empty())
      return become(command);
    setenv("TMPDIR", files.folder().c_str(), 1);
    const int status = runAndWait(command);
    if (WIFSIGNALED(status)) {
      files.noteInterruption();
      const sigset_t ending = endingSignals();
      signal = sigismember(&ending, WTERMSIG(status)) ? WTERMSIG(status) : 0;
      return 128 + WTERMSIG(status);
    }
    if (WEXITSTATUS(status))
      return WEXITSTATUS(status);
  }
  if (!plan.output.file.empty())
    return copyInto(plan.output);
  // After clang's lines: build systems take the first number that they find for the version of the compiler.
  if (has("--version"))
    std::printf("HIP version: %s\n", hipVersionText().c_str());
  return 0;
}

} // namespace

} // namespace hiplz::hipcc

int main(int count, char **arguments) {
  int signal = 0;
  const int code = hiplz::hipcc::run({arguments + 1, arguments + count}, signal);
  if (signal) // for make and shells, which look at how their children ended
    std::raise(signal);
  return code;
}
