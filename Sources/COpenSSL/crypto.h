#include "copenssl.h"

// As in Swift.
#define crypto copenssl

// libcrypto's macros for stacks call these.
#define OPENSSL_sk_new_null crypto.OPENSSL_sk_new_null
#define OPENSSL_sk_num crypto.OPENSSL_sk_num
#define OPENSSL_sk_pop_free crypto.OPENSSL_sk_pop_free
#define OPENSSL_sk_push crypto.OPENSSL_sk_push
#define OPENSSL_sk_value crypto.OPENSSL_sk_value
