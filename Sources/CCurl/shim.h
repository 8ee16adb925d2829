#pragma once

// libcurl's option and info functions are variadic, and Swift can't call variadic C functions: one typed wrapper for each
// kind of value. Each is as small as the call it stands for.

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <curl/curl.h>

/// The shape of the write, header and read callbacks.
typedef size_t (*ccurl_data_callback)(char *bytes, size_t size, size_t count, void *context);

/// The shape of the callback that opens a socket.
typedef curl_socket_t (*ccurl_socket_callback)(void *context, curlsocktype purpose, struct curl_sockaddr *address);

static inline CURLcode ccurl_set_long(CURL *_Nonnull handle, CURLoption option, long value) {
    return curl_easy_setopt(handle, option, value);
}

static inline CURLcode ccurl_set_offset(CURL *_Nonnull handle, CURLoption option, curl_off_t value) {
    return curl_easy_setopt(handle, option, value);
}

static inline CURLcode ccurl_set_text(CURL *_Nonnull handle, CURLoption option, const char *_Nullable value) {
    return curl_easy_setopt(handle, option, value);
}

static inline CURLcode ccurl_set_list(CURL *_Nonnull handle, CURLoption option, struct curl_slist *_Nullable value) {
    return curl_easy_setopt(handle, option, value);
}

static inline CURLcode ccurl_set_pointer(CURL *_Nonnull handle, CURLoption option, void *_Nullable value) {
    return curl_easy_setopt(handle, option, value);
}

static inline CURLcode ccurl_set_data_callback(CURL *_Nonnull handle, CURLoption option,
                                               ccurl_data_callback _Nullable value) {
    return curl_easy_setopt(handle, option, value);
}

static inline CURLcode ccurl_set_socket_callback(CURL *_Nonnull handle, CURLoption option,
                                                 ccurl_socket_callback _Nullable value) {
    return curl_easy_setopt(handle, option, value);
}

static inline CURLcode ccurl_set_request_callback(CURL *_Nonnull handle, curl_prereq_callback _Nullable value) {
    return curl_easy_setopt(handle, CURLOPT_PREREQFUNCTION, value);
}

static inline CURLcode ccurl_get_long(CURL *_Nonnull handle, CURLINFO info, long *_Nonnull value) {
    return curl_easy_getinfo(handle, info, value);
}

static inline CURLcode ccurl_get_socket(CURL *_Nonnull handle, CURLINFO info, curl_socket_t *_Nonnull value) {
    return curl_easy_getinfo(handle, info, value);
}

static inline CURLMcode ccurl_multi_set_long(CURLM *_Nonnull handle, CURLMoption option, long value) {
    return curl_multi_setopt(handle, option, value);
}

/// The result that a "transfer is done" message carries: a member of a union, which Swift sees only as raw memory.
static inline CURLcode ccurl_message_result(const CURLMsg *_Nonnull message) {
    return message->data.result;
}

/// Copies the network address out of `address`: 4 bytes for IPv4, 16 for IPv6, in network order.
/// Answers how many bytes there are, 0 for any other family.
static inline int ccurl_address_bytes(const struct curl_sockaddr *_Nonnull address, unsigned char *_Nonnull bytes) {
    if (address->family == AF_INET && address->addrlen >= sizeof(struct sockaddr_in)) {
        const struct sockaddr_in *ipv4 = (const struct sockaddr_in *)(const void *)&address->addr;
        memcpy(bytes, &ipv4->sin_addr, 4);
        return 4;
    }
    if (address->family == AF_INET6 && address->addrlen >= sizeof(struct sockaddr_in6)) {
        const struct sockaddr_in6 *ipv6 = (const struct sockaddr_in6 *)(const void *)&address->addr;
        memcpy(bytes, &ipv6->sin6_addr, 16);
        return 16;
    }
    return 0;
}

/// Opens the socket that libcurl asks for. The kernel gives the connection up when sent data stays unacknowledged for
/// `silence` milliseconds, so that a connection whose peer vanished is not used again and again.
static inline curl_socket_t ccurl_open_socket(const struct curl_sockaddr *_Nonnull address, unsigned int silence) {
    int descriptor = socket(address->family, address->socktype | SOCK_CLOEXEC, address->protocol);
    if (descriptor < 0) { return CURL_SOCKET_BAD; }
#ifdef TCP_USER_TIMEOUT
    (void)setsockopt(descriptor, IPPROTO_TCP, TCP_USER_TIMEOUT, &silence, sizeof(silence));
#endif
    return descriptor;
}

/// Names the calling thread for `top -H` and debuggers; at most 15 bytes.
static inline void ccurl_name_thread(const char *_Nonnull name) {
    (void)prctl(PR_SET_NAME, name, 0, 0, 0);
}

static inline CURLcode ccurl_get_pointer(CURL *_Nonnull handle, CURLINFO info, void *_Nullable *_Nonnull value) {
    return curl_easy_getinfo(handle, info, (char **)value);
}
