// SPDX-License-Identifier: MIT
// Brings a clone of a body into the form that the rest of the vectoriser works on.
#pragma once
#include "cpu/vectorizer/vectorizer.h"

namespace hiplz::cpu {

/// Prepares control flow and values: one return, no switch, loops with preheaders and exits of their own, what leaves a loop
/// leaves it through phis, vectors split into scalars, no hints for the optimiser that a changed control flow would break.
void canonicalize(llvm::Function &body);

/// Gives all control flow the form of ControlStructure, divergent or not.
void structurize(llvm::Function &body);

} // namespace hiplz::cpu
