#pragma once

#include <argon2.h>
#include <sys/prctl.h>
#include <sys/resource.h>

/// Names the calling thread and raises its nice value, so that whatever else wants a processor comes first.
///
/// On Linux the priority belongs to the thread, and 0 means the calling one. Swift can call neither function: `prctl` is
/// variadic, and the first parameter of `setpriority` has another type in every dialect of C.
static inline void cargon2_step_back(const char *name, int nice) {
    prctl(PR_SET_NAME, name, 0, 0, 0);
    setpriority(PRIO_PROCESS, 0, nice);
}
