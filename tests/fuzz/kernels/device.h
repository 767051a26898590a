// SPDX-License-Identifier: MIT
// Kernels on the device: each combination of an instruction set, a path of the CPU device's compiler and a level of optimisation
// has a process of its own, because the runtime reads its environment once and a kernel may take a process with it.
#pragma once
#include "program.h"

#include <sys/types.h>

namespace fuzz {

/// One way to compile a kernel.
struct Configuration {
  std::string isa; ///< as HIPLZ_CPU_ISA has it
  bool vector = true;
  int level = 2; ///< of optimisation
  std::string name() const {
    return (level != 2 ? "O" + std::to_string(level) + ":" : vector ? "vector:" : "scalar:") + isa;
  }
};
/// Those that this processor has: the vector path with each instruction set, the scalar one with each at -O2 and -O0.
std::vector<Configuration> allConfigurations();
/// The same for machine code, which another compiler makes: each instruction set, and all levels with the widest one.
std::vector<Configuration> machineCodeConfigurations();

/// How a kernel is launched.
struct Launch {
  unsigned grid[3], block[3];
  int parameters[kParameters];
  unsigned total = 0; ///< threads
  bool huge = false;  ///< it only has the slots, and its grid is given in threads
};
Launch launchOf(const Kernel &kernel);

/// The results as one vector, for comparisons.
std::vector<uint64_t> flat(const Results &results);

struct Outcome {
  bool ran = false;
  std::string error; ///< why it has not
  std::vector<uint64_t> results;
};

/// A process that runs kernels in one way. Not thread-safe.
class Device {
public:
  explicit Device(Configuration configuration) : configuration_(std::move(configuration)) {}
  ~Device() { stop(); }
  Device(Device &&) = delete;

  const Configuration &configuration() const { return configuration_; }
  /// Begins to run the kernels k0, k1, ... of the module in a file.
  void begin(const std::string &path, const std::vector<Launch> &launches);
  /// Waits for the results of the next one. After a fault or a time-out the process begins again.
  Outcome next();

private:
  void start();
  void stop();
  bool get(void *to, size_t size, int milliseconds);
  void sendRest();

  Configuration configuration_;
  pid_t process_ = -1;
  int to_ = -1, from_ = -1;
  std::string path_;
  std::vector<Launch> launches_;
  size_t done_ = 0;
};

/// The main function of such a process; main() calls it if the first argument is --worker.
int runWorker();

/// A kernel for grids with more than 2^31 threads, of which few do something.
struct Huge {
  std::string source; ///< k0 takes (unsigned *slots)
  Launch launch{};
  std::array<uint32_t, kSlots> slots{};
};
Huge makeHuge(uint64_t seed);

} // namespace fuzz
