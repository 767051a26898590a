/* SPDX-License-Identifier: MIT */
/**
 * @file roctx.h
 * @brief Markers of the application in a profile: the functions of AMD's roctx library, for C and C++. Link with -lroctx64.
 *
 * hiplz-prof shows them on the timeline. A program that is not profiled pays a load and a branch for each. All functions may be
 * called by any thread.
 */
#ifndef HIPLZ_ROCTRACER_ROCTX_H
#define HIPLZ_ROCTRACER_ROCTX_H

#include <stdint.h>

#define ROCTX_VERSION_MAJOR 4
#define ROCTX_VERSION_MINOR 1

/* Programs name the functions without the suffix. */
#ifndef roctxMark
#define roctxMark(message) roctxMarkA(message)
#endif
#ifndef roctxRangePush
#define roctxRangePush(message) roctxRangePushA(message)
#endif
#ifndef roctxRangeStart
#define roctxRangeStart(message) roctxRangeStartA(message)
#endif

#ifdef __cplusplus
extern "C" {
#endif

struct ihipStream_t;
struct hsa_agent_s;

/** Names a range that is not bound to a thread. */
typedef uint64_t roctx_range_id_t;
/** The operating system's number of a thread. */
typedef uint64_t roctx_thread_id_t;

/** The version of the interface. */
uint32_t roctx_version_major(void);
uint32_t roctx_version_minor(void);

/** Marks a moment. All messages are copied. */
void roctxMarkA(const char *message);

/** Begins a range of the calling thread inside of the one that is open. Returns its depth, counted from 0. */
int roctxRangePushA(const char *message);
/** Ends the thread's innermost range. Returns its depth, or a negative number if none is open. */
int roctxRangePop(void);

/** Begins a range that any thread may end. Ids are unique in the process and not 0. */
roctx_range_id_t roctxRangeStartA(const char *message);
/** Ends it. */
void roctxRangeStop(roctx_range_id_t id);

/** Interrupts recording, and goes on with it. The thread must be 0, for all of them: others are refused with a value that is
 * not 0, as is everything if the program is not profiled. */
int roctxProfilerPause(roctx_thread_id_t thread);
int roctxProfilerResume(roctx_thread_id_t thread);

/** Names for the profile: of the calling thread, of a device by its number, and of a stream. Return 0. */
int roctxNameOsThread(const char *name);
int roctxNameHipDevice(const char *name, int device);
int roctxNameHipStream(const char *name, const struct ihipStream_t *stream);
/** There are no agents of HSA here: returns a value that is not 0. */
int roctxNameHsaAgent(const char *name, const struct hsa_agent_s *agent);

/** The number of the calling thread in profiles. Returns 0. */
int roctxGetThreadId(roctx_thread_id_t *thread);

#ifdef __cplusplus
}
#endif

#endif
