// SPDX-License-Identifier: MIT
// Whatever happens to the cache of compiled modules, programs run: an empty folder, a warm one, damaged entries, entries
// that the driver refuses, a folder that cannot be written, no cache, many processes at once. The program starts itself
// with different environments and reads what it logs.
#include "tests/device/check.h"

#include <chrono>
#include <dlfcn.h>
#include <filesystem>
#include <fstream>
#include <string>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#ifndef __HIP_DEVICE_COMPILE__
#define XXH_INLINE_ALL
#include <xxhash.h>
#endif

namespace fs = std::filesystem;

__global__ void fill(int *data) { data[threadIdx.x] = threadIdx.x * 3; }

static int child() {
  DeviceArray<int> data(64);
  fill<<<1, 64>>>(data);
  HIP_CHECK(hipGetLastError());
  CHECK_EQ(data.host()[63], 189);
  return checkFailures;
}

/// Starts a child with this cache folder; its log goes to a file.
static pid_t start(const std::string &folder, const std::string &log, const char *enabled = "1") {
  pid_t pid = ::fork();
  if (pid == 0) {
    ::setenv("HIPLZ_CACHE_DIR", folder.c_str(), 1);
    ::setenv("HIPLZ_CACHE", enabled, 1);
    ::setenv("HIPLZ_LOG", "info", 1);
    if (!std::freopen(log.c_str(), "w", stderr))
      ::_exit(3);
    ::execl("/proc/self/exe", "module_cache", "child", nullptr);
    ::_exit(4);
  }
  return pid;
}
static int finish(pid_t pid) {
  int status = -1;
  ::waitpid(pid, &status, 0);
  return status;
}
static std::string read(const fs::path &path) {
  std::ifstream file(path, std::ios::binary);
  return std::string((std::istreambuf_iterator<char>(file)), {});
}
static std::string root;
static std::string run(const std::string &folder, const char *enabled = "1") {
  const std::string log = root + "/log";
  CHECK_EQ(finish(start(folder, log, enabled)), 0);
  return read(log);
}
static bool contains(const std::string &text, const char *part) { return text.find(part) != text.npos; }

/// All entries of code, from the runtime or from a driver that compiles kernels one by one. `opencl` holds what is known of devices.
static std::vector<fs::path> entries(const std::string &folder) {
  std::vector<fs::path> found;
  std::error_code error;
  for (const fs::directory_entry &entry : fs::recursive_directory_iterator(folder, error))
    if (entry.is_regular_file() && entry.path().parent_path().filename() != "opencl")
      found.push_back(entry.path());
  return found;
}

/// The entry that a warm start reads: that of the module, with its only kernel.
static fs::path moduleEntry(const std::string &folder) {
  const std::vector<fs::path> all = entries(folder);
  for (const fs::path &path : all)
    if (all.size() == 1 || contains(read(path), "|module"))
      return path;
  CHECK(false);
  return {};
}

/// An entry as it should be, but for what it holds.
static void replacePayload(const fs::path &path, const std::string &payload) {
#ifndef __HIP_DEVICE_COMPILE__
  std::string entry = read(path);
  uint64_t keyBytes;
  std::memcpy(&keyBytes, entry.data() + 8, 8);
  XXH128_hash_t hash = XXH3_128bits(payload.data(), payload.size());
  const uint64_t numbers[] = {payload.size(), hash.low64, hash.high64};
  entry.replace(16, sizeof numbers, reinterpret_cast<const char *>(numbers), sizeof numbers);
  entry.resize(8 + 4 * 8 + keyBytes);
  std::ofstream(path, std::ios::binary) << entry << payload;
#endif
}

/// A cache with the program's module in it, as one run leaves it.
struct Warm {
  explicit Warm(const char *name) : folder(root + "/" + name) {
    run(folder);
    files = entries(folder).size();
    CHECK(files == 1 || files == 2); // the other one is what kernels are compiled from
    entry = moduleEntry(folder);
    whole = read(entry);
  }
  std::string folder;
  size_t files;      // of a module
  fs::path entry;    // what a warm start reads,
  std::string whole; // and what that holds
};

TEST(warm) {
  const Warm cache("warm");
  const auto written = fs::last_write_time(cache.entry);
  const std::string log = run(cache.folder);
  CHECK(!contains(log, "damaged") && !contains(log, "cached binary") && !contains(log, "is not used"));
  CHECK(fs::last_write_time(cache.entry) == written);
}

