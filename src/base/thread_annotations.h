// SPDX-License-Identifier: MIT
// Clang's thread-safety annotations: which lock guards what, checked by the compiler (-Wthread-safety). Other compilers see
// nothing. https://clang.llvm.org/docs/ThreadSafetyAnalysis.html explains each of them.
#pragma once

#if defined(__clang__)
#define HIPLZ_THREAD_ANNOTATION(attribute) __attribute__((attribute))
#else
#define HIPLZ_THREAD_ANNOTATION(attribute)
#endif

// Of types: a lock, and an object that holds one until it is destroyed.
#define HIPLZ_CAPABILITY(name) HIPLZ_THREAD_ANNOTATION(capability(name))
#define HIPLZ_SCOPED_CAPABILITY HIPLZ_THREAD_ANNOTATION(scoped_lockable)

// Of data: accessed only while the lock is held; of pointers, what they point to.
#define HIPLZ_GUARDED_BY(lock) HIPLZ_THREAD_ANNOTATION(guarded_by(lock))
#define HIPLZ_PT_GUARDED_BY(lock) HIPLZ_THREAD_ANNOTATION(pt_guarded_by(lock))

// Of functions: what the caller must hold, and what they take and release. Without arguments: the object itself.
#define HIPLZ_REQUIRES(...) HIPLZ_THREAD_ANNOTATION(requires_capability(__VA_ARGS__))
#define HIPLZ_REQUIRES_SHARED(...) HIPLZ_THREAD_ANNOTATION(requires_shared_capability(__VA_ARGS__))
#define HIPLZ_EXCLUDES(...) HIPLZ_THREAD_ANNOTATION(locks_excluded(__VA_ARGS__))
#define HIPLZ_ACQUIRE(...) HIPLZ_THREAD_ANNOTATION(acquire_capability(__VA_ARGS__))
#define HIPLZ_ACQUIRE_SHARED(...) HIPLZ_THREAD_ANNOTATION(acquire_shared_capability(__VA_ARGS__))
#define HIPLZ_TRY_ACQUIRE(...) HIPLZ_THREAD_ANNOTATION(try_acquire_capability(__VA_ARGS__))
#define HIPLZ_RELEASE(...) HIPLZ_THREAD_ANNOTATION(release_capability(__VA_ARGS__))
#define HIPLZ_RELEASE_SHARED(...) HIPLZ_THREAD_ANNOTATION(release_shared_capability(__VA_ARGS__))
#define HIPLZ_RELEASE_GENERIC(...) HIPLZ_THREAD_ANNOTATION(release_generic_capability(__VA_ARGS__))
#define HIPLZ_RETURN_CAPABILITY(lock) HIPLZ_THREAD_ANNOTATION(lock_returned(lock))

// For the inside of lock types, and for code whose reason to be correct the compiler cannot follow; it is said there.
#define HIPLZ_NO_THREAD_SAFETY_ANALYSIS HIPLZ_THREAD_ANNOTATION(no_thread_safety_analysis)
