// SPDX-License-Identifier: MIT
// Folds run over the participants in ascending order, so that results do not depend on scheduling.
#include "cpu/exec/fiber_collectives.h"

#include <bit>
#include <cmath>
#include <limits>
#include <type_traits>

namespace hiplz::cpu {
namespace {

template <typename T> T valueOf(uint64_t bits) {
  if constexpr (std::is_same_v<T, float>)
    return std::bit_cast<float>(static_cast<uint32_t>(bits));
  else if constexpr (std::is_same_v<T, double>)
    return std::bit_cast<double>(bits);
  else if constexpr (std::is_same_v<T, _Float16>)
    return std::bit_cast<_Float16>(static_cast<uint16_t>(bits));
  else
    return static_cast<T>(bits);
}

template <typename T> uint64_t bitsOf(T value) {
  if constexpr (std::is_same_v<T, float>)
    return std::bit_cast<uint32_t>(value);
  else if constexpr (std::is_same_v<T, double>)
    return std::bit_cast<uint64_t>(value);
  else if constexpr (std::is_same_v<T, _Float16>)
    return std::bit_cast<uint16_t>(value);
  else
    return static_cast<std::make_unsigned_t<T>>(value);
}

template <typename T> constexpr bool isInteger = std::is_integral_v<T>;

template <typename T> T combine(FoldOperator fold, T a, T b) {
  switch (fold) {
  case FoldOperator::add:
    if constexpr (isInteger<T>)
      return static_cast<T>(static_cast<uint64_t>(a) + static_cast<uint64_t>(b)); // wraps
    else
      return a + b;
  case FoldOperator::multiply:
    if constexpr (isInteger<T>)
      return static_cast<T>(static_cast<uint64_t>(a) * static_cast<uint64_t>(b));
    else
      return a * b;
  case FoldOperator::minimum:
    if constexpr (isInteger<T>)
      return a < b ? a : b;
    else
      return static_cast<T>(std::fmin(static_cast<double>(a), static_cast<double>(b)));
  case FoldOperator::maximum:
    if constexpr (isInteger<T>)
      return a > b ? a : b;
    else
      return static_cast<T>(std::fmax(static_cast<double>(a), static_cast<double>(b)));
  case FoldOperator::bitAnd:
    if constexpr (isInteger<T>)
      return a & b;
    break;
  case FoldOperator::bitOr:
    if constexpr (isInteger<T>)
      return a | b;
    break;
  case FoldOperator::bitXor:
    if constexpr (isInteger<T>)
      return a ^ b;
    break;
  }
  return a; // bit operations on floating point do not exist in SPIR-V
}

template <typename T> T identity(FoldOperator fold) {
  constexpr bool integer = isInteger<T>;
  const T lowest = integer ? std::numeric_limits<T>::lowest() : valueOf<T>(bitsOf<T>(T(-1) / T(integer ? 1 : 0)));
  const T highest = integer ? std::numeric_limits<T>::max() : valueOf<T>(bitsOf<T>(T(1) / T(integer ? 1 : 0)));
  switch (fold) {
  case FoldOperator::multiply: return T(1);
  case FoldOperator::minimum: return highest;
  case FoldOperator::maximum: return lowest;
  case FoldOperator::bitAnd: return integer ? static_cast<T>(-1) : T(0);
  default: return T(0);
  }
}

template <typename T> void foldAll(uint32_t code, std::span<Participant> participants) {
  FoldOperator fold = collectiveFold(code);
  CollectiveKind kind = collectiveKind(code);
  if (kind == CollectiveKind::reduce) {
    uint64_t cluster = participants.front().operand;
    for (size_t begin = 0, end; begin < participants.size(); begin = end) {
      auto clusterOf = [&](size_t i) { return cluster ? participants[i].index / cluster : 0; };
      T total = valueOf<T>(participants[begin].value);
      for (end = begin + 1; end < participants.size() && clusterOf(end) == clusterOf(begin); ++end)
        total = combine<T>(fold, total, valueOf<T>(participants[end].value));
      for (size_t i = begin; i < end; ++i)
        participants[i].result = bitsOf(total);
    }
    return;
  }
  T before = identity<T>(fold);
  bool first = true;
  for (Participant &participant : participants) {
    T own = valueOf<T>(participant.value);
    T upToHere = first ? own : combine<T>(fold, before, own);
    participant.result = bitsOf(kind == CollectiveKind::inclusiveScan ? upToHere : before);
    before = upToHere;
    first = false;
  }
}

void foldByType(uint32_t code, std::span<Participant> participants) {
  switch (collectiveType(code)) {
  case ElementType::i8: return foldAll<int8_t>(code, participants);
  case ElementType::i16: return foldAll<int16_t>(code, participants);
  case ElementType::i32: return foldAll<int32_t>(code, participants);
  case ElementType::i64: return foldAll<int64_t>(code, participants);
  case ElementType::u8: return foldAll<uint8_t>(code, participants);
  case ElementType::u16: return foldAll<uint16_t>(code, participants);
  case ElementType::u32: return foldAll<uint32_t>(code, participants);
  case ElementType::u64: return foldAll<uint64_t>(code, participants);
  case ElementType::f16: return foldAll<_Float16>(code, participants);
  case ElementType::f32: return foldAll<float>(code, participants);
  case ElementType::f64: return foldAll<double>(code, participants);
  }
}

void setAll(std::span<Participant> participants, uint64_t result) {
  for (Participant &participant : participants)
    participant.result = result;
}

// Each participant reads the value of the participant that `source` names, or 0 if that one takes no part.
template <typename Source> void exchange(std::span<Participant> participants, Source source) {
  bool dense = participants.back().index - participants.front().index + 1 == participants.size();
  for (Participant &participant : participants) {
    uint64_t wanted = source(participant);
    participant.result = 0;
    if (dense) {
      uint64_t position = wanted - participants.front().index;
      if (position < participants.size())
        participant.result = participants[position].value;
      continue;
    }
    for (const Participant &other : participants)
      if (other.index == wanted)
        participant.result = other.value;
  }
}

} // namespace

void performCollective(uint32_t code, std::span<Participant> participants) {
  switch (collectiveKind(code)) {
  case CollectiveKind::sync: return setAll(participants, 0);
  case CollectiveKind::elect:
    setAll(participants, 0);
    participants.front().result = 1;
    return;
  case CollectiveKind::all: {
    bool every = true;
    for (const Participant &participant : participants)
      every = every && participant.value != 0;
    return setAll(participants, every);
  }
  case CollectiveKind::any: {
    bool some = false;
    for (const Participant &participant : participants)
      some = some || participant.value != 0;
    return setAll(participants, some);
  }
  case CollectiveKind::allEqual: {
    bool equal = true;
    for (const Participant &participant : participants)
      equal = equal && participant.value == participants.front().value;
    return setAll(participants, equal);
  }
  case CollectiveKind::ballot: {
    uint64_t mask = 0;
    for (const Participant &participant : participants)
      mask |= uint64_t(participant.value != 0) << (participant.index & 63);
    return setAll(participants, mask);
  }
  case CollectiveKind::broadcast: return exchange(participants, [](const Participant &own) { return own.operand; });
  case CollectiveKind::broadcastFirst: return setAll(participants, participants.front().value);
  case CollectiveKind::shuffleXor:
    return exchange(participants, [](const Participant &own) { return own.index ^ own.operand; });
  case CollectiveKind::shuffleUp:
    return exchange(participants, [](const Participant &own) { return own.index - own.operand; });
  case CollectiveKind::shuffleDown:
    return exchange(participants, [](const Participant &own) { return own.index + own.operand; });
  case CollectiveKind::reduce:
  case CollectiveKind::inclusiveScan:
  case CollectiveKind::exclusiveScan: return foldByType(code, participants);
  }
}

} // namespace hiplz::cpu
