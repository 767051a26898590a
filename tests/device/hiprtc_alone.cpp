// SPDX-License-Identifier: MIT
// libhiprtc by itself, in a program that links nothing else of HIP, what the cache takes for unchanged, and for which
// options HIP's headers are parsed once for all.
#include <hip/hiprtc.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>
#include <unistd.h>

/// The lines of the log with `text` among them that were written since the last call.
class Log {
public:
  explicit Log(const std::string &file) : file_(file) {
    ::setenv("HIPLZ_LOG", "debug", 1); // before the first call
    std::freopen(file.c_str(), "w", stderr);
  }
  int count(const std::string &text) {
    std::ifstream stream(file_);
    const std::string all{std::istreambuf_iterator<char>(stream), {}};
    int found = 0;
    for (size_t at = all.find(text, seen_); at != all.npos; at = all.find(text, at + 1))
      ++found;
    seen_ = all.size();
    return found;
  }

private:
  std::string file_;
  size_t seen_ = 0;
};

static hiprtcResult compile(const std::string &source, const std::string &option, size_t *size) {
  hiprtcProgram program;
  const char *options[] = {option.c_str()};
  hiprtcResult result = hiprtcCreateProgram(&program, source.c_str(), "alone.hip", 0, nullptr, nullptr);
  if (result != HIPRTC_SUCCESS)
    return result;
  result = hiprtcCompileProgram(program, 1, options);
  *size = 0;
  if (result == HIPRTC_SUCCESS)
    result = hiprtcGetCodeSize(program, size);
  hiprtcDestroyProgram(&program);
  return result;
}

#define REQUIRE(condition)                                                                                             \
  if (!(condition)) {                                                                                                  \
    std::printf("line %d: %s\n", __LINE__, #condition);                                                                \
    return 1;                                                                                                          \
  }

int main() {
  char folder[] = "/tmp/hiprtc-alone-XXXXXX";
  REQUIRE(::mkdtemp(folder));
  const std::string header = std::string(folder) + "/on_disk.h", logFile = std::string(folder) + "/log";
  const std::string option = std::string("-I") + folder, compiling = "hipRTC: compiling alone.hip";
  const std::string source = "#include \"on_disk.h\"\n__global__ void k(int *p) { BODY }";
  size_t size = 0, second = 0;
  Log log(logFile);
  for (int i = 0; i < 2; ++i) { // no header yet; errors are not kept
    REQUIRE(compile(source, option, &size) == HIPRTC_ERROR_COMPILATION);
    REQUIRE(log.count(compiling) == 1);
  }
  std::ofstream(header) << "#define BODY *p = 1;\n";
  ::usleep(20000); // what has changed in the tick of the clock in which a compilation begins is not kept
  REQUIRE(compile(source, option, &size) == HIPRTC_SUCCESS && size > 0);
  REQUIRE(log.count(compiling) == 1);
  REQUIRE(compile(source, option, &second) == HIPRTC_SUCCESS && second == size);
  REQUIRE(log.count(compiling) == 0);
  std::ofstream(header) << "#define BODY p[0] = p[1] + p[2] * p[3]; p[4] = p[5] / p[6];\n";
  REQUIRE(compile(source, option, &second) == HIPRTC_SUCCESS && second > size);
  REQUIRE(log.count(compiling) == 1);
  std::remove(header.c_str());
  REQUIRE(compile(source, option, &size) == HIPRTC_ERROR_COMPILATION);
  REQUIRE(log.count(compiling) == 1);
  // HIP's headers have parameters called x, so they mean something else with such a macro.
  const std::pair<const char *, int> macros[] = {
      {"-DVALUE=2", 0}, {"-D__HIP_PLATFORM_AMD__=1", 0}, {"--hiplz-cuda", 0}, {"-Dx=3", 1}};
  for (const auto &[macro, parsed] : macros) {
    REQUIRE(compile("__global__ void k(int *p) { *p = " + std::to_string(::getpid()) + "; }", macro, &size) ==
            HIPRTC_SUCCESS);
    if (const int found = log.count("HIP's headers are parsed again"); found != parsed) {
      std::printf("%s: headers parsed %d times\n", macro, found);
      return 1;
    }
  }
  std::remove(logFile.c_str());
  ::rmdir(folder);
  return 0;
}