TEST(damagedEntries) {
  const Warm cache("damaged");
  for (size_t size : {size_t(0), size_t(20), cache.whole.size() / 2, cache.whole.size() - 1}) {
    std::ofstream(cache.entry, std::ios::binary) << cache.whole.substr(0, size);
    CHECK(contains(run(cache.folder), "damaged"));
    CHECK(read(cache.entry) == cache.whole);
  }
  std::string changed = cache.whole;
  changed[changed.size() - 10] ^= 1;
  std::ofstream(cache.entry, std::ios::binary) << changed;
  CHECK(contains(run(cache.folder), "damaged"));
}

TEST(entriesThatTheDriverRefuses) {
  const Warm cache("refused");
  for (const std::string &payload : {std::string(), std::string("x"), std::string(1000, 'y')}) {
    replacePayload(cache.entry, payload);
    const std::string log = run(cache.folder);
    CHECK(contains(log, "rejects the cached binary") || contains(log, "a module in the cache of the CPU device"));
    CHECK(read(cache.entry) == cache.whole);
  }
}

TEST(noFolder) {
  const std::string file = root + "/file";
  std::ofstream(file) << "no folder";
  CHECK(contains(run(file + "/below/a/file"), "is not writable"));
}

TEST(turnedOff) {
  const std::string off = root + "/off";
  run(off, "0");
  CHECK(!fs::exists(off));
}

TEST(manyProcessesAtOnce) {
  const Warm alone("alone");
  const std::string common = root + "/common";
  std::vector<pid_t> children;
  for (int i = 0; i < 6; ++i)
    children.push_back(start(common, root + "/log" + std::to_string(i)));
  for (pid_t pid : children)
    CHECK_EQ(finish(pid), 0);
  CHECK_EQ(entries(common).size(), alone.files); // no temporary file is left
}

/// The driver of the CPU device and its compiler in a folder of their own, where they can be changed.
TEST(anotherCompilerMakesAnotherEntry) {
#ifndef __HIP_DEVICE_COMPILE__
  Dl_info info{};
  ::dladdr(reinterpret_cast<const void *>(&hipDriverGetVersion), &info);
  const fs::path libraries = fs::canonical(info.dli_fname).parent_path();
  const fs::path driver = "libze_hiplz_cpu.so.1", compiler = "hiplz/bin/hiplz-cpu-compiler";
  if (!fs::exists(libraries / driver))
    return; // a runtime without the CPU device
  const size_t filesOfAModule = Warm("unchanged").files;
  const fs::path copies = root + "/lib";
  fs::create_directories(copies / "hiplz/bin");
  for (const fs::path &file : {driver, compiler})
    fs::copy_file(libraries / file, copies / file);
  ::setenv("ZE_ENABLE_ALT_DRIVERS", (copies / driver).c_str(), 1);
  const std::string folder = root + "/another";
  for (int i = 0; i < 2; ++i) {
    run(folder);
    CHECK_EQ(entries(folder).size(), filesOfAModule);
  }
  fs::last_write_time(copies / compiler, fs::last_write_time(libraries / compiler) + std::chrono::seconds(1));
  run(folder);
  CHECK_EQ(entries(folder).size(), 2 * filesOfAModule);
  ::unsetenv("ZE_ENABLE_ALT_DRIVERS");
#endif
}

/// A compilation that cannot begin for the moment.
static int launchWithFewDescriptors() {
  DeviceArray<int> data(64);
  rlimit before;
  ::getrlimit(RLIMIT_NOFILE, &before);
  rlimit few = before;
  few.rlim_cur = 4;
  ::setrlimit(RLIMIT_NOFILE, &few);
  fill<<<1, 64>>>(data);
  const hipError_t refused = hipGetLastError();
  ::setrlimit(RLIMIT_NOFILE, &before);
  CHECK_EQ(int(refused), int(hipErrorOperatingSystem));
  fill<<<1, 64>>>(data);
  HIP_CHECK(hipGetLastError());
  CHECK_EQ(data.host()[63], 189);
  return checkFailures;
}

TEST(shortOfDescriptors) {
  ::setenv("HIPLZ_TEST_SHORT", "1", 1);
  run(root + "/short", "0");
  ::unsetenv("HIPLZ_TEST_SHORT");
}

int main(int argc, char **argv) {
  if (argc > 1 && argv[1] == std::string("child"))
    return std::getenv("HIPLZ_TEST_SHORT") ? launchWithFewDescriptors() : child();
  char name[] = "/tmp/hiplz_module_cache_XXXXXX";
  root = ::mkdtemp(name);
  const int result = runTests(argc, argv);
  fs::remove_all(root);
  return result;
}
