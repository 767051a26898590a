// SPDX-License-Identifier: MIT
// libhiprtc by itself, in a program that links nothing else of HIP, and what the cache takes for unchanged.
#include <hip/hiprtc.h>

#include <chrono>
#include <cstdio>
#include <fstream>
#include <string>
#include <unistd.h>

static double compile(const std::string &source, const std::string &option, hiprtcResult expected, size_t *size) {
  const auto begin = std::chrono::steady_clock::now();
  hiprtcProgram program;
  const char *options[] = {option.c_str()};
  if (hiprtcCreateProgram(&program, source.c_str(), "alone.hip", 0, nullptr, nullptr) != HIPRTC_SUCCESS ||
      hiprtcCompileProgram(program, 1, options) != expected)
    return -1;
  *size = 0;
  if (expected == HIPRTC_SUCCESS && hiprtcGetCodeSize(program, size) != HIPRTC_SUCCESS)
    return -1;
  hiprtcDestroyProgram(&program);
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count();
}

#define REQUIRE(condition)                                                                                             \
  if (!(condition)) {                                                                                                  \
    std::fprintf(stderr, "line %d: %s\n", __LINE__, #condition);                                                       \
    return 1;                                                                                                          \
  }

int main() {
  char folder[] = "/tmp/hiprtc-alone-XXXXXX";
  REQUIRE(::mkdtemp(folder));
  const std::string header = std::string(folder) + "/on_disk.h", option = std::string("-I") + folder;
  const std::string source = "#include \"on_disk.h\"\n__global__ void k(int *p) { BODY }";
  size_t size = 0, second = 0;
  REQUIRE(compile(source, option, HIPRTC_ERROR_COMPILATION, &size) > 0); // no header yet; errors are not kept
  std::ofstream(header) << "#define BODY *p = 1;\n";
  ::usleep(20000); // what has changed in the tick of the clock in which a compilation begins is not kept
  const double fresh = compile(source, option, HIPRTC_SUCCESS, &size);
  const double cached = compile(source, option, HIPRTC_SUCCESS, &second);
  std::printf("compiled in %.1f ms, from the cache in %.2f ms\n", fresh, cached);
  REQUIRE(fresh > 0 && cached > 0 && size > 0 && second == size);
  REQUIRE(cached < fresh);
  std::ofstream(header) << "#define BODY p[0] = p[1] + p[2] * p[3]; p[4] = p[5] / p[6];\n";
  REQUIRE(compile(source, option, HIPRTC_SUCCESS, &second) > 0);
  REQUIRE(second > size);
  std::remove(header.c_str());
  REQUIRE(compile(source, option, HIPRTC_ERROR_COMPILATION, &size) > 0);
  ::rmdir(folder);
  return 0;
}
