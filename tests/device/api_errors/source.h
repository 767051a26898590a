// SPDX-License-Identifier: MIT
// Where the expected results of the tests of bad arguments come from.
#pragma once

/// Where the error of a row comes from.
enum class Source {
  doc,  // AMD's documentation of the function (HIP 6.4) names this error among those that it returns
  clr,  // it does not, but AMD's library (6.4) returns it for this argument
  test, // neither is clear, but AMD's tests expect it
  cuda, // AMD's library does not look at the argument; CUDA's documentation of the function's counterpart names the error
  own, // nothing was found; the error is that of a similar function
};
