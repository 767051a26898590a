// SPDX-License-Identifier: MIT
// Makes random kernels, runs them on the device in every way that its compiler has, and compares each result with that of the
// interpreter. A difference is made smaller, printed, and ends the program with 1. HIPLZ_LOG is error unless it is set.
#include "device.h"

#include <hip/hiprtc.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <map>
#include <optional>
#include <set>
#include <sstream>
#include <unistd.h>

using namespace fuzz;

namespace {

/// Set by SIGINT and SIGTERM: the counts are printed after the run that is on the way.
volatile std::sig_atomic_t stops = 0;

constexpr int kReducing = 300; // seconds that making one kernel smaller may take

const char *const kUsage =
    "usage: fuzz_kernels [options]\n"
    "  --seconds=N     how long new kernels are made (10)\n"
    "  --kernels=N     how many at most\n"
    "  --seed=N        of the first one (1); the next one has the next seed\n"
    "  --ways=A,B,...  how they are compiled, of vector:ISA, scalar:ISA and O0:ISA, or parts of these names (all)\n"
    "  --each          each kernel in all ways; otherwise in all of the vector path, and one of the scalar path and of "
    "O0\n"
    "  --huge          kernels for grids beyond 2^31 threads instead, on the vector path\n"
    "  --batch=N       kernels of a module (24); compiling many at once is quicker\n"
    "  --jobs=N        how many ways at once (2)\n"
    "  --keep=FOLDER   where failing kernels are written (.)\n"
    "  --compiler=C    C SOURCE OUTPUT LEVEL makes machine code of a source (tests/fuzz/machine_code.sh); all ways of "
    "it each time\n"
    "  --go-on         after a difference, too; nothing is reduced\n"
    "  --no-reduce     a difference is reported as it is\n"
    "  --print         the source of each kernel\n";

struct Options {
  unsigned long long seconds = 10, kernels = ~0ull, seed = 1, batch = 24, jobs = 2;
  std::string ways, keep = ".", compiler;
  bool each = false, huge = false, goOn = false, reduce = true, print = false;
};

Options parse(int count, char **arguments) {
  Options options;
  bool seconds = false;
  for (int i = 1; i < count; ++i) {
    const std::string argument = arguments[i];
    const size_t equals = argument.find('=');
    const std::string name = argument.substr(0, equals),
                      value = equals == std::string::npos ? "" : argument.substr(equals + 1);
    const auto number = [&] { return std::strtoull(value.c_str(), nullptr, 10); };
    if (name == "--seconds") {
      options.seconds = number();
      seconds = true;
    } else if (name == "--kernels")
      options.kernels = number();
    else if (name == "--seed")
      options.seed = number();
    else if (name == "--batch")
      options.batch = std::max(1ull, number());
    else if (name == "--jobs")
      options.jobs = std::max(1ull, number());
    else if (name == "--ways")
      options.ways = value;
    else if (name == "--keep")
      options.keep = value;
    else if (name == "--compiler")
      options.compiler = value;
    else if (name == "--each")
      options.each = true;
    else if (name == "--huge")
      options.huge = true;
    else if (name == "--go-on")
      options.goOn = true;
    else if (name == "--no-reduce")
      options.reduce = false;
    else if (name == "--print")
      options.print = true;
    else {
      std::fputs(kUsage, argument == "--help" ? stdout : stderr);
      std::exit(argument != "--help");
    }
  }
  if (!seconds && options.kernels != ~0ull)
    options.seconds = 1000000;
  return options;
}

/// Compiles a file to the device's code, in the folder that the program has for such files.
class Compiler {
public:
  /// By hipRTC, or by the command.
  explicit Compiler(std::string command) : command_(std::move(command)) {
    char name[] = "/tmp/fuzz_kernels.XXXXXX";
    if (!mkdtemp(name)) {
      std::perror("mkdtemp");
      std::exit(2);
    }
    folder_ = name;
  }
  ~Compiler() {
    for (const char *level : {"-O0", "-O1", "-O2", "-O3", ".hip"})
      std::remove(path(level).c_str());
    rmdir(folder_.c_str());
  }
  Compiler(Compiler &&) = delete;

  std::string path(const std::string &ending) const { return folder_ + "/kernels" + ending; }

