#pragma once
#include <libpq-fe.h>
#include <sys/eventfd.h>
#include <sys/prctl.h>

/* prctl is variadic, which Swift can't call. The kernel keeps the first 15 bytes of the name. */
static inline void gateway_name_this_thread(const char *name) {
    (void)prctl(PR_SET_NAME, name, 0, 0, 0);
}

/* Notices go to stderr unless somebody takes them: they may quote values, so nobody does. */
static inline void gateway_drop_notice(void *context, const PGresult *result) {
    (void)context;
    (void)result;
}

static inline void gateway_silence_notices(PGconn *connection) {
    (void)PQsetNoticeReceiver(connection, gateway_drop_notice, 0);
}
