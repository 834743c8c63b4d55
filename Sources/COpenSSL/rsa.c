// The primes of RSA keys that are given by their exponents alone.

#include "crypto.h"

// How many random numbers are tried. Each finds the primes with a probability of at least 1/2.
enum { ATTEMPTS = 100 };

// Sets p to a prime of n (NIST SP 800-56B revision 2, appendix C.1), with the numbers of a context.
static int find_prime(BIGNUM *p, const BIGNUM *n, const BIGNUM *e, const BIGNUM *d,
                      BN_CTX *context) {
  BIGNUM *odd = crypto.BN_CTX_get(context), *last = crypto.BN_CTX_get(context);
  BIGNUM *base = crypto.BN_CTX_get(context);
  BIGNUM *root = crypto.BN_CTX_get(context), *square = crypto.BN_CTX_get(context);
  if (!square || !crypto.BN_mul(odd, e, d, context)) return 0;
  // Every power with a secret exponent takes a time that does not depend on it.
  crypto.BN_set_flags(odd, BN_FLG_CONSTTIME);
  // If d belongs to e, 2^(e·d) is 2.
  if (!crypto.BN_set_word(base, 2)
      || !crypto.BN_mod_exp(root, base, odd, n, context) || crypto.BN_cmp(root, base) != 0)
    return 0;
  // e·d - 1 = odd · 2^twos, which the order of every number divides.
  if (!crypto.BN_sub_word(odd, 1) || crypto.BN_is_zero(odd)) return 0;
  int twos = 0;
  for (; !crypto.BN_is_odd(odd); twos++) {
    if (!crypto.BN_rshift1(odd, odd)) return 0;
  }
  if (twos == 0 || !crypto.BN_copy(last, n) || !crypto.BN_sub_word(last, 1)) return 0;
  for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
    if (!crypto.BN_priv_rand_range(base, n) || !crypto.BN_mod_exp(root, base, odd, n, context))
      return 0;
    // A square root of 1 that is neither 1 nor -1 has a factor in common with n.
    for (int step = 0;
         step < twos && !crypto.BN_is_one(root) && crypto.BN_cmp(root, last) != 0; step++) {
      if (!crypto.BN_mod_sqr(square, root, n, context)) return 0;
      if (crypto.BN_is_one(square))
        return crypto.BN_sub_word(root, 1) && crypto.BN_gcd(p, root, n, context);
      if (!crypto.BN_copy(root, square)) return 0;
    }
  }
  return 0;
}

// Sets what libcrypto computes with: the other prime, d modulo each prime less one, 1/q modulo p.
static int complete(BIGNUM *numbers[5], const BIGNUM *n, const BIGNUM *d, BN_CTX *context) {
  BIGNUM *p = numbers[0], *q = numbers[1];
  BIGNUM *less = crypto.BN_CTX_get(context), *rest = crypto.BN_CTX_get(context);
  if (!rest || !crypto.BN_div(q, rest, n, p, context) || !crypto.BN_is_zero(rest)) return 0;
  if (crypto.BN_cmp(p, q) < 0) crypto.BN_swap(p, q);
  return crypto.BN_copy(less, p) && crypto.BN_sub_word(less, 1)
      && crypto.BN_div(NULL, numbers[2], d, less, context) && crypto.BN_copy(less, q)
      && crypto.BN_sub_word(less, 1) && crypto.BN_div(NULL, numbers[3], d, less, context)
      && crypto.BN_mod_inverse(numbers[4], q, p, context) != NULL;
}

int copenssl_rsa_complete(BIGNUM *numbers[5], const BIGNUM *n, const BIGNUM *e, const BIGNUM *d) {
  BN_CTX *context = crypto.BN_CTX_new();
  if (!context) return 0;
  crypto.BN_CTX_start(context);
  int done = find_prime(numbers[0], n, e, d, context) && complete(numbers, n, d, context);
  crypto.BN_CTX_end(context);
  crypto.BN_CTX_free(context);
  return done;
}
