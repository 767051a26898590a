// SPDX-License-Identifier: MIT
// Operations that work-items of a sub-group or of a work-group perform together, as compiled code asks for them. One
// number describes an operation; the compiler makes it, the fibers carry it out.
#pragma once
#include <cstdint>

namespace hiplz::cpu {

enum class CollectiveKind : uint32_t {
  sync,           ///< meet, nothing else
  elect,          ///< 1 in the lowest participant
  all,            ///< 1 if every value is not zero
  any,            ///< 1 if some value is not zero
  allEqual,       ///< 1 if all values are the same
  ballot,         ///< bit i is set if lane i takes part with a value that is not zero (sub-groups only)
  broadcast,      ///< the value of the participant `operand`
  broadcastFirst, ///< the value of the lowest participant
  shuffleXor,     ///< the value of lane (own ^ operand)
  shuffleUp,      ///< the value of lane (own - operand)
  shuffleDown,    ///< the value of lane (own + operand)
  reduce,         ///< fold over the participants; operand: cluster size, 0 for all
  inclusiveScan,  ///< fold over the participants up to and including the own
  exclusiveScan,  ///< fold over the participants before the own; the identity for the lowest
};

enum class FoldOperator : uint32_t { add, multiply, minimum, maximum, bitAnd, bitOr, bitXor };

enum class ElementType : uint32_t { i8, i16, i32, i64, u8, u16, u32, u64, f16, f32, f64 };

enum class CollectiveScope : uint32_t { subgroup, workgroup };

/// The code of an operation: kind, fold, element type and scope, 8 bits each from the lowest.
constexpr uint32_t collectiveCode(CollectiveScope scope, CollectiveKind kind, FoldOperator fold = FoldOperator::add,
                                  ElementType type = ElementType::u32) {
  return static_cast<uint32_t>(kind) | static_cast<uint32_t>(fold) << 8 | static_cast<uint32_t>(type) << 16 |
         static_cast<uint32_t>(scope) << 24;
}
constexpr CollectiveKind collectiveKind(uint32_t code) { return static_cast<CollectiveKind>(code & 0xff); }
constexpr FoldOperator collectiveFold(uint32_t code) { return static_cast<FoldOperator>(code >> 8 & 0xff); }
constexpr ElementType collectiveType(uint32_t code) { return static_cast<ElementType>(code >> 16 & 0xff); }
constexpr CollectiveScope collectiveScope(uint32_t code) { return static_cast<CollectiveScope>(code >> 24); }

} // namespace hiplz::cpu
