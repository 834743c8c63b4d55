// PKCS #12 files and encrypted private keys. A file says how many iterations its password needs:
// each number is read before a key is derived, with the parser that libcrypto derives with.

#include "crypto.h"

#include <limits.h>
#include <pthread.h>
#include <string.h>

static int64_t value_of(const ASN1_INTEGER *number) {
  int64_t value;
  return crypto.ASN1_INTEGER_get_int64(&value, number) == 1 && value >= 0 ? value : INT64_MAX;
}

// What it costs to derive a key as an algorithm says, in iterations; INT64_MAX if that cannot be
// read.
static int64_t rounds_of(const X509_ALGOR *algorithm) {
  int64_t rounds = INT64_MAX;
  if (algorithm == NULL || algorithm->parameter == NULL
      || algorithm->parameter->type != V_ASN1_SEQUENCE)
    return rounds;
  const unsigned char *bytes = algorithm->parameter->value.sequence->data;
  long count = algorithm->parameter->value.sequence->length;
  switch (crypto.OBJ_obj2nid(algorithm->algorithm)) {
  case NID_pbes2:
  case NID_pbmac1: {
    PBE2PARAM *parameters = crypto.d2i_PBE2PARAM(NULL, &bytes, count);
    // Its own kind would nest without end.
    int nid = parameters ? crypto.OBJ_obj2nid(parameters->keyfunc->algorithm) : NID_undef;
    if (nid == NID_id_pbkdf2 || nid == NID_id_scrypt) rounds = rounds_of(parameters->keyfunc);
    crypto.PBE2PARAM_free(parameters);
    break;
  }
  case NID_id_pbkdf2: {
    PBKDF2PARAM *parameters = crypto.d2i_PBKDF2PARAM(NULL, &bytes, count);
    if (parameters) rounds = value_of(parameters->iter);
    crypto.PBKDF2PARAM_free(parameters);
    break;
  }
  case NID_id_scrypt: {
    SCRYPT_PARAMS *parameters = crypto.d2i_SCRYPT_PARAMS(NULL, &bytes, count);
    if (parameters) {
      int64_t n = value_of(parameters->costParameter), r = value_of(parameters->blockSize),
              p = value_of(parameters->parallelizationParameter);
      if (n <= COPENSSL_MAXIMUM_ROUNDS && r <= COPENSSL_MAXIMUM_ROUNDS && p <= 1000) rounds = n * r * p;
    }
    crypto.SCRYPT_PARAMS_free(parameters);
    break;
  }
  default: {
    PBEPARAM *parameters = crypto.d2i_PBEPARAM(NULL, &bytes, count);
    if (parameters) rounds = value_of(parameters->iter);
    crypto.PBEPARAM_free(parameters);
  }
  }
  return rounds;
}

// What is read of a file, and what may still be spent on it.
struct reader {
  OSSL_LIB_CTX *context;
  const char *password;
  int password_count;
  int64_t rounds_left;
  copenssl_pkcs12_result result;
  copenssl_key_receiver *receive;
  void *receiver;
  STACK_OF(X509) *certificates;
};

static int may_derive(struct reader *reader, int64_t rounds) {
  if (rounds > reader->rounds_left) {
    reader->result = COPENSSL_PKCS12_COSTLY;
    return 0;
  }
  reader->rounds_left -= rounds;
  return 1;
}

static int read_bags(struct reader *reader, const STACK_OF(PKCS12_SAFEBAG) *bags);

// Hands over the key of a bag with its name.
static int found(struct reader *reader, const PKCS12_SAFEBAG *bag, EVP_PKEY *key) {
  if (key == NULL) return 0;
  const ASN1_TYPE *name = crypto.PKCS12_SAFEBAG_get0_attr(bag, NID_friendlyName);
  char *text = NULL;
  if (name != NULL && name->type == V_ASN1_BMPSTRING)
    text = crypto.OPENSSL_uni2utf8(name->value.bmpstring->data, name->value.bmpstring->length);
  reader->receive(reader->receiver, key, text);
  copenssl_free(text);
  return 1;
}

