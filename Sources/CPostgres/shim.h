#pragma once
#include <libpq-fe.h>
#include <stdint.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/prctl.h>

/* prctl is variadic, which Swift can't call. The kernel keeps the first 15 bytes of the name. */
static inline void gateway_name_this_thread(const char *name) {
    (void)prctl(PR_SET_NAME, name, 0, 0, 0);
}

/* Whether this is the warning that a commit stopped waiting for its synchronous standby: 01000 from SyncRepWaitForLSN.
   The function is looked at as well as the text, because the server may translate the text. */
static inline int gateway_is_unreplicated_commit(const PGresult *notice) {
    const char *state = PQresultErrorField(notice, PG_DIAG_SQLSTATE);
    const char *function = PQresultErrorField(notice, PG_DIAG_SOURCE_FUNCTION);
    const char *message = PQresultErrorField(notice, PG_DIAG_MESSAGE_PRIMARY);
    if (!state || strcmp(state, "01000") != 0) return 0;
    return (function && strcmp(function, "SyncRepWaitForLSN") == 0) ||
           (message && strstr(message, "wait for synchronous replication"));
}

/* Notices would go to stderr, and they may quote values: only one of them is noted, as a 1 in the context. */
static inline void gateway_take_notice(void *context, const PGresult *notice) {
    if (gateway_is_unreplicated_commit(notice)) *(uint8_t *)context = 1;
}

static inline void gateway_note_notices(PGconn *connection, uint8_t *unreplicated) {
    (void)PQsetNoticeReceiver(connection, gateway_take_notice, unreplicated);
}

/* epoll's events are packed and hold a union, which Swift reads as bytes. */
static inline int gateway_watch(int set, int descriptor, uint64_t number) {
    struct epoll_event event = {.events = EPOLLIN | EPOLLRDHUP | EPOLLET, .data.u64 = number};
    return epoll_ctl(set, EPOLL_CTL_ADD, descriptor, &event);
}

struct gateway_arrival {
    uint64_t number;
    int has_hung_up;
};

/* Waits until something has arrived; how many of the arrivals were written, or -1. */
static inline int gateway_await(int set, struct gateway_arrival *arrivals, int room) {
    struct epoll_event events[64];
    int count = epoll_wait(set, events, room < 64 ? room : 64, -1);
    for (int index = 0; index < count; index++) {
        arrivals[index].number = events[index].data.u64;
        arrivals[index].has_hung_up = (events[index].events & (EPOLLRDHUP | EPOLLHUP | EPOLLERR)) != 0;
    }
    return count;
}
