// SPDX-License-Identifier: MIT
// HIPLZ_ADDRESS_SANITIZER and HIPLZ_THREAD_SANITIZER are 1 in builds with the sanitizer, by clang or GCC, and 0 otherwise.
#pragma once

#if defined(__SANITIZE_ADDRESS__)
#define HIPLZ_ADDRESS_SANITIZER 1
#elif defined(__has_feature)
#define HIPLZ_ADDRESS_SANITIZER __has_feature(address_sanitizer)
#else
#define HIPLZ_ADDRESS_SANITIZER 0
#endif

#if defined(__SANITIZE_THREAD__)
#define HIPLZ_THREAD_SANITIZER 1
#elif defined(__has_feature)
#define HIPLZ_THREAD_SANITIZER __has_feature(thread_sanitizer)
#else
#define HIPLZ_THREAD_SANITIZER 0
#endif

/// Of functions that ThreadSanitizer must not watch. Its call stack does not follow when a function changes the real one.
#if HIPLZ_THREAD_SANITIZER && defined(__clang__)
#define HIPLZ_NO_THREAD_SANITIZER __attribute__((no_sanitize("thread")))
#elif HIPLZ_THREAD_SANITIZER
#define HIPLZ_NO_THREAD_SANITIZER __attribute__((no_sanitize_thread))
#else
#define HIPLZ_NO_THREAD_SANITIZER
#endif