// All private keys and certificates; anything else is passed over.
static int read_bag(struct reader *reader, const PKCS12_SAFEBAG *bag) {
  switch (crypto.PKCS12_SAFEBAG_get_nid(bag)) {
  case NID_keyBag:
    return found(reader, bag, crypto.EVP_PKCS82PKEY(crypto.PKCS12_SAFEBAG_get0_p8inf(bag)));
  case NID_pkcs8ShroudedKeyBag: {
    const X509_SIG *encrypted = crypto.PKCS12_SAFEBAG_get0_pkcs8(bag);
    const X509_ALGOR *algorithm = NULL;
    EVP_PKEY *key = NULL;
    crypto.X509_SIG_get0(encrypted, &algorithm, NULL);
    if (!may_derive(reader, rounds_of(algorithm))) return 0;
    PKCS8_PRIV_KEY_INFO *info = crypto.PKCS8_decrypt_ex(encrypted, reader->password,
                                                 reader->password_count, reader->context, NULL);
    // In the default context: a key must not outlive the one that decrypted it.
    if (info != NULL) key = crypto.EVP_PKCS82PKEY(info);
    crypto.PKCS8_PRIV_KEY_INFO_free(info);
    return found(reader, bag, key);
  }
  case NID_certBag: {
    if (crypto.PKCS12_SAFEBAG_get_bag_nid(bag) != NID_x509Certificate) return 1;
    X509 *certificate = crypto.PKCS12_SAFEBAG_get1_cert(bag);
    if (certificate == NULL) return 0;
    if (sk_X509_push(reader->certificates, certificate) > 0) return 1;
    crypto.X509_free(certificate);
    return 0;
  }
  case NID_safeContentsBag: return read_bags(reader, crypto.PKCS12_SAFEBAG_get0_safes(bag));
  default: return 1;
  }
}

static int read_bags(struct reader *reader, const STACK_OF(PKCS12_SAFEBAG) *bags) {
  for (int index = 0; index < sk_PKCS12_SAFEBAG_num(bags); index++)
    if (!read_bag(reader, sk_PKCS12_SAFEBAG_value(bags, index))) return 0;
  return 1;
}

// The bags of one part of the file; NULL if it cannot be read or its password costs too much.
static STACK_OF(PKCS12_SAFEBAG) *bags_of(struct reader *reader, PKCS7 *part) {
  if (crypto.OBJ_obj2nid(part->type) == NID_pkcs7_data)
    return part->d.data == NULL ? NULL : crypto.PKCS12_unpack_p7data(part);
  PKCS7_ENCRYPT *encrypted = part->d.encrypted;
  if (encrypted == NULL || encrypted->enc_data == NULL
      || !may_derive(reader, rounds_of(encrypted->enc_data->algorithm)))
    return NULL;
  return crypto.PKCS12_unpack_p7encdata(part, reader->password, reader->password_count);
}

static int read_parts(struct reader *reader, const PKCS12 *file) {
  STACK_OF(PKCS7) *parts = crypto.PKCS12_unpack_authsafes(file);
  int ok = parts != NULL;
  for (int index = 0; ok && index < sk_PKCS7_num(parts); index++) {
    PKCS7 *part = sk_PKCS7_value(parts, index);
    int nid = crypto.OBJ_obj2nid(part->type);
    if (nid != NID_pkcs7_data && nid != NID_pkcs7_encrypted) continue;
    STACK_OF(PKCS12_SAFEBAG) *bags = bags_of(reader, part);
    ok = bags != NULL && read_bags(reader, bags);
    sk_PKCS12_SAFEBAG_pop_free(bags, crypto.PKCS12_SAFEBAG_free);
  }
  sk_PKCS7_pop_free(parts, crypto.PKCS7_free);
  return ok;
}

