// SPDX-License-Identifier: MIT
// One run of hiplz-roofline on one device: launches kernels, times them, and collects the samples. The files measure_*.cpp are its
// chapters.
#pragma once
#include "roofline/clock_probe.h"
#include "roofline/device_memory.h"
#include "roofline/energy.h"
#include "roofline/progress.h"
#include "roofline/result.h"
#include "roofline/statistics.h"

#include <functional>
#include <memory>
#include <set>
#include <string>

namespace hiplz::roofline {

enum class Mode { Full, Quick, Smoke };

class Session {
public:
  /// Throws DeviceError.
  Session(int device, Mode mode, Result &result, Progress &progress);
  ~Session();
  Session(const Session &) = delete;
  Session &operator=(const Session &) = delete;

  Mode mode() const { return mode_; }
  const Facts &facts() const { return result_.device; }
  Result &result() { return result_; }
  Progress &progress() { return progress_; }
  hipStream_t stream() const { return stream_; }
  const Effort &effort() const { return effort_; }
  const EnergyMeter &energy() const { return *energy_; }

  /// Seconds on the device. Throws DeviceError.
  double launch(const void *function, unsigned blocks, unsigned threads, void **arguments);

  /// Finds the number of iterations for `run`, which returns the seconds of that many, and repeats that. `operations` is how many
  /// an iteration does; the sample gets time and value, in thousand millions a second, and the energy if `withEnergy`.
  /// False, with a note, if the device does not run it or takes no time for it.
  bool measure(Sample &sample, const std::function<double(unsigned)> &run, double operations, bool withEnergy = false,
               unsigned most = 1u << 28);

  /// Looks at the device's clock, for its drift; called before and behind each chapter. Where the device fails there is a note, and
  /// the drift is not known.
  void probeClock();

  void note(const std::string &text) { result_.notes.push_back(text); }

private:
  const Mode mode_;
  Result &result_;
  Progress &progress_;
  Effort effort_;
  hipStream_t stream_ = nullptr;
  hipEvent_t start_ = nullptr;
  hipEvent_t stop_ = nullptr;
  std::unique_ptr<EnergyMeter> energy_;
  std::unique_ptr<ClockProbe> clock_;
  bool clockFailed_ = false;
};

// The chapters. Each adds its samples, and notes of what could not be measured.
void measureThroughput(Session &session);
void measureSpecial(Session &session);
void measureAtomics(Session &session);
void measureBandwidth(Session &session);
void measureStrides(Session &session);
void measureShared(Session &session);
void measureMixed(Session &session);
void measureLatency(Session &session);
void measureCopies(Session &session);
void measureOverhead(Session &session);

} // namespace hiplz::roofline
