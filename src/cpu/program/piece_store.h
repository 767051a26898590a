// SPDX-License-Identifier: MIT
// The results of compilations: from this process, from the disk cache, or from the compiler. If another thread or process is
// already compiling a piece, its result is waited for.
#pragma once
#include "base/lock_order.h"

#include <atomic>
#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace hiplz::cpu {

using Bytes = std::vector<std::byte>;

/// How a result is made and what becomes of it.
struct Piece {
  std::string key;           ///< names all that the result depends on; equal keys have equal bytes
  std::string quickKey;      ///< where results are kept that `isQuick`; empty: there are none
  bool isCacheable = true;   ///< the key is enough for other processes as well
  LockRank rank;             ///< of the lock that is held while it is looked for and made
  const char *what = "code"; ///< for the log

  const std::atomic<bool> *givesUp = nullptr; ///< if true, others are waited for no longer

  /// True for a result that serves until there is one under `key`.
  std::function<bool(const Bytes &bytes)> isQuick;
  /// Takes the bytes. False with half a sentence if they are not what they should be. May be called again with other ones.
  std::function<bool(std::shared_ptr<const Bytes> bytes, std::string &why)> use;
  /// Compiles. Null, with a sentence in `log`, if that is not possible; else `log` may hold warnings.
  std::function<std::shared_ptr<const Bytes>(std::string &log)> make;
};

/// Calls `use` with the bytes of the piece, or of its quick form if only that is there, which `make` makes if they are nowhere else; bytes of another process that
/// `use` does not accept are made again. False if both have failed; `log` is what `make` left there and why.
/// Thread-safe; neither function may ask for the same piece. What they throw comes through.
bool obtain(const Piece &piece, std::string &log);

} // namespace hiplz::cpu
