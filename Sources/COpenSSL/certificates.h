#pragma once

#include <openssl/x509.h>
#include <openssl/x509_vfy.h>
#include <openssl/x509v3.h>
#include <stdint.h>

// A chain is checked here and not in Swift: OpenSSL's stacks are typed by macros, which Swift does not see.

/// Puts certificates on a new stack that does not own them. Returns NULL on failure.
static inline STACK_OF(X509) *copenssl_certificate_stack(X509 *const *certificates, size_t count) {
    STACK_OF(X509) *stack = sk_X509_new_null();
    for (size_t i = 0; stack != NULL && i < count; i++) {
        if (!sk_X509_push(stack, certificates[i])) {
            sk_X509_free(stack);
            stack = NULL;
        }
    }
    return stack;
}

/// Whether a chain from the leaf over some of the intermediates to one of the anchors was good at a moment, in seconds
/// since 1970. An anchor need not be self-signed, and may be the leaf itself. Nothing is fetched.
static inline int copenssl_certificate_chain_is_good(X509 *leaf, X509 *const *intermediates, size_t intermediate_count,
                                                     X509 *const *anchors, size_t anchor_count, int64_t moment) {
    X509_STORE_CTX *ctx = X509_STORE_CTX_new();
    STACK_OF(X509) *untrusted = copenssl_certificate_stack(intermediates, intermediate_count);
    STACK_OF(X509) *trusted = copenssl_certificate_stack(anchors, anchor_count);
    int good = 0;
    if (ctx != NULL && untrusted != NULL && trusted != NULL && X509_STORE_CTX_init(ctx, NULL, leaf, untrusted)) {
        X509_VERIFY_PARAM *rules = X509_STORE_CTX_get0_param(ctx);
        X509_VERIFY_PARAM_set_flags(rules, X509_V_FLAG_PARTIAL_CHAIN);
        X509_VERIFY_PARAM_set_time(rules, (time_t)moment);
        // 112 bits: no SHA-1, no RSA below 2048.
        X509_VERIFY_PARAM_set_auth_level(rules, 2);
        X509_STORE_CTX_set0_trusted_stack(ctx, trusted);
        good = X509_verify_cert(ctx) == 1;
    }
    X509_STORE_CTX_free(ctx);
    sk_X509_free(trusted);
    sk_X509_free(untrusted);
    return good;
}
