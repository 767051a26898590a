// SPDX-License-Identifier: MIT
// The bar on the terminal while a run lasts. Nothing is drawn where standard error is not a terminal.
#pragma once
#include <string>

namespace hiplz::roofline {

class Progress {
public:
  /// `shares`: the sum of the weights of all chapters to come.
  explicit Progress(double shares, bool draws);
  ~Progress();
  Progress(const Progress &) = delete;
  Progress &operator=(const Progress &) = delete;

  /// A chapter of this weight, with so many steps.
  void chapter(const std::string &name, double weight);
  void steps(unsigned count) { steps_ = count; }
  void step(const std::string &what);

private:
  void draw(const std::string &what);

  const double shares_;
  const bool draws_;
  std::string name_;
  double before_ = 0, weight_ = 0;
  unsigned steps_ = 1, done_ = 0;
};

} // namespace hiplz::roofline