static int64_t rounds_of_mac(const PKCS12 *file) {
  const X509_ALGOR *algorithm = NULL;
  const ASN1_INTEGER *iterations = NULL;
  crypto.PKCS12_get0_mac(NULL, &algorithm, NULL, &iterations, file);
  int64_t rounds = iterations == NULL ? 1 : value_of(iterations);
  if (algorithm == NULL || crypto.OBJ_obj2nid(algorithm->algorithm) != NID_pbmac1) return rounds;
  int64_t other = rounds_of(algorithm);
  return other > rounds ? other : rounds;
}

static int verifies(struct reader *reader, PKCS12 *file, const char *password, int count) {
  if (!may_derive(reader, rounds_of_mac(file))
      || !crypto.PKCS12_verify_mac(file, password, count))
    return 0;
  reader->password = password;
  reader->password_count = count;
  return 1;
}

// Finds the form of the password: no password is none, or an empty one.
static int find_password(struct reader *reader, PKCS12 *file, const char *password) {
  int count = password == NULL ? 0 : (int)strlen(password);
  reader->password = count == 0 ? NULL : password;
  reader->password_count = count;
  if (!crypto.PKCS12_mac_present(file)) return 1;
  reader->result = COPENSSL_PKCS12_READ;
  if (verifies(reader, file, reader->password, count)
      || (count == 0 && reader->result != COPENSSL_PKCS12_COSTLY
          && verifies(reader, file, "", 0)))
    return 1;
  if (reader->result != COPENSSL_PKCS12_COSTLY)
    reader->result =
        crypto.ERR_peek_error() == 0 ? COPENSSL_PKCS12_PASSWORD : COPENSSL_PKCS12_INVALID;
  return 0;
}

// Whether what was decrypted is not what was encrypted: without a MAC, nothing else tells a wrong password.
static int is_wrongly_decrypted(void) {
  unsigned long error = crypto.ERR_peek_last_error();
  return error == ERR_PACK(ERR_LIB_PKCS12, 0, PKCS12_R_PKCS12_CIPHERFINAL_ERROR)
         || error == ERR_PACK(ERR_LIB_PKCS12, 0, PKCS12_R_DECODE_ERROR);
}

// A library context of its own: the old algorithms must not come into use elsewhere.
static pthread_once_t legacy_once = PTHREAD_ONCE_INIT;
static OSSL_LIB_CTX *legacy_context;

static void make_legacy_context(void) {
  OSSL_LIB_CTX *context = crypto.OSSL_LIB_CTX_new();
  if (context != NULL && crypto.OSSL_PROVIDER_load(context, "default") != NULL
      && crypto.OSSL_PROVIDER_load(context, "legacy") != NULL) {
    legacy_context = context;
  } else {
    crypto.OSSL_LIB_CTX_free(context);
  }
}

// Finds the library context in which keys are derived: NULL is the default one. Returns 0 if libcrypto has no
// provider of the old algorithms.
static int find_context(int legacy, OSSL_LIB_CTX **context) {
  if (legacy) pthread_once(&legacy_once, make_legacy_context);
  *context = legacy ? legacy_context : NULL;
  return !legacy || legacy_context != NULL;
}