  /// The path of the code; empty if the command refuses the source. If hipRTC does, the program ends.
  std::string compile(const std::string &source, const std::string &level) {
    if (!command_.empty())
      return compileByCommand(source, level);
    hiprtcProgram program;
    if (hiprtcCreateProgram(&program, source.c_str(), "fuzz.hip", 0, nullptr, nullptr) != HIPRTC_SUCCESS) {
      std::fputs("no program can be created\n", stderr);
      std::exit(2);
    }
    const char *options[] = {"-ffp-contract=off", level.c_str(), "-w"};
    if (hiprtcCompileProgram(program, 3, options) != HIPRTC_SUCCESS) {
      size_t size = 0;
      hiprtcGetProgramLogSize(program, &size);
      std::string log(size, ' ');
      hiprtcGetProgramLog(program, log.data());
      std::fprintf(stderr, "the source is refused:\n%s\n", log.substr(0, 2000).c_str());
      std::exit(2);
    }
    size_t size = 0;
    hiprtcGetCodeSize(program, &size);
    std::vector<char> code(size);
    hiprtcGetCode(program, code.data());
    hiprtcDestroyProgram(&program);
    std::ofstream(path(level), std::ios::binary).write(code.data(), std::streamsize(code.size()));
    return path(level);
  }

private:
  std::string compileByCommand(const std::string &source, const std::string &level) {
    std::ofstream(path(".hip")) << "#include <hip/hip_runtime.h>\n" << source;
    std::string &last = compiled_[level];
    if (last == source)
      return path(level);
    last.clear();
    const std::string command = command_ + " " + path(".hip") + " " + path(level) + " " + level;
    if (std::system(command.c_str()) != 0)
      return "";
    last = source;
    return path(level);
  }

  std::string folder_, command_;
  std::map<std::string, std::string> compiled_; ///< the source of each level that the command has accepted
};

/// A kernel, what it should do, and where it comes from.
struct Sample {
  uint64_t seed;
  std::optional<Kernel> kernel; ///< none of a huge one
  std::string body;             ///< the source as kernel k<number>
  Launch launch;
  std::vector<uint64_t> wanted;
};

struct Difference {
  size_t sample;
  Device *device;
  std::string text;
};

class Fuzzer {
public:
  explicit Fuzzer(const Options &options) : options_(options), compiler_(options.compiler) {
    std::stringstream names(options.ways);
    std::vector<std::string> parts;
    for (std::string part; std::getline(names, part, ',');)
      parts.push_back(part);
    for (auto &configuration : options.compiler.empty() ? allConfigurations() : machineCodeConfigurations()) {
      const std::string name = configuration.name();
      const bool wanted = parts.empty() || std::any_of(parts.begin(), parts.end(), [&](const std::string &part) {
                            return name.find(part) != std::string::npos;
                          });
      if (wanted && (!options.huge || (configuration.vector && configuration.level == 2)))
        devices_.push_back(std::make_unique<Device>(configuration));
    }
    if (devices_.empty()) {
      std::fputs("no way to compile has such a name\n", stderr);
      std::exit(2);
    }
  }

  int run() {
    using Clock = std::chrono::steady_clock;
    const auto begin = Clock::now();
    uint64_t seed = options_.seed;
    unsigned long long batches = 0;
    while (!stops && Clock::now() - begin < std::chrono::seconds(options_.seconds) && done_ < options_.kernels &&
           (wrong_ == 0 || options_.goOn)) {
      std::vector<Sample> samples;
      while (samples.size() < (options_.huge ? 1 : options_.batch) && done_ + samples.size() < options_.kernels)
        if (auto sample = make(seed++, samples.size()))
          samples.push_back(std::move(*sample));
      if (options_.print)
        for (const auto &sample : samples)
          std::printf("// seed %llu\n%s", (unsigned long long)sample.seed, sample.body.c_str());
      const auto devices = chosen(batches++);
      if (!options_.compiler.empty())
        leaveOutRefused(samples, devices);
      if (samples.empty())
        continue;
      const auto differences = test(samples, devices);
      std::vector<bool> seen(samples.size());
      for (const auto &difference : differences) {
        report(samples[difference.sample], difference, !seen[difference.sample]);
        seen[difference.sample] = true;
      }
      if (!differences.empty() && options_.reduce && !options_.goOn && samples[differences[0].sample].kernel)
        reduce(samples[differences[0].sample], *differences[0].device);
    }
    const auto seconds = std::chrono::duration<double>(Clock::now() - begin).count();
    std::printf(
        "seeds %llu to %llu: %llu kernels, %llu runs of them, %llu with a wrong result, %llu left out, %.0f s\n",
        options_.seed, (unsigned long long)seed - 1, done_, runs_, wrong_, leftOut_, seconds);
    if (refused_)
      std::printf("%llu of those left out are refused by the compiler\n", refused_);
    return wrong_ != 0;
  }

private:
  std::optional<Sample> make(uint64_t seed, size_t number) {
    if (options_.huge) {
      Huge huge = makeHuge(seed);
      Results wanted;
      wanted.slots = huge.slots;
      return Sample{seed, std::nullopt, huge.source, huge.launch, flat(wanted)};
    }
    Kernel kernel = makeKernel(seed);
    return sampleOf(seed, std::move(kernel), number);
  }

