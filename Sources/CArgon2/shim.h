#pragma once

#include <argon2.h>
#include <sys/prctl.h>

/// Names the calling thread; `prctl` is variadic, which Swift can't call.
static inline void cargon2_name_thread(const char *name) {
    prctl(PR_SET_NAME, name, 0, 0, 0);
}