copenssl_pkcs12_result copenssl_pkcs12_read(const uint8_t *bytes, size_t count,
                                            const char *password, int legacy,
                                            copenssl_key_receiver *receive, void *receiver,
                                            STACK_OF(X509) **certificates) {
  OSSL_LIB_CTX *context;
  if (!find_context(legacy, &context)) return COPENSSL_PKCS12_NO_LEGACY;
  struct reader reader = {.context = context,
                          .receive = receive,
                          .receiver = receiver,
                          .rounds_left = COPENSSL_MAXIMUM_ROUNDS,
                          .result = COPENSSL_PKCS12_MALFORMED,
                          .certificates = sk_X509_new_null()};
  BIO *input = crypto.BIO_new(crypto.BIO_s_mem());
  PKCS12 *file = crypto.PKCS12_init_ex(NID_pkcs7_data, reader.context, NULL);
  size_t written = 0;
  if (input != NULL && file != NULL && reader.certificates != NULL
      && crypto.BIO_write_ex(input, bytes, count, &written) == 1
      && crypto.d2i_PKCS12_bio(input, &file) != NULL) {
    if (find_password(&reader, file, password)) {
      reader.result = COPENSSL_PKCS12_INVALID;
      if (read_parts(&reader, file))
        reader.result = COPENSSL_PKCS12_READ;
      else if (reader.result == COPENSSL_PKCS12_INVALID && !crypto.PKCS12_mac_present(file)
               && is_wrongly_decrypted())
        reader.result = COPENSSL_PKCS12_PASSWORD;
    }
  }
  // What cannot be read is freed by libcrypto, which then sets it to NULL.
  *certificates = reader.certificates;
  crypto.PKCS12_free(file);
  crypto.BIO_free_all(input);
  return reader.result;
}

int64_t copenssl_key_rounds(const uint8_t *bytes, size_t count) {
  const unsigned char *cursor = bytes;
  const X509_ALGOR *algorithm = NULL;
  X509_SIG *encrypted = count > LONG_MAX ? NULL : crypto.d2i_X509_SIG(NULL, &cursor, (long)count);
  if (encrypted != NULL) crypto.X509_SIG_get0(encrypted, &algorithm, NULL);
  int64_t rounds = encrypted == NULL ? 0 : rounds_of(algorithm);
  crypto.X509_SIG_free(encrypted);
  return rounds;
}

copenssl_pkcs12_result copenssl_decrypt_key(const uint8_t *bytes, size_t count,
                                            const char *password, int legacy,
                                            EVP_PKEY **key) {
  OSSL_LIB_CTX *context;
  *key = NULL;
  if (!find_context(legacy, &context)) return COPENSSL_PKCS12_NO_LEGACY;
  const unsigned char *cursor = bytes;
  X509_SIG *encrypted = count > LONG_MAX ? NULL : crypto.d2i_X509_SIG(NULL, &cursor, (long)count);
  if (encrypted == NULL) return COPENSSL_PKCS12_MALFORMED;
  copenssl_pkcs12_result result = COPENSSL_PKCS12_COSTLY;
  if (copenssl_key_rounds(bytes, count) <= COPENSSL_MAXIMUM_ROUNDS) {
    PKCS8_PRIV_KEY_INFO *info =
        crypto.PKCS8_decrypt_ex(encrypted, password, (int)strlen(password), context, NULL);
    if (info != NULL) *key = crypto.EVP_PKCS82PKEY(info);
    result = *key == NULL ? COPENSSL_PKCS12_PASSWORD : COPENSSL_PKCS12_READ;
    crypto.PKCS8_PRIV_KEY_INFO_free(info);
  }
  crypto.X509_SIG_free(encrypted);
  return result;
}

PKCS12 *copenssl_pkcs12_make(const char *password, const char *name, EVP_PKEY *key,
                             X509 *certificate, STACK_OF(X509) *others, int legacy) {
  int cipher = legacy ? NID_pbe_WithSHA1And3_Key_TripleDES_CBC : NID_aes_256_cbc;
  int rounds = legacy ? 2048 : 100000;
  PKCS12 *file = crypto.PKCS12_create(password, name, key, certificate, others, cipher, cipher,
                                      rounds, -1, 0);
  if (file != NULL
      && !crypto.PKCS12_set_mac(file, password, -1, NULL, 0, rounds,
                         legacy ? crypto.EVP_sha1() : crypto.EVP_sha256())) {
    crypto.PKCS12_free(file);
    file = NULL;
  }
  return file;
}
