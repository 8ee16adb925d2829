#pragma once
#include <libpq-fe.h>
#include <stdint.h>
#include <sys/epoll.h>
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
