// The primes of RSA keys that are given by their exponents alone.

#include "copenssl.h"
#include "functions.h"

// How many random numbers are tried. Each finds the primes with a probability of at least 1/2.
enum { ATTEMPTS = 100 };

// Sets p to a prime of n (NIST SP 800-56B revision 2, appendix C.1), with the numbers of a context.
static int find_prime(BIGNUM *p, const BIGNUM *n, const BIGNUM *e, const BIGNUM *d, BN_CTX *context) {
  BIGNUM *odd = BN_CTX_get(context), *last = BN_CTX_get(context), *base = BN_CTX_get(context);
  BIGNUM *root = BN_CTX_get(context), *square = BN_CTX_get(context);
  // If d belongs to e, 2^(e·d) is 2.
  if (!square || !BN_mul(odd, e, d, context) || !BN_set_word(base, 2)
      || !BN_mod_exp(root, base, odd, n, context) || BN_cmp(root, base) != 0)
    return 0;
  // e·d - 1 = odd · 2^twos, which the order of every number divides.
  if (!BN_sub_word(odd, 1) || BN_is_zero(odd)) return 0;
  int twos = 0;
  for (; !BN_is_odd(odd); twos++) {
    if (!BN_rshift1(odd, odd)) return 0;
  }
  BN_set_flags(odd, BN_FLG_CONSTTIME);
  if (twos == 0 || !BN_copy(last, n) || !BN_sub_word(last, 1)) return 0;
  for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
    if (!BN_priv_rand_range(base, n) || !BN_mod_exp(root, base, odd, n, context)) return 0;
    // A square root of 1 that is neither 1 nor -1 has a factor in common with n.
    for (int step = 0; step < twos && !BN_is_one(root) && BN_cmp(root, last) != 0; step++) {
      if (!BN_mod_sqr(square, root, n, context)) return 0;
      if (BN_is_one(square)) return BN_sub_word(root, 1) && BN_gcd(p, root, n, context);
      if (!BN_copy(root, square)) return 0;
    }
  }
  return 0;
}

// Sets what libcrypto computes with: the other prime, d modulo each prime less one, 1/q modulo p.
static int complete(BIGNUM *numbers[5], const BIGNUM *n, const BIGNUM *d, BN_CTX *context) {
  BIGNUM *p = numbers[0], *q = numbers[1];
  BIGNUM *less = BN_CTX_get(context), *rest = BN_CTX_get(context);
  if (!rest || !BN_div(q, rest, n, p, context) || !BN_is_zero(rest)) return 0;
  if (BN_cmp(p, q) < 0) BN_swap(p, q);
  return BN_copy(less, p) && BN_sub_word(less, 1) && BN_mod(numbers[2], d, less, context)
      && BN_copy(less, q) && BN_sub_word(less, 1) && BN_mod(numbers[3], d, less, context)
      && BN_mod_inverse(numbers[4], q, p, context) != NULL;
}

int copenssl_rsa_complete(BIGNUM *numbers[5], const BIGNUM *n, const BIGNUM *e, const BIGNUM *d) {
  BN_CTX *context = BN_CTX_new();
  if (!context) return 0;
  BN_CTX_start(context);
  int done = find_prime(numbers[0], n, e, d, context) && complete(numbers, n, d, context);
  BN_CTX_end(context);
  BN_CTX_free(context);
  return done;
}
