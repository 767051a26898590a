// SPDX-License-Identifier: MIT
// See code_addresses.h.
#include "amdgcn/translator/code_addresses.h"

#include <iterator>

namespace hiplz::amdgcn {
namespace {

bool overlaps(unsigned pair, const Operand &operand) {
  return operand.kind == Operand::Kind::scalar && pair < operand.index + operand.count && operand.index < pair + 2u;
}

bool isPair(const Operand &operand) { return operand.kind == Operand::Kind::scalar && operand.count == 2; }

} // namespace

void CodeAddresses::drop(const Operand &operand) {
  for (unsigned n = 0; operand.kind == Operand::Kind::scalar && n < operand.count; ++n)
    constants_.erase(operand.index + n);
  for (auto pair = pairs_.begin(); pair != pairs_.end();) {
    const bool ends = overlaps(pair->first, operand);
    if (ends && pair->second.stage == Pair::Stage::whole && !pair->second.isCalled)
      escaped_.insert(pair->second.known.value);
    pair = ends ? pairs_.erase(pair) : std::next(pair);
  }
}

std::optional<uint32_t> CodeAddresses::constantOf(const Operand &operand) const {
  if (operand.kind == Operand::Kind::integer)
    return static_cast<uint32_t>(operand.integer);
  if (operand.kind != Operand::Kind::scalar || operand.count != 1)
    return std::nullopt;
  const auto known = constants_.find(operand.index);
  return known == constants_.end() ? std::nullopt : std::optional(known->second);
}

/// The result of an instruction on constants.
std::optional<uint32_t> CodeAddresses::computedConstant(const Instruction &i) const {
  const bool isSum = i.name == "s_add_i32" && i.operands.size() > 2, isAmount = i.name == "s_abs_i32";
  if (!isSum && !isAmount && i.name != "s_mov_b32")
    return std::nullopt;
  const auto a = i.operands.size() > 1 ? constantOf(i.operands[1]) : std::nullopt;
  const auto b = isSum ? constantOf(i.operands[2]) : std::optional<uint32_t>(0);
  if (!a || !b)
    return std::nullopt;
  const uint32_t sum = *a + *b;
  return isAmount && sum >> 31 ? 0 - sum : sum;
}

// A constant to or from the lower half, and to the upper one with the carry. Nothing may stand between the two.
bool CodeAddresses::add(const Instruction &i) {
  const bool isLow = i.name == "s_add_u32" || i.name == "s_sub_u32",
             subtracts = i.name == "s_sub_u32" || i.name == "s_subb_u32";
  if ((!isLow && i.name != "s_addc_u32" && i.name != "s_subb_u32") || i.operands.size() < 3 ||
      i.operands[0].kind != Operand::Kind::scalar || i.operands[1].kind != Operand::Kind::scalar ||
      i.operands[0].index != i.operands[1].index)
    return false;
  const auto by = constantOf(i.operands[2]);
  const auto found = pairs_.find(i.operands[0].index - (isLow ? 0u : 1u));
  if (!by || found == pairs_.end())
    return false;
  Pair &pair = found->second;
  const auto low = static_cast<uint32_t>(pair.known.value), high = static_cast<uint32_t>(pair.known.value >> 32);
  if (isLow && pair.stage == Pair::Stage::counter) {
    const uint64_t sum = subtracts ? uint64_t{low} - *by : uint64_t{low} + *by;
    pair = {{uint64_t{high} << 32 | static_cast<uint32_t>(sum), pair.known.from},
            Pair::Stage::low,
            sum >> 32 != 0,
            false,
            i.next(),
            subtracts};
    return true;
  }
  if (!isLow && pair.stage == Pair::Stage::low && pair.next == i.address && pair.subtracts == subtracts) {
    const uint32_t change = *by + pair.carry;
    pair.known.value = uint64_t{subtracts ? high - change : high + change} << 32 | low;
    pair.stage = Pair::Stage::whole;
    computed_.insert(pair.known.value);
    return true;
  }
  return false;
}

void CodeAddresses::note(const Instruction &i) {
  if (add(i))
    return;
  noteUses(i);
  const auto constant = computedConstant(i);
  std::optional<Pair> moved;
  if (i.name == "s_mov_b64" && i.operands.size() > 1 && isPair(i.operands[0]) && isPair(i.operands[1]))
    if (const auto found = pairs_.find(i.operands[1].index); found != pairs_.end())
      moved = found->second;
  if (i.name == "s_getpc_b64" && !i.operands.empty() && isPair(i.operands[0]))
    moved = Pair{{i.next(), i.address}};
  // Results are the first operand, and masks the second.
  for (size_t n = 0; n < 2 && n < i.operands.size() && !(moved && n == 1); ++n)
    drop(i.operands[n]);
  if (moved)
    pairs_[i.operands[0].index] = *moved;
  if (pairs_.empty())
    constants_.clear();
  else if (constant && i.operands[0].kind == Operand::Kind::scalar)
    constants_[i.operands[0].index] = *constant;
}

void CodeAddresses::noteUses(const Instruction &i) {
  for (const auto &[index, pair] : pairs_)
    for (size_t n = 1; n < i.operands.size(); ++n) {
      if (!overlaps(index, i.operands[n]))
        continue;
      if (pair.stage == Pair::Stage::whole)
        escaped_.insert(pair.known.value);
      else
        isUncertain_ = true;
    }
}

void CodeAddresses::noteJump(const Operand &operand) {
  if (const auto found = pairs_.find(operand.index); isPair(operand) && found != pairs_.end())
    found->second.isCalled = true;
}

void CodeAddresses::end() {
  for (const auto &[index, pair] : pairs_)
    if (pair.stage == Pair::Stage::whole && !pair.isCalled)
      escaped_.insert(pair.known.value);
  pairs_.clear();
  constants_.clear();
}

std::optional<CodeAddresses::Known> CodeAddresses::of(const Operand &operand) const {
  if (!isPair(operand))
    return std::nullopt;
  const auto found = pairs_.find(operand.index);
  if (found == pairs_.end() || found->second.stage != Pair::Stage::whole)
    return std::nullopt;
  return found->second.known;
}

} // namespace hiplz::amdgcn
