#pragma once

// Makes the input of a stream a pointer to constant bytes.
#define ZLIB_CONST
#include <zlib.h>
