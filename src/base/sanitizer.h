// SPDX-License-Identifier: MIT
// HIPLZ_ADDRESS_SANITIZER is 1 in builds with AddressSanitizer, by clang or GCC, and 0 otherwise.
#pragma once

#if defined(__SANITIZE_ADDRESS__)
#define HIPLZ_ADDRESS_SANITIZER 1
#elif defined(__has_feature)
#define HIPLZ_ADDRESS_SANITIZER __has_feature(address_sanitizer)
#else
#define HIPLZ_ADDRESS_SANITIZER 0
#endif
