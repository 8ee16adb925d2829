#pragma once

// ECDSA with a nonce of our own choice (RFC 6979), and SHA-256 without a context on the heap, exist in OpenSSL 3.0 only
// among the functions marked deprecated.
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

/// Whether a is the inverse of k modulo the group's order. Neither shows in how long it takes.
static inline int copenssl_is_inverse(const EC_GROUP *group, const BIGNUM *k, const BIGNUM *a, BN_CTX *ctx) {
    BN_MONT_CTX *montgomery = EC_GROUP_get_mont_data(group);
    BIGNUM *product = BN_new();
    BIGNUM *one = BN_new();
    // Both sides are off by the same factor, Montgomery's.
    int is = product != NULL && one != NULL && BN_mod_mul_montgomery(product, k, a, montgomery, ctx) &&
             BN_from_montgomery(one, BN_value_one(), montgomery, ctx) && BN_cmp(product, one) == 0;
    BN_clear_free(product);
    BN_free(one);
    return is;
}

/// The first half of a signature: the x coordinate of k·G modulo the order. Returns NULL on failure.
static inline BIGNUM *copenssl_r_of_nonce(const EC_GROUP *group, const BIGNUM *k, BN_CTX *ctx) {
    EC_POINT *point = EC_POINT_new(group);
    BIGNUM *x = BN_new();
    if (point == NULL || x == NULL || !EC_POINT_mul(group, point, k, NULL, NULL, ctx) ||
        !EC_POINT_get_affine_coordinates(group, point, x, NULL, ctx) ||
        !BN_nnmod(x, x, EC_GROUP_get0_order(group), ctx)) {
        BN_free(x);
        x = NULL;
    }
    EC_POINT_clear_free(point);
    return x;
}

/// Writes r and s of what was made, each in half of `signature`, and frees it. Returns 1, or 0 when there is nothing.
static inline int copenssl_write_signature(ECDSA_SIG *made, uint8_t *signature, int half) {
    int done = made != NULL && BN_bn2binpad(ECDSA_SIG_get0_r(made), signature, half) == half &&
               BN_bn2binpad(ECDSA_SIG_get0_s(made), signature + half, half) == half;
    ECDSA_SIG_free(made);
    return done;
}

/// Signs a digest with the given nonce and writes r and s, each in half of `signature`. Returns 1, or 0 on failure.
///
/// The nonce must be secret, in [1, n-1], and never be used for two digests: whoever calls derives it by RFC 6979. An
/// inverse that is not the nonce's makes no signature: one could tell the key.
static inline int copenssl_sign_with_nonce(EC_KEY *key, const uint8_t *digest, size_t digest_length,
                                           const uint8_t *nonce, const uint8_t *inverse,
                                           uint8_t *signature, int half) {
    const EC_GROUP *group = EC_KEY_get0_group(key);
    BN_CTX *ctx = BN_CTX_new();
    BIGNUM *k = BN_bin2bn(nonce, half, NULL);
    BIGNUM *a = BN_bin2bn(inverse, half, NULL);
    BIGNUM *r = NULL;
    ECDSA_SIG *made = NULL;
    int done;
    if (ctx != NULL && k != NULL && a != NULL) {
        BN_set_flags(k, BN_FLG_CONSTTIME);
        BN_set_flags(a, BN_FLG_CONSTTIME);
        if (copenssl_is_inverse(group, k, a, ctx)) {
            r = copenssl_r_of_nonce(group, k, ctx);
        }
    }
    if (r != NULL) {
        made = ECDSA_do_sign_ex(digest, (int)digest_length, a, r, key);
    }
    done = copenssl_write_signature(made, signature, half);
    BN_free(r);
    BN_clear_free(a);
    BN_clear_free(k);
    BN_CTX_free(ctx);
    return done;
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
