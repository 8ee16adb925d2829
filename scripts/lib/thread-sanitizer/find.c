// Finds the functions that mutex.S and continuation.S stand before.
#define _GNU_SOURCE
#include <dlfcn.h>

#define HIDDEN __attribute__((visibility("hidden")))

HIDDEN void *find_lock_slow(void) {
    static void *found;
    if (!found) found = dlsym(RTLD_NEXT, "$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF");
    return found;
}

HIDDEN void *find_unlock_slow(void) {
    static void *found;
    if (!found) found = dlsym(RTLD_NEXT, "$s15Synchronization12_MutexHandleV11_unlockSlowyyF");
    return found;
}

HIDDEN void *find_continuation_await(void) {
    static void *found;
    if (!found) found = dlsym(RTLD_NEXT, "swift_continuation_await");
    return found;
}
