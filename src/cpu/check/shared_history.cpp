// SPDX-License-Identifier: MIT
// See shared_history.h.
#include "cpu/check/shared_history.h"
#include "cpu/check/group_state.h"

#include <algorithm>
#include <cstring>

namespace hiplz::cpu::check {
namespace {

constexpr uint64_t kWordBytes = 4, kWords = kMaxLocalBytes / kWordBytes;
constexpr unsigned kItemBits = 10;
constexpr int32_t kItems = (1 << kItemBits) - 1, kWarp = kItems & ~static_cast<int32_t>(kSubgroupSize - 1);
static_assert(kMaxGroupItems == kItems + 1);
constexpr uint32_t kMostSteps = (1u << (31 - kItemBits)) - 1;
constexpr size_t kKeptSteps = 1 << 16; // beyond, those of earlier epochs are forgotten

using Record = int32_t;
using Limits = SharedHistory::Limits;

/// Four records. Comparisons give -1 where they hold.
using Four = Record __attribute__((vector_size(16)));

Four load(const std::vector<Record> &records, uint64_t at) {
  Four four;
  std::memcpy(&four, &records[at], sizeof four);
  return four;
}
void store(std::vector<Record> &records, uint64_t at, Four four) { std::memcpy(&records[at], &four, sizeof four); }
bool isAny(Four four) { return (four[0] | four[1] | four[2] | four[3]) != 0; }

// -1 where it holds, and 0, for one record or for four.
Record isZero(Record record) { return -Record{record == 0}; }
Four isZero(Four four) { return four == 0; }
Record isBelow(Record record, Record limit) { return -Record{record < limit}; }
Four isBelow(Four four, Record limit) { return four < limit; }
template <class Any> Any isOfWarp(Any before, Any now) { return isZero((before ^ now) & kWarp); }
template <class Any> Any isOfItem(Any before, Any now) { return isZero((before ^ now) & kItems); }

// Two reads, or atomic writes, are kept: of different warps, or of different lanes as long as it is only one warp.
template <class Any> void keepTwo(Any &first, Any &last, Any now, const Limits &limits) {
  const Any ofWarp = isOfWarp(first, now);
  const Any isFirst = isBelow(first, limits.epoch) | (ofWarp & (isOfItem(first, now) | isBelow(first, limits.time)));
  const Any isLast = ~isFirst & (~ofWarp | isBelow(last, limits.epoch) | isOfWarp(last, now));
  first = (now & isFirst) | (first & ~isFirst);
  last = (now & isLast) | (last & ~isLast);
}

// Not certain to be in order, unless it is of the same work-item.
template <class Any> Any isSuspicious(Any before, Any now, const Limits &limits) {
  return ~isBelow(before, limits.epoch) & ~(isOfWarp(before, now) & isBelow(before, limits.met));
}

} // namespace

void SharedHistory::begin(uint32_t epoch) {
  if (!steps_.empty())
    warps_ = {};
  if (next_ > kMostSteps / 2)
    clear();
  steps_.clear();
  epoch_ = epoch;
  sinceEpoch_ = static_cast<Record>(next_ << kItemBits);
}

void SharedHistory::clear() {
  for (Records *records : {&words_, &bytes_})
    for (std::vector<Record> &each : *records)
      std::fill(each.begin(), each.end(), 0);
  std::fill(isSplit_.begin(), isSplit_.end(), 0);
  isAnySplit_ = false;
  steps_.clear();
  next_ = 1;
}

SharedHistory::Record SharedHistory::start(const Step &step, uint32_t warp, Limits &limits) {
  if (next_ == kMostSteps) { // a race across this point is not found
    clear();
    sinceEpoch_ = 1 << kItemBits;
    for (Warp &each : warps_)
      each.sinceMet = each.sinceTime = sinceEpoch_;
  }
  const auto record = static_cast<Record>(next_++ << kItemBits);
  if (step.epoch > epoch_) {
    epoch_ = step.epoch;
    sinceEpoch_ = record;
    if (steps_.size() > kKeptSteps)
      steps_.clear();
  }
  steps_.push_back(step);
  // Where numbers do not rise from step to step, the limits say nothing: work-items that barriers or warp operations have left behind.
  Warp &mine = warps_[warp];
  if (step.metOfWarp > mine.met) {
    mine.met = step.metOfWarp;
    mine.sinceMet = mine.sinceTime = record;
  }
  if (step.time > mine.time) {
    mine.time = step.time;
    mine.sinceTime = record;
  }
  limits = {step.epoch == epoch_ ? sinceEpoch_ : 0, step.metOfWarp == mine.met ? mine.sinceMet : 0,
            step.metOfWarp == mine.met ? mine.sinceTime : 0};
  return record;
}

const SharedHistory::Step *SharedHistory::stepOf(Record record) const {
  const uint32_t back = next_ - (static_cast<uint32_t>(record) >> kItemBits);
  return back <= steps_.size() ? &steps_[steps_.size() - back] : nullptr;
}

/// One access of a warp.
class SharedHistory::Accesses {
public:
  Accesses(SharedHistory &history, Group &group, const LaneAccess &access)
      : history_(history), group_(group), access_(access), site_(access.site), local_(access.first.worker->local),
        bytes_(access.bytes), warp_(warpOf(access.first)) {}