  std::optional<Sample> sampleOf(uint64_t seed, Kernel kernel, size_t number) {
    try {
      auto wanted = flat(interpret(kernel));
      auto body = sourceOf(kernel, "k" + std::to_string(number));
      const Launch launch = launchOf(kernel);
      return Sample{seed, std::move(kernel), std::move(body), launch, std::move(wanted)};
    } catch (const Undefined &undefined) {
      ++leftOut_;
      if (options_.print)
        std::printf("// seed %llu: %s\n", (unsigned long long)seed, undefined.what());
      return std::nullopt;
    }
  }

  std::vector<Device *> chosen(unsigned long long batch) {
    std::vector<Device *> result, scalar, plain;
    for (auto &device : devices_) {
      const Configuration &way = device->configuration();
      const bool always = options_.each || !options_.compiler.empty();
      (always || (way.vector && way.level == 2) ? result : way.level == 2 ? scalar : plain).push_back(device.get());
    }
    for (const auto *some : {&scalar, &plain})
      if (!some->empty())
        result.push_back((*some)[batch % some->size()]);
    return result;
  }

  std::string fileOf(const std::vector<Sample> &samples) const {
    std::string source = prelude();
    for (const auto &sample : samples)
      source += sample.body;
    return source;
  }

  /// Removes the kernels that the command refuses at one of the levels, and says which.
  void leaveOutRefused(std::vector<Sample> &samples, const std::vector<Device *> &devices) {
    std::set<std::string> levels;
    for (const Device *device : devices)
      levels.insert("-O" + std::to_string(device->configuration().level));
    for (const std::string &level : levels) {
      if (samples.empty() || !compiler_.compile(fileOf(samples), level).empty())
        continue;
      std::vector<Sample> accepted;
      for (auto &sample : samples) {
        auto alone = *sampleOf(sample.seed, *sample.kernel, accepted.size());
        if (compiler_.compile(fileOf({alone}), level).empty())
          refuse(sample, level);
        else
          accepted.push_back(std::move(alone));
      }
      if (accepted.size() == samples.size()) { // only together
        for (const auto &sample : samples)
          refuse(sample, level);
        accepted.clear();
      }
      samples = std::move(accepted);
    }
  }

  void refuse(const Sample &sample, const std::string &level) {
    std::fprintf(stderr, "seed %llu is refused by the compiler at %s\n", (unsigned long long)sample.seed,
                 level.c_str());
    ++leftOut_;
    ++refused_;
  }

  /// The differences from what is wanted, those of the first samples first.
  std::vector<Difference> test(const std::vector<Sample> &samples, const std::vector<Device *> &devices) {
    std::vector<Launch> launches;
    for (const auto &sample : samples)
      launches.push_back(sample.launch);
    const std::string source = fileOf(samples);
    std::string paths[4];
    std::vector<Difference> result;
    size_t begun = 0;
    const auto begin = [&](Device *device) {
      const int level = device->configuration().level;
      if (paths[level].empty())
        paths[level] = compiler_.compile(source, "-O" + std::to_string(level));
      if (paths[level].empty()) // a kernel that is being made smaller
        return false;
      device->begin(paths[level], launches);
      return true;
    };
    for (size_t d = 0; d < devices.size(); ++d) {
      for (; begun < devices.size() && begun < d + options_.jobs; ++begun)
        if (!begin(devices[begun]))
          return {};
      for (size_t i = 0; i < samples.size(); ++i) {
        if (stops)
          return result;
        const Outcome outcome = devices[d]->next();
        if (stops && !outcome.ran) // the signal was for the process that runs it, too
          return result;
        ++runs_;
        done_ += d == 0;
        if (!outcome.ran)
          result.push_back({i, devices[d], outcome.error});
        else if (outcome.results != samples[i].wanted)
          result.push_back({i, devices[d], firstDifference(samples[i], outcome.results)});
      }
    }
    std::stable_sort(result.begin(), result.end(),
                     [](const Difference &a, const Difference &b) { return a.sample < b.sample; });
    return result;
  }

  static std::string firstDifference(const Sample &sample, const std::vector<uint64_t> &found) {
    const auto &wanted = sample.wanted;
    const size_t threads = sample.launch.total, words = threads * kResults, items = threads * kOutputSpread;
    size_t at = 0, wrong = 0;
    for (size_t i = std::min(found.size(), wanted.size()); i-- > 0;)
      if (found[i] != wanted[i]) {
        at = i;
        ++wrong;
      }
    char text[300];
    std::string what;
    const unsigned *block = sample.launch.block;
    const size_t size = size_t(block[0]) * block[1] * block[2];
    if (at < words)
      what = "thread " + std::to_string(at / kResults % size) + " of block " + std::to_string(at / kResults / size) +
             (at % kResults == kVariables ? ", arrays and members" : ", v" + std::to_string(at % kResults));
    else if (at < words + kOutputs * items)
      what = "o" + std::to_string((at - words) / items) + "[" + std::to_string((at - words) % items) + "]";
    else if (at < words + kOutputs * items + kSlots)
      what = "slots[" + std::to_string(at - words - kOutputs * items) + "]";
    else
      what = "a list";
    std::snprintf(text, sizeof text, "%s is %#llx, expected %#llx (%zu words differ)", what.c_str(),
                  (unsigned long long)found[at], (unsigned long long)wanted[at], wrong);
    return text;
  }

