#pragma once
// The one-shot functions of OpenSSL 3 look an algorithm up by name at each call, which costs more
// than hashing a URL does; the older ones are kept by OpenSSL for exactly this use.
#define OPENSSL_SUPPRESS_DEPRECATED
#include <openssl/sha.h>