  void run() {
    const bool together = areTogether(group_, access_);
    const bool isOneStep = together && !(writes_ && orders_); // such writes begin a new time
    if (isOneStep)
      start(access_.firstItem());
    if (isOneStep && access_.row && !history_.isAnySplit_ && all())
      return;
    for (uint32_t lanes = access_.lanes; lanes; lanes &= lanes - 1) {
      const auto lane = static_cast<uint32_t>(std::countr_zero(lanes));
      if (!isOneStep)
        start(access_.first.linearId + lane);
      add(access_.first.linearId + lane,
          static_cast<uint64_t>(static_cast<const std::byte *>(access_.addressOf(lane)) - local_));
    }
  }

private:
  // All lanes, which are a row. False if something may be wrong, or if the row is none of whole words, and then nothing has been done.
  bool all() {
    const check::Row &row = access_.row;
    const uint64_t words = bytes_ / kWordBytes;
    if (orders_ || access_.hasHoles() || row.begin % kWordBytes || (bytes_ != 4 && bytes_ != 8 && bytes_ != 16))
      return false;
    const uint64_t at = (row.begin - reinterpret_cast<uintptr_t>(local_)) / kWordBytes;
    if (row.stride == bytes_)
      return words * row.count % 4 == 0 &&
             this->row(at, words * row.count, static_cast<int32_t>(words / 2)); // 0, 1 and 2 bits
    return !writes_ && row.stride == 0 && common(at, words);
  }

  void add(uint32_t item, uint64_t offset) {
    if (writes_ && orders_)
      group_.warpOrder.writes(warp_, local_ + offset);
    bool found = false; // one is enough
    for (uint64_t at = offset, end = offset + bytes_; at < end;) {
      const uint64_t word = at / kWordBytes, next = std::min(end, (word + 1) * kWordBytes);
      if (next - at < kWordBytes && !history_.isSplit_[word])
        split(word);
      if (!history_.isSplit_[word])
        found = touch(history_.words_, word, item, at, found);
      else
        for (uint64_t byte = at; byte < next; ++byte)
          found = touch(history_.bytes_, byte, item, byte, found);
      at = next;
    }
  }

  // Each lane accesses `1 << shift` words.
  bool row(uint64_t at, uint64_t words, int32_t shift) {
    const Record record = record_ + static_cast<Record>(access_.firstItem());
    const auto nowAt = [&](uint64_t word) {
      const auto i = static_cast<int32_t>(word - at);
      return ((Four{0, 1, 2, 3} + i) >> shift) + record;
    };
    Records &all = history_.words_;
    const uint64_t end = at + words;
    const unsigned kindsBefore = writes_ ? kinds : firstRead;
    for (uint64_t word = at; word < end; word += 4) {
      Four recent{};
      for (unsigned kind = plainWrite; kind < kindsBefore; ++kind)
        recent |= ~isBelow(load(all[kind], word), limits_.epoch);
      if (!isAny(recent)) [[likely]]
        continue;
      const Four now = nowAt(word);
      Four suspicious{};
      for (unsigned kind = plainWrite; kind < kindsBefore; ++kind) {
        const Four before = load(all[kind], word);
        suspicious |= isSuspicious(before, now, limits_) & ~isOfItem(before, now);
      }
      if (isAny(suspicious))
        return false;
    }
    for (uint64_t word = at; word < end; word += 4) {
      const Four now = nowAt(word);
      if (writes_) {
        store(all[plainWrite], word, now);
        continue;
      }
      Four first = load(all[firstRead], word), last = load(all[lastRead], word);
      keepTwo(first, last, now, limits_);
      store(all[firstRead], word, first);
      store(all[lastRead], word, last);
    }
    return true;
  }

