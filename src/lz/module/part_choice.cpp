// SPDX-License-Identifier: MIT
// The waste is kept in proportion to what parts have cost anyway, because that is what a lucky guess saves.
#include "lz/module/part_choice.h"

#include <algorithm>
#include <charconv>

namespace hiplz {

PartChoice::PartChoice(std::vector<Group> groups) : groups_(std::move(groups)), states_(groups_.size()) {}

size_t PartChoice::want(size_t group) {
  State &state = states_[group];
  if (state.unused) {
    state.unused = false;
    unusedWords_ -= groups_[group].words;
    ++wanted_;
  }
  if (state.part != kNone)
    return state.part;
  if (state.planned != kNone)
    return add(planned_[state.planned], state.planned);
  ++wanted_;
  std::vector<size_t> part{group};
  if (wanted_ > kAlone && isSmall(group)) {
    const size_t waste = wanted_ * kPartWords / 4;
    for (size_t i = 1; i < groups_.size(); ++i)
      if (const size_t other = (group + i) % groups_.size();
          canJoin(other) && unusedWords_ + groups_[other].words <= waste) {
        part.push_back(other);
        unusedWords_ += groups_[other].words;
        states_[other].unused = true;
      }
  }
  return add(std::move(part), kNone);
}

/// A group that takes longer than what a lucky guess saves waits until it is wanted.
bool PartChoice::canJoin(size_t group) const {
  return isSmall(group) && states_[group].part == kNone && states_[group].planned == kNone;
}

bool PartChoice::isSmall(size_t group) const {
  return groups_[group].mayHaveCompany && groups_[group].words <= kPartWords;
}

/// Groups that have another part keep it, and so do those that are to have one.
size_t PartChoice::add(std::vector<size_t> groups, size_t planned) {
  std::sort(groups.begin(), groups.end());
  for (const size_t group : groups)
    if (State &state = states_[group]; state.part == kNone && state.planned == planned)
      state.part = parts_.size();
  parts_.push_back(std::move(groups));
  return parts_.size() - 1;
}

void PartChoice::divide(size_t part) {
  const std::vector<size_t> groups = parts_[part];
  const auto middle = groups.begin() + static_cast<std::ptrdiff_t>(groups.size() / 2);
  for (std::vector<size_t> half : {std::vector(groups.begin(), middle), std::vector(middle, groups.end())}) {
    for (const size_t group : half)
      if (State &state = states_[group]; state.part == part)
        state.part = kNone, state.planned = planned_.size();
    planned_.push_back(std::move(half));
  }
}

void PartChoice::separate(size_t group, size_t part) {
  if (State &state = states_[group]; state.part == part) {
    state.part = kNone;
    state.planned = planned_.size();
    planned_.push_back({group});
  }
}

std::string PartChoice::line(const std::vector<size_t> &groups) {
  std::string text;
  for (const size_t group : groups)
    text += (text.empty() ? "" : " ") + std::to_string(group);
  return text + "\n";
}

void PartChoice::recall(std::string_view lines) {
  while (!lines.empty()) {
    const std::string_view line = lines.substr(0, lines.find('\n'));
    lines.remove_prefix(std::min(line.size() + 1, lines.size()));
    std::vector<size_t> part;
    const char *at = line.data(), *const end = at + line.size();
    bool valid = !line.empty();
    while (valid && at < end) {
      size_t group = 0;
      const auto [next, error] = std::from_chars(at, end, group);
      valid = error == std::errc() && (next == end || *next == ' ') && group < groups_.size() &&
              (part.empty() || part.back() < group);
      at = next + (next != end);
      part.push_back(group);
    }
    valid = valid && (part.size() == 1 || std::all_of(part.begin(), part.end(),
                                                      [&](size_t group) { return groups_[group].mayHaveCompany; }));
    if (!valid)
      continue;
    for (const size_t group : part)
      states_[group].planned = planned_.size();
    planned_.push_back(std::move(part));
  }
}

} // namespace hiplz
