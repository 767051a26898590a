// SPDX-License-Identifier: MIT
// Takes the place of src/cpu/exec/machine.h: the machine is simulated (simulation.h).
#pragma once
#include "base/processors.h"
#include "simulation.h"

#include <atomic>
#include <cstdint>
#include <sched.h>
#include <utility>

namespace hiplz::cpu {

/// Each access is an event of the simulation. The simulation executes one thread at a time, so a plain member does.
template <class T> class Atomic {
public:
  constexpr Atomic(T value = {}) : value_(value) {}
  Atomic(const Atomic &) = delete;
  Atomic &operator=(const Atomic &) = delete;

  T load(std::memory_order = std::memory_order_seq_cst) const {
    simulation::read(this);
    return value_;
  }
  void store(T value, std::memory_order = std::memory_order_seq_cst) { exchange(value); }
  T exchange(T value, std::memory_order = std::memory_order_seq_cst) {
    simulation::write(this);
    return std::exchange(value_, value);
  }
  T fetch_add(T value, std::memory_order = std::memory_order_seq_cst) {
    simulation::write(this);
    return std::exchange(value_, static_cast<T>(value_ + value));
  }
  T fetch_sub(T value, std::memory_order = std::memory_order_seq_cst) {
    simulation::write(this);
    return std::exchange(value_, static_cast<T>(value_ - value));
  }
  bool compare_exchange_weak(T &expected, T value, std::memory_order = std::memory_order_seq_cst,
                             std::memory_order = std::memory_order_seq_cst) {
    simulation::write(this);
    const bool equal = value_ == expected;
    (equal ? value_ : expected) = equal ? value : value_;
    return equal;
  }
  bool compare_exchange_strong(T &expected, T value, std::memory_order order = std::memory_order_seq_cst) {
    return compare_exchange_weak(expected, value, order);
  }

private:
  T value_;
};

constexpr uint64_t kForever = UINT64_MAX;

inline uint64_t now() {
  simulation::spend(20);
  return simulation::clock();
}
inline void relax() { simulation::spend(40); }
inline void yieldProcessor() { simulation::spend(500); }
inline int processorHere() { return static_cast<int>(simulation::processor()); }
inline bool keepThreadOn(const cpu_set_t *, size_t) { return true; }
inline Processors usableProcessors() { return simulation::processors(); }

enum class FutexScope { process, processes };
inline void futexWait(void *word, uint32_t expected, uint64_t, FutexScope = FutexScope::process) {
  simulation::sleep(static_cast<uint32_t *>(word), expected);
}
inline void futexWake(void *word, int count, FutexScope = FutexScope::process) {
  simulation::wake(static_cast<uint32_t *>(word), count);
}

} // namespace hiplz::cpu