  // All lanes read these words. Two of them stand for all.
  bool common(uint64_t at, uint64_t words) {
    Records &all = history_.words_;
    const Record one = record_ + static_cast<Record>(access_.firstItem()),
                 other = record_ + static_cast<Record>(access_.lastItem());
    for (uint64_t word = at, end = at + words; word < end; ++word)
      for (const Record write : {all[plainWrite][word], all[atomicWrite][word], all[otherAtomicWrite][word]})
        if (isSuspicious(write, one, limits_))
          return false;
    for (uint64_t word = at, end = at + words; word < end; ++word)
      for (const Record now : {one, other})
        keepTwo(all[firstRead][word], all[lastRead][word], now, limits_);
    return true;
  }

  void start(uint32_t item) {
    const uint32_t met = group_.met[item], ofWarp = group_.tiles.isAny() ? group_.tiles.ofWarp(item) : met;
    step_ = {&site_, group_.firstEpoch + group_.passedBy(item), met, ofWarp, group_.warpOrder.timeOf(warp_)};
    record_ = history_.start(step_, warp_, limits_);
  }

  void split(uint64_t word) {
    for (unsigned kind = 0; kind < kinds; ++kind) {
      history_.bytes_[kind].resize(kMaxLocalBytes);
      std::fill_n(&history_.bytes_[kind][word * kWordBytes], kWordBytes, history_.words_[kind][word]);
    }
    history_.isSplit_[word] = history_.isAnySplit_ = true;
  }

  // True if the lanes have met since the other one had met so often. The numbers of lanes that have not passed the same operations say nothing.
  bool haveMet(uint32_t other, uint32_t item, uint32_t met) const {
    return group_.tiles.isAny() ? group_.tiles.areOrdered(other, met, item)
                                : step_.met != met || group_.met[other] != step_.met;
  }

  // True if there is a race, if not before.
  bool touch(Records &all, uint64_t index, uint32_t item, uint64_t at, bool found) {
    const Record now = record_ + static_cast<Record>(item);
    for (unsigned kind = plainWrite; kind <= (writes_ ? lastRead : otherAtomicWrite); ++kind)
      found = found || isRace(all[kind][index], item, at);
    if (writes_ && site_.flags & checkAtomic) // that is enough, and it must not take a plain read's place
      keepTwo(all[atomicWrite][index], all[otherAtomicWrite][index], now, limits_);
    else if (writes_)
      all[plainWrite][index] = now;
    else
      keepTwo(all[firstRead][index], all[lastRead][index], now, limits_);
    return found;
  }

  bool isRace(Record record, uint32_t item, uint64_t at) {
    const auto otherItem = static_cast<uint32_t>(record & kItems);
    if (record < limits_.epoch || !record || otherItem == item)
      return false;
    const Step *before = history_.stepOf(record);
    if (!before || before->epoch != step_.epoch || (before->site == &site_ && (site_.flags & checkConstant)))
      return false;
    const uint32_t other = otherItem / kSubgroupSize;
    const bool sameWarp = other == warp_;
    if (orders_ && orders(*before->site) && (sameWarp || isSignal(*before->site, site_)))
      return false;
    if (sameWarp ? haveMet(otherItem, item, before->met) : group_.warpOrder.isBefore(other, before->time, warp_))
      return false;
    note(*group_.launch,
         {sameWarp ? check::Kind::raceInWarp : check::Kind::race, &site_, before->site, group_.placeOf(item),
          group_.placeOf(otherItem), local_ + at, bytes_, static_cast<int64_t>(at), group_.kernel});
    return true;
  }

  SharedHistory &history_;
  Group &group_;
  const LaneAccess &access_;
  const CheckSite &site_;
  const std::byte *const local_;
  const uint64_t bytes_;
  const uint32_t warp_;
  const bool writes_ = site_.flags & checkWrite, orders_ = orders(site_);
  Step step_{};
  Record record_ = 0;
  Limits limits_;
};

void SharedHistory::access(const LaneAccess &access, Group &group) {
  if (isSplit_.empty()) {
    for (std::vector<Record> &each : words_)
      each.resize(kWords);
    isSplit_.resize(kWords);
  }
  Accesses(*this, group, access).run();
}

} // namespace hiplz::cpu::check
