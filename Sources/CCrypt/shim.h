#pragma once

#include <crypt.h>
#include <stdlib.h>
#include <string.h>

/// Hashes a phrase as `setting` says and copies the text, without its end, to `output`.
/// Answers how many bytes there are: 0 when the library refuses, the memory is short or the text is longer.
///
/// Here and not in Swift, because the library's work area is a structure of 32 KiB that must be wiped.
static inline size_t ccrypt_hash(const char *_Nonnull phrase, const char *_Nonnull setting,
                                 unsigned char *_Nonnull output, size_t capacity) {
    struct crypt_data *data = (struct crypt_data *)calloc(1, sizeof *data);
    if (data == NULL) { return 0; }
    const char *text = crypt_rn(phrase, setting, data, (int)sizeof *data);
    size_t length = text == NULL ? 0 : strlen(text);
    if (length > capacity) { length = 0; }
    if (length > 0) { memcpy(output, text, length); }
    explicit_bzero(data, sizeof *data);
    free(data);
    return length;
}
