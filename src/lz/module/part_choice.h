// SPDX-License-Identifier: MIT
// Which groups of kernels of a module are compiled together, as one part. Each part costs the driver's compiler something
// before it comes to the first kernel (Intel's reads its built-in functions: 75 ms), and each kernel that is compiled and
// never launched is wasted. So the first kernels are compiled alone, and a program that goes on to launch more gets parts
// with kernels that it has not asked for yet: as many that, if it never asks, less than a quarter of the time is wasted.
// Nothing is timed, so the same launches lead to the same parts.
#pragma once
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace hiplz {

/// For one module on one device. Not synchronised.
class PartChoice {
public:
  struct Group {
    size_t words = 0;            ///< of SPIR-V that its kernels reach
    bool mayHaveCompany = false; ///< it has no variables, so more than one part may have it
  };

  /// The cost of a part beside its kernels, in words of SPIR-V that Intel's compiler compiles in the same time.
  static constexpr size_t kPartWords = 1000;
  /// Groups that are compiled alone before others get company.
  static constexpr size_t kAlone = 3;

  /// One group.
  PartChoice() : PartChoice(std::vector<Group>(1)) {}
  explicit PartChoice(std::vector<Group> groups);

  /// The part that a group is to be taken from, which may be one more than there were. The others in a new part follow the group in
  /// the module: neighbours in the source are often used together.
  size_t want(size_t group);

  size_t parts() const { return parts_.size(); }
  /// The groups of a part, in ascending order.
  const std::vector<size_t> &groupsOf(size_t part) const { return parts_[part]; }

  /// The part, which has several groups, cannot be compiled: they are to be taken from two parts, and so on until the group
  /// that is the reason is alone. Without effect if that has been said before.
  void divide(size_t part);
  /// The group is to be taken from a part of its own, and no longer from `part`.
  void separate(size_t group, size_t part);

  /// A line that says which groups are a part, and the parts that such lines tell of, in any order of launches and processes: they
  /// are chosen again, because their code is likely to be in the cache. Of several lines with a group, the last one counts. Lines
  /// that cannot be of this module are ignored.
  static std::string line(const std::vector<size_t> &groups);
  void recall(std::string_view lines);

private:
  static constexpr size_t kNone = static_cast<size_t>(-1);
  struct State {
    size_t part = kNone;
    size_t planned = kNone; // index of planned_
    bool unused = false;    // it was added to a part and has not been wanted so far
  };
  size_t add(std::vector<size_t> groups, size_t planned);
  bool canJoin(size_t group) const;
  bool isSmall(size_t group) const;

  std::vector<Group> groups_;
  std::vector<State> states_;                        // of each group
  std::vector<std::vector<size_t>> parts_, planned_; // `planned_`: the next parts
  size_t wanted_ = 0;      // groups that have been asked for and that no earlier process had compiled
  size_t unusedWords_ = 0; // of groups that nobody has asked for
};

} // namespace hiplz
