// SPDX-License-Identifier: MIT
// Functions that zeDriverGetExtensionFunctionAddress finds by name: those of later versions of the specification, for which a
// loader of version 1.4 has no place in its tables, and those that are in no table at all. They take the driver's own handles:
// where the loader wraps handles, translate them with zelLoaderTranslateHandle. What is HIPLZ's own is in
// base/driver_extensions.h.
#pragma once

namespace hiplz::cpu::ddi {

/// Null if there is no such function.
void *findExtensionFunction(const char *name);

} // namespace hiplz::cpu::ddi