  static std::string headOf(const Sample &sample, const Difference &difference) {
    const Launch &launch = sample.launch;
    char text[600];
    std::snprintf(text, sizeof text, "seed %llu, %s, grid %u x %u x %u, block %u x %u x %u: %s",
                  (unsigned long long)sample.seed, difference.device->configuration().name().c_str(), launch.grid[0],
                  launch.grid[1], launch.grid[2], launch.block[0], launch.block[1], launch.block[2],
                  difference.text.c_str());
    return text;
  }

  void report(const Sample &sample, const Difference &difference, bool first) {
    wrong_ += first;
    const std::string text = headOf(sample, difference);
    std::fprintf(stderr, "%s\n", text.c_str());
    std::ofstream file(options_.keep + "/fuzz-" + std::to_string(sample.seed) + ".hip",
                       first ? std::ios::trunc : std::ios::app);
    if (first)
      file << "#include <hip/hip_runtime.h>\n" << fileOf({sample});
    file << "// " << text << "\n";
  }

  /// Takes away what does not matter to a difference, and writes what is left.
  void reduce(const Sample &original, Device &device) {
    Sample smallest = original;
    const auto begin = std::chrono::steady_clock::now();
    const auto late = [&] { return std::chrono::steady_clock::now() - begin > std::chrono::seconds(kReducing); };
    for (bool smaller = true; smaller && !late();) {
      smaller = false;
      const std::vector<Edit> edits = editsOf(*smallest.kernel);
      for (size_t next = 0; next < edits.size() && !smaller && !late();) {
        std::vector<std::vector<Edit>> tried;
        for (; next < edits.size() && tried.size() < options_.batch; ++next)
          tried.push_back({edits[next]});
        auto useful = stillWrong(smallest, tried, device);
        for (std::vector<Edit> all; useful.size() > 1;
             useful.resize(useful.size() / 2)) { // at once, or as many as can be
          all.clear();
          for (const auto &edit : useful)
            all.push_back(edit[0]);
          if (!stillWrong(smallest, {all}, device).empty()) {
            useful = {all};
            break;
          }
        }
        smaller = !useful.empty();
        if (smaller)
          smallest = *sampleOf(original.seed, *withEdits(*smallest.kernel, useful[0]), 0);
      }
    }
    const auto differences = test({smallest}, {&device});
    if (differences.empty()) // it comes and goes
      return;
    std::fprintf(stderr, "made smaller:\n%s%s\n", smallest.body.c_str(), differences[0].text.c_str());
    std::ofstream file(options_.keep + "/fuzz-" + std::to_string(original.seed) + "-reduced.hip");
    file << "#include <hip/hip_runtime.h>\n" << fileOf({smallest}) << "// " << headOf(smallest, differences[0]) << "\n";
  }

  /// Those of the edits with which the device is still wrong.
  std::vector<std::vector<Edit>> stillWrong(const Sample &sample, const std::vector<std::vector<Edit>> &edits,
                                            Device &device) {
    std::vector<Sample> samples;
    std::vector<size_t> numbers;
    for (size_t i = 0; i < edits.size(); ++i) {
      auto kernel = withEdits(*sample.kernel, edits[i]);
      if (!kernel || !wellFormed(*kernel))
        continue;
      if (auto edited = sampleOf(sample.seed, std::move(*kernel), samples.size())) {
        samples.push_back(std::move(*edited));
        numbers.push_back(i);
      }
    }
    std::vector<std::vector<Edit>> result;
    for (const auto &difference : test(samples, {&device}))
      result.push_back(edits[numbers[difference.sample]]);
    return result;
  }

  const Options options_;
  Compiler compiler_;
  std::vector<std::unique_ptr<Device>> devices_;
  unsigned long long done_ = 0, runs_ = 0, wrong_ = 0, leftOut_ = 0, refused_ = 0;
};

} // namespace

int main(int count, char **arguments) {
  if (count > 1 && !std::strcmp(arguments[1], "--worker"))
    return runWorker();
  std::signal(SIGPIPE, SIG_IGN); // a worker that has ended shows when its answer is read
  for (const int number : {SIGINT, SIGTERM})
    std::signal(number, [](int) { stops = 1; });
  setenv("HIPLZ_CACHE", "0", 1);
  return Fuzzer(parse(count, arguments)).run();
}
