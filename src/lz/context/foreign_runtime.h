// SPDX-License-Identifier: MIT
// A second HIP runtime in the process: some library was linked with AMD's libamdhip64. It knows nothing of the memory and the streams of
// this one, and which of the two a call reaches depends on the order of the libraries.
#pragma once

namespace hiplz {

/// Says once on standard error which file it is, if there is one. Called before the first device is opened.
void sayIfForeign();

} // namespace hiplz
