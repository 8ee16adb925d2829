#pragma once

// OpenSSL 3.0 marks the functions for SHA-256 without a context on the heap as deprecated (docs/decisions/0012).
#define OPENSSL_SUPPRESS_DEPRECATED

#include <openssl/bn.h>
#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <openssl/ec.h>
#include <openssl/ecdsa.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <openssl/param_build.h>
#include <openssl/pem.h>
#include <openssl/rand.h>
#include <openssl/rsa.h>
#include <openssl/sha.h>
#include <openssl/x509.h>
#include <stdint.h>
#include <string.h>

// Keys are made from numbers here and not in Swift: OpenSSL's parameter lists keep pointers to names and values until the
// key exists.

/// Makes a public key of a kind from finished parameters. Returns NULL on failure.
static inline EVP_PKEY *copenssl_public_key(const char *type, OSSL_PARAM *parameters) {
    EVP_PKEY_CTX *ctx = EVP_PKEY_CTX_new_from_name(NULL, type, NULL);
    EVP_PKEY *key = NULL;
    if (ctx != NULL && parameters != NULL && EVP_PKEY_fromdata_init(ctx) == 1) {
        EVP_PKEY_fromdata(ctx, &key, EVP_PKEY_PUBLIC_KEY, parameters);
    }
    EVP_PKEY_CTX_free(ctx);
    return key;
}

/// Makes an RSA public key from big-endian numbers. Returns NULL on failure.
static inline EVP_PKEY *copenssl_rsa_public_key(const uint8_t *modulus, int modulus_length, const uint8_t *exponent,
                                                int exponent_length) {
    BIGNUM *n = BN_bin2bn(modulus, modulus_length, NULL);
    BIGNUM *e = BN_bin2bn(exponent, exponent_length, NULL);
    OSSL_PARAM_BLD *builder = OSSL_PARAM_BLD_new();
    OSSL_PARAM *parameters = NULL;
    EVP_PKEY *key = NULL;
    if (n != NULL && e != NULL && builder != NULL && OSSL_PARAM_BLD_push_BN(builder, OSSL_PKEY_PARAM_RSA_N, n) &&
        OSSL_PARAM_BLD_push_BN(builder, OSSL_PKEY_PARAM_RSA_E, e)) {
        parameters = OSSL_PARAM_BLD_to_param(builder);
        key = copenssl_public_key("RSA", parameters);
    }
    OSSL_PARAM_free(parameters);
    OSSL_PARAM_BLD_free(builder);
    BN_free(e);
    BN_free(n);
    return key;
}

/// Makes a public key on a named curve from an encoded point. Returns NULL on failure, also for a point off the curve.
static inline EVP_PKEY *copenssl_ec_public_key(const char *group, const uint8_t *point, size_t point_length) {
    OSSL_PARAM parameters[] = {
        OSSL_PARAM_construct_utf8_string(OSSL_PKEY_PARAM_GROUP_NAME, (char *)group, 0),
        OSSL_PARAM_construct_octet_string(OSSL_PKEY_PARAM_PUB_KEY, (void *)point, point_length),
        OSSL_PARAM_construct_end(),
    };
    return copenssl_public_key("EC", parameters);
}

/// SHA-256: the digest of a message in the 32 bytes at `digest`.
static inline void copenssl_sha256(const uint8_t *message, size_t length, uint8_t *digest) {
    SHA256_CTX context;
    SHA256_Init(&context);
    SHA256_Update(&context, message, length);
    SHA256_Final(digest, &context);
    OPENSSL_cleanse(&context, sizeof context);
}

/// HMAC with SHA-256 (RFC 2104): the code of a message in the 32 bytes at `code`.
static inline void copenssl_hmac_sha256(const uint8_t *key, size_t key_length, const uint8_t *message,
                                        size_t message_length, uint8_t *code) {
    SHA256_CTX context;
    uint8_t inner[SHA256_CBLOCK] = {0}, outer[SHA256_CBLOCK];
    if (key_length > SHA256_CBLOCK) {
        SHA256_Init(&context);
        SHA256_Update(&context, key, key_length);
        SHA256_Final(inner, &context);
    } else if (key_length > 0) {
        memcpy(inner, key, key_length);
    }
    for (int i = 0; i < SHA256_CBLOCK; i++) {
        outer[i] = inner[i] ^ 0x5C;
        inner[i] ^= 0x36;
    }
    SHA256_Init(&context);
    SHA256_Update(&context, inner, sizeof inner);
    SHA256_Update(&context, message, message_length);
    SHA256_Final(code, &context);
    SHA256_Init(&context);
    SHA256_Update(&context, outer, sizeof outer);
    SHA256_Update(&context, code, SHA256_DIGEST_LENGTH);
    SHA256_Final(code, &context);
    OPENSSL_cleanse(inner, sizeof inner);
    OPENSSL_cleanse(outer, sizeof outer);
    OPENSSL_cleanse(&context, sizeof context);
}
