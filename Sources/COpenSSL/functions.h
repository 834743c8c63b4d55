// The functions of libcrypto that are used: X(result, name, parameters, arguments).
//
// A function that the linker does not find is missing here: add its row.

#define FUNCTIONS(X) \
  X(int, ASN1_INTEGER_get_int64, (int64_t *a, const ASN1_INTEGER *b), (a, b)) \
  X(BIGNUM *, ASN1_INTEGER_to_BN, (const ASN1_INTEGER *a, BIGNUM *b), (a, b)) \
  X(void, ASN1_STRING_free, (ASN1_STRING *a), (a)) \
  X(const unsigned char *, ASN1_STRING_get0_data, (const ASN1_STRING *a), (a)) \
  X(int, ASN1_STRING_length, (const ASN1_STRING *a), (a)) \
  X(int, ASN1_STRING_set, (ASN1_STRING *a, const void *b, int c), (a, b, c)) \
  X(int, ASN1_STRING_to_UTF8, (unsigned char **a, const ASN1_STRING *b), (a, b)) \
  X(ASN1_STRING *, ASN1_STRING_type_new, (int a), (a)) \
  X(int, ASN1_TIME_diff, (int *a, int *b, const ASN1_TIME *c, const ASN1_TIME *d), (a, b, c, d)) \
  X(ASN1_TIME *, ASN1_TIME_set, (ASN1_TIME *a, time_t b), (a, b)) \
  X(long, BIO_ctrl, (BIO *a, int b, long c, void *d), (a, b, c, d)) \
  X(void, BIO_free_all, (BIO *a), (a)) \
  X(BIO *, BIO_new, (const BIO_METHOD *a), (a)) \
  X(const BIO_METHOD *, BIO_s_mem, (void), ()) \
  X(int, BIO_write_ex, (BIO *a, const void *b, size_t c, size_t *d), (a, b, c, d)) \
  X(void, BN_CTX_end, (BN_CTX *a), (a)) \
  X(void, BN_CTX_free, (BN_CTX *a), (a)) \
  X(BIGNUM *, BN_CTX_get, (BN_CTX *a), (a)) \
  X(BN_CTX *, BN_CTX_new, (void), ()) \
  X(void, BN_CTX_start, (BN_CTX *a), (a)) \
  X(void, BN_MONT_CTX_free, (BN_MONT_CTX *a), (a)) \
  X(BN_MONT_CTX *, BN_MONT_CTX_new, (void), ()) \
  X(int, BN_MONT_CTX_set, (BN_MONT_CTX *a, const BIGNUM *b, BN_CTX *c), (a, b, c)) \
  X(BIGNUM *, BN_bin2bn, (const unsigned char *a, int b, BIGNUM *c), (a, b, c)) \
  X(int, BN_bn2binpad, (const BIGNUM *a, unsigned char *b, int c), (a, b, c)) \
  X(char *, BN_bn2hex, (const BIGNUM *a), (a)) \
  X(void, BN_clear_free, (BIGNUM *a), (a)) \
  X(int, BN_cmp, (const BIGNUM *a, const BIGNUM *b), (a, b)) \
  X(BIGNUM *, BN_copy, (BIGNUM *a, const BIGNUM *b), (a, b)) \
  X(int, BN_div, (BIGNUM *a, BIGNUM *b, const BIGNUM *c, const BIGNUM *d, BN_CTX *e), \
    (a, b, c, d, e)) \
  X(void, BN_free, (BIGNUM *a), (a)) \
  X(int, BN_gcd, (BIGNUM *a, const BIGNUM *b, const BIGNUM *c, BN_CTX *d), (a, b, c, d)) \
  X(int, BN_is_negative, (const BIGNUM *a), (a)) \
  X(int, BN_is_odd, (const BIGNUM *a), (a)) \
  X(int, BN_is_one, (const BIGNUM *a), (a)) \
  X(int, BN_is_zero, (const BIGNUM *a), (a)) \
  X(int, BN_mod_exp, (BIGNUM *a, const BIGNUM *b, const BIGNUM *c, const BIGNUM *d, BN_CTX *e), \
    (a, b, c, d, e)) \
  X(BIGNUM *, BN_mod_inverse, (BIGNUM *a, const BIGNUM *b, const BIGNUM *c, BN_CTX *d), \
    (a, b, c, d)) \
  X(int, BN_mod_mul_montgomery, (BIGNUM *a, const BIGNUM *b, const BIGNUM *c, BN_MONT_CTX *d, \
    BN_CTX *e), (a, b, c, d, e)) \
  X(int, BN_mod_sqr, (BIGNUM *a, const BIGNUM *b, const BIGNUM *c, BN_CTX *d), (a, b, c, d)) \
  X(int, BN_mul, (BIGNUM *a, const BIGNUM *b, const BIGNUM *c, BN_CTX *d), (a, b, c, d)) \
  X(BIGNUM *, BN_new, (void), ()) \
  X(int, BN_num_bits, (const BIGNUM *a), (a)) \
  X(int, BN_priv_rand_range, (BIGNUM *a, const BIGNUM *b), (a, b)) \
  X(int, BN_rshift1, (BIGNUM *a, const BIGNUM *b), (a, b)) \
  X(void, BN_set_flags, (BIGNUM *a, int b), (a, b)) \
  X(int, BN_set_word, (BIGNUM *a, BN_ULONG b), (a, b)) \
  X(int, BN_sub_word, (BIGNUM *a, BN_ULONG b), (a, b)) \
  X(void, BN_swap, (BIGNUM *a, BIGNUM *b), (a, b)) \
  X(ASN1_INTEGER *, BN_to_ASN1_INTEGER, (const BIGNUM *a, ASN1_INTEGER *b), (a, b)) \
  X(int, BN_to_montgomery, (BIGNUM *a, const BIGNUM *b, BN_MONT_CTX *c, BN_CTX *d), \
    (a, b, c, d)) \
  X(void, CRYPTO_clear_free, (void *a, size_t b, const char *c, int d), (a, b, c, d)) \
  X(void, CRYPTO_free, (void *a, const char *b, int c), (a, b, c)) \
  X(int, CRYPTO_memcmp, (const void *a, const void *b, size_t c), (a, b, c)) \
  X(void, ECDSA_SIG_free, (ECDSA_SIG *a), (a)) \
  X(const BIGNUM *, ECDSA_SIG_get0_r, (const ECDSA_SIG *a), (a)) \
  X(const BIGNUM *, ECDSA_SIG_get0_s, (const ECDSA_SIG *a), (a)) \
  X(ECDSA_SIG *, ECDSA_SIG_new, (void), ()) \
  X(int, ECDSA_SIG_set0, (ECDSA_SIG *a, BIGNUM *b, BIGNUM *c), (a, b, c)) \
  X(void, ERR_clear_error, (void), ()) \
  X(unsigned long, ERR_get_error, (void), ()) \
  X(unsigned long, ERR_peek_error, (void), ()) \
  X(unsigned long, ERR_peek_last_error, (void), ()) \
  X(const char *, ERR_reason_error_string, (unsigned long a), (a)) \
  X(int, EVP_CIPHER_CTX_ctrl, (EVP_CIPHER_CTX *a, int b, int c, void *d), (a, b, c, d)) \
  X(void, EVP_CIPHER_CTX_free, (EVP_CIPHER_CTX *a), (a)) \
  X(EVP_CIPHER_CTX *, EVP_CIPHER_CTX_new, (void), ()) \
  X(void, EVP_CIPHER_CTX_set_flags, (EVP_CIPHER_CTX *a, int b), (a, b)) \
  X(EVP_CIPHER *, EVP_CIPHER_fetch, (OSSL_LIB_CTX *a, const char *b, const char *c), (a, b, c)) \
  X(void, EVP_CIPHER_free, (EVP_CIPHER *a), (a)) \
  X(int, EVP_CIPHER_get_iv_length, (const EVP_CIPHER *a), (a)) \
  X(int, EVP_CIPHER_get_key_length, (const EVP_CIPHER *a), (a)) \
  X(int, EVP_CipherFinal_ex, (EVP_CIPHER_CTX *a, unsigned char *b, int *c), (a, b, c)) \
  X(int, EVP_CipherInit_ex2, (EVP_CIPHER_CTX *a, const EVP_CIPHER *b, const unsigned char *c, \
    const unsigned char *d, int e, const OSSL_PARAM *f), (a, b, c, d, e, f)) \
  X(int, EVP_CipherUpdate, (EVP_CIPHER_CTX *a, unsigned char *b, int *c, const unsigned char *d, \
    int e), (a, b, c, d, e)) \
  X(int, EVP_Digest, (const void *a, size_t b, unsigned char *c, unsigned int *d, \
    const EVP_MD *e, ENGINE *f), (a, b, c, d, e, f)) \
  X(int, EVP_DigestFinal_ex, (EVP_MD_CTX *a, unsigned char *b, unsigned int *c), (a, b, c)) \
  X(int, EVP_DigestInit_ex2, (EVP_MD_CTX *a, const EVP_MD *b, const OSSL_PARAM *c), (a, b, c)) \
  X(int, EVP_DigestSign, (EVP_MD_CTX *a, unsigned char *b, size_t *c, const unsigned char *d, \
    size_t e), (a, b, c, d, e)) \
  X(int, EVP_DigestSignInit, (EVP_MD_CTX *a, EVP_PKEY_CTX **b, const EVP_MD *c, ENGINE *d, \
    EVP_PKEY *e), (a, b, c, d, e)) \
  X(int, EVP_DigestUpdate, (EVP_MD_CTX *a, const void *b, size_t c), (a, b, c)) \
  X(int, EVP_DigestVerify, (EVP_MD_CTX *a, const unsigned char *b, size_t c, \
    const unsigned char *d, size_t e), (a, b, c, d, e)) \
  X(int, EVP_DigestVerifyInit, (EVP_MD_CTX *a, EVP_PKEY_CTX **b, const EVP_MD *c, ENGINE *d, \
    EVP_PKEY *e), (a, b, c, d, e)) \
  X(void, EVP_MD_CTX_free, (EVP_MD_CTX *a), (a)) \
  X(EVP_MD_CTX *, EVP_MD_CTX_new, (void), ()) \
  X(EVP_MD *, EVP_MD_fetch, (OSSL_LIB_CTX *a, const char *b, const char *c), (a, b, c)) \
  X(EVP_PKEY *, EVP_PKCS82PKEY, (const PKCS8_PRIV_KEY_INFO *a), (a)) \
  X(PKCS8_PRIV_KEY_INFO *, EVP_PKEY2PKCS8, (const EVP_PKEY *a), (a)) \
  X(int, EVP_PBE_scrypt, (const char *a, size_t b, const unsigned char *c, size_t d, uint64_t e, \
    uint64_t f, uint64_t g, uint64_t h, unsigned char *i, size_t j), (a, b, c, d, e, f, g, h, i, j)) \
  X(void, EVP_PKEY_CTX_free, (EVP_PKEY_CTX *a), (a)) \
  X(EVP_PKEY_CTX *, EVP_PKEY_CTX_new_from_name, (OSSL_LIB_CTX *a, const char *b, const char *c), \
    (a, b, c)) \
  X(EVP_PKEY_CTX *, EVP_PKEY_CTX_new_from_pkey, (OSSL_LIB_CTX *a, EVP_PKEY *b, const char *c), \
    (a, b, c)) \
  X(int, EVP_PKEY_CTX_set_group_name, (EVP_PKEY_CTX *a, const char *b), (a, b)) \
  X(int, EVP_PKEY_CTX_set_rsa_keygen_bits, (EVP_PKEY_CTX *a, int b), (a, b)) \
  X(int, EVP_PKEY_CTX_set_rsa_mgf1_md, (EVP_PKEY_CTX *a, const EVP_MD *b), (a, b)) \
  X(int, EVP_PKEY_CTX_set_rsa_oaep_md, (EVP_PKEY_CTX *a, const EVP_MD *b), (a, b)) \
  X(int, EVP_PKEY_CTX_set_rsa_padding, (EVP_PKEY_CTX *a, int b), (a, b)) \
  X(int, EVP_PKEY_CTX_set_rsa_pss_saltlen, (EVP_PKEY_CTX *a, int b), (a, b)) \
  X(int, EVP_PKEY_CTX_set_signature_md, (EVP_PKEY_CTX *a, const EVP_MD *b), (a, b)) \
  X(int, EVP_PKEY_decrypt, (EVP_PKEY_CTX *a, unsigned char *b, size_t *c, const unsigned char *d, \
    size_t e), (a, b, c, d, e)) \
  X(int, EVP_PKEY_decrypt_init, (EVP_PKEY_CTX *a), (a)) \
  X(int, EVP_PKEY_derive, (EVP_PKEY_CTX *a, unsigned char *b, size_t *c), (a, b, c)) \
  X(int, EVP_PKEY_derive_init, (EVP_PKEY_CTX *a), (a)) \
  X(int, EVP_PKEY_derive_set_peer, (EVP_PKEY_CTX *a, EVP_PKEY *b), (a, b)) \
  X(int, EVP_PKEY_encrypt, (EVP_PKEY_CTX *a, unsigned char *b, size_t *c, const unsigned char *d, \
    size_t e), (a, b, c, d, e)) \
  X(int, EVP_PKEY_encrypt_init, (EVP_PKEY_CTX *a), (a)) \
  X(void, EVP_PKEY_free, (EVP_PKEY *a), (a)) \
  X(int, EVP_PKEY_fromdata, (EVP_PKEY_CTX *a, EVP_PKEY **b, int c, OSSL_PARAM *d), (a, b, c, d)) \
  X(int, EVP_PKEY_fromdata_init, (EVP_PKEY_CTX *a), (a)) \
  X(int, EVP_PKEY_generate, (EVP_PKEY_CTX *a, EVP_PKEY **b), (a, b)) \
  X(const char *, EVP_PKEY_get0_type_name, (const EVP_PKEY *a), (a)) \
  X(int, EVP_PKEY_get_bits, (const EVP_PKEY *a), (a)) \
  X(int, EVP_PKEY_get_bn_param, (const EVP_PKEY *a, const char *b, BIGNUM **c), (a, b, c)) \
  X(int, EVP_PKEY_get_group_name, (const EVP_PKEY *a, char *b, size_t c, size_t *d), (a, b, c, d)) \
  X(int, EVP_PKEY_get_raw_private_key, (const EVP_PKEY *a, unsigned char *b, size_t *c), \
    (a, b, c)) \
  X(int, EVP_PKEY_get_raw_public_key, (const EVP_PKEY *a, unsigned char *b, size_t *c), (a, b, c)) \
  X(int, EVP_PKEY_get_size, (const EVP_PKEY *a), (a)) \
  X(int, EVP_PKEY_keygen_init, (EVP_PKEY_CTX *a), (a)) \
  X(EVP_PKEY *, EVP_PKEY_new_raw_public_key, (int a, ENGINE *b, const unsigned char *c, \
    size_t d), (a, b, c, d)) \
  X(int, EVP_PKEY_pairwise_check, (EVP_PKEY_CTX *a), (a)) \
  X(int, EVP_PKEY_verify, (EVP_PKEY_CTX *a, const unsigned char *b, size_t c, \
    const unsigned char *d, size_t e), (a, b, c, d, e)) \
  X(int, EVP_PKEY_verify_init, (EVP_PKEY_CTX *a), (a)) \
  X(const EVP_CIPHER *, EVP_aes_256_cbc, (void), ()) \
  X(const EVP_MD *, EVP_sha1, (void), ()) \
  X(const EVP_MD *, EVP_sha256, (void), ()) \
  X(void, GENERAL_NAMES_free, (GENERAL_NAMES *a), (a)) \
  X(GENERAL_NAMES *, GENERAL_NAMES_new, (void), ()) \
  X(void, GENERAL_NAME_free, (GENERAL_NAME *a), (a)) \
  X(GENERAL_NAME *, GENERAL_NAME_new, (void), ()) \
  X(void, GENERAL_NAME_set0_value, (GENERAL_NAME *a, int b, void *c), (a, b, c)) \
  X(unsigned char *, HMAC, (const EVP_MD *a, const void *b, int c, const unsigned char *d, \
    size_t e, unsigned char *f, unsigned int *g), (a, b, c, d, e, f, g)) \
  X(int, OBJ_obj2nid, (const ASN1_OBJECT *a), (a)) \
  X(OPENSSL_STACK *, OPENSSL_sk_new_null, (void), ()) \
  X(int, OPENSSL_sk_num, (const OPENSSL_STACK *a), (a)) \
  X(void, OPENSSL_sk_pop_free, (OPENSSL_STACK *a, void (*b)(void *)), (a, b)) \
  X(int, OPENSSL_sk_push, (OPENSSL_STACK *a, const void *b), (a, b)) \
  X(void *, OPENSSL_sk_value, (const OPENSSL_STACK *a, int b), (a, b)) \
  X(void, OSSL_LIB_CTX_free, (OSSL_LIB_CTX *a), (a)) \
  X(OSSL_LIB_CTX *, OSSL_LIB_CTX_new, (void), ()) \
  X(void, OSSL_PARAM_BLD_free, (OSSL_PARAM_BLD *a), (a)) \
  X(OSSL_PARAM_BLD *, OSSL_PARAM_BLD_new, (void), ()) \
  X(int, OSSL_PARAM_BLD_push_BN, (OSSL_PARAM_BLD *a, const char *b, const BIGNUM *c), (a, b, c)) \
  X(int, OSSL_PARAM_BLD_push_octet_string, (OSSL_PARAM_BLD *a, const char *b, const void *c, \
    size_t d), (a, b, c, d)) \
  X(int, OSSL_PARAM_BLD_push_utf8_string, (OSSL_PARAM_BLD *a, const char *b, const char *c, \
    size_t d), (a, b, c, d)) \
  X(OSSL_PARAM *, OSSL_PARAM_BLD_to_param, (OSSL_PARAM_BLD *a), (a)) \
  X(void, OSSL_PARAM_free, (OSSL_PARAM *a), (a)) \
  X(OSSL_PROVIDER *, OSSL_PROVIDER_load, (OSSL_LIB_CTX *a, const char *b), (a, b)) \
  X(int, OPENSSL_init_crypto, (uint64_t a, const OPENSSL_INIT_SETTINGS *b), (a, b)) \
  X(int, OSSL_STORE_close, (OSSL_STORE_CTX *a), (a)) \
  X(int, OSSL_STORE_eof, (OSSL_STORE_CTX *a), (a)) \
  X(int, OSSL_STORE_expect, (OSSL_STORE_CTX *a, int b), (a, b)) \
  X(void, OSSL_STORE_INFO_free, (OSSL_STORE_INFO *a), (a)) \
  X(EVP_PKEY *, OSSL_STORE_INFO_get1_PKEY, (const OSSL_STORE_INFO *a), (a)) \
  X(int, OSSL_STORE_INFO_get_type, (const OSSL_STORE_INFO *a), (a)) \
  X(OSSL_STORE_INFO *, OSSL_STORE_load, (OSSL_STORE_CTX *a), (a)) \
  X(OSSL_STORE_LOADER *, OSSL_STORE_LOADER_fetch, (OSSL_LIB_CTX *a, const char *b, \
    const char *c), (a, b, c)) \
  X(void, OSSL_STORE_LOADER_free, (OSSL_STORE_LOADER *a), (a)) \
  X(OSSL_STORE_CTX *, OSSL_STORE_open_ex, (const char *a, OSSL_LIB_CTX *b, const char *c, \
    const UI_METHOD *d, void *e, const OSSL_PARAM *f, OSSL_STORE_post_process_info_fn g, \
    void *h), (a, b, c, d, e, f, g, h)) \
  X(void, PBE2PARAM_free, (PBE2PARAM *a), (a)) \
  X(void, PBEPARAM_free, (PBEPARAM *a), (a)) \
  X(void, PBKDF2PARAM_free, (PBKDF2PARAM *a), (a)) \
  X(void, PKCS12_get0_mac, (const ASN1_OCTET_STRING **a, const X509_ALGOR **b, const \
    ASN1_OCTET_STRING **c, const ASN1_INTEGER **d, const PKCS12 *e), (a, b, c, d, e)) \
  X(void, PKCS12_SAFEBAG_free, (PKCS12_SAFEBAG *a), (a)) \
  X(const PKCS8_PRIV_KEY_INFO *, PKCS12_SAFEBAG_get0_p8inf, (const PKCS12_SAFEBAG *a), (a)) \
  X(const X509_SIG *, PKCS12_SAFEBAG_get0_pkcs8, (const PKCS12_SAFEBAG *a), (a)) \
  X(const STACK_OF(PKCS12_SAFEBAG) *, PKCS12_SAFEBAG_get0_safes, (const PKCS12_SAFEBAG *a), (a)) \
  X(X509 *, PKCS12_SAFEBAG_get1_cert, (const PKCS12_SAFEBAG *a), (a)) \
  X(int, PKCS12_SAFEBAG_get_bag_nid, (const PKCS12_SAFEBAG *a), (a)) \
  X(int, PKCS12_SAFEBAG_get_nid, (const PKCS12_SAFEBAG *a), (a)) \
  X(STACK_OF(PKCS7) *, PKCS12_unpack_authsafes, (const PKCS12 *a), (a)) \
  X(STACK_OF(PKCS12_SAFEBAG) *, PKCS12_unpack_p7data, (PKCS7 *a), (a)) \
  X(STACK_OF(PKCS12_SAFEBAG) *, PKCS12_unpack_p7encdata, (PKCS7 *a, const char *b, int c), (a, \
    b, c)) \
  X(PKCS8_PRIV_KEY_INFO *, PKCS8_decrypt_ex, (const X509_SIG *a, const char *b, int c, \
    OSSL_LIB_CTX *d, const char *e), (a, b, c, d, e)) \
  X(void, SCRYPT_PARAMS_free, (SCRYPT_PARAMS *a), (a)) \
  X(void, UI_destroy_method, (UI_METHOD *a), (a)) \
  X(UI_METHOD *, UI_UTIL_wrap_read_pem_callback, (pem_password_cb *a, int b), (a, b)) \
  X(int, PEM_read_bio, (BIO *a, char **b, char **c, unsigned char **d, long *e), (a, b, c, d, e)) \
  X(EVP_PKEY *, PEM_read_bio_PrivateKey, (BIO *a, EVP_PKEY **b, pem_password_cb *c, void *d), \
    (a, b, c, d)) \
  X(PKCS12 *, PKCS12_create, (const char *a, const char *b, EVP_PKEY *c, X509 *d, STACK_OF(X509) \
    *e, int f, int g, int h, int i, int j), (a, b, c, d, e, f, g, h, i, j)) \
  X(void, PKCS12_free, (PKCS12 *a), (a)) \
  X(PKCS12 *, PKCS12_init_ex, (int a, OSSL_LIB_CTX *b, const char *c), (a, b, c)) \
  X(int, PKCS12_mac_present, (const PKCS12 *a), (a)) \
  X(int, PKCS12_set_mac, (PKCS12 *a, const char *b, int c, unsigned char *d, int e, int f, const \
    EVP_MD *g), (a, b, c, d, e, f, g)) \
  X(int, PKCS12_verify_mac, (PKCS12 *a, const char *b, int c), (a, b, c)) \
  X(X509_ALGOR *, PKCS5_pbe2_set_iv, (const EVP_CIPHER *a, int b, unsigned char *c, int d, \
    unsigned char *e, int f), (a, b, c, d, e, f)) \
  X(void, PKCS7_free, (PKCS7 *a), (a)) \
  X(void, PKCS8_PRIV_KEY_INFO_free, (PKCS8_PRIV_KEY_INFO *a), (a)) \
  X(X509_SIG *, PKCS8_set0_pbe, (const char *a, int b, PKCS8_PRIV_KEY_INFO *c, X509_ALGOR *d), \
    (a, b, c, d)) \
  X(int, RAND_priv_bytes_ex, (OSSL_LIB_CTX *a, unsigned char *b, size_t c, unsigned int d), (a, \
    b, c, d)) \
  X(X509_EXTENSION *, X509_EXTENSION_dup, (const X509_EXTENSION *a), (a)) \
  X(ASN1_OCTET_STRING *, X509_EXTENSION_get_data, (X509_EXTENSION *a), (a)) \
  X(X509_EXTENSION *, X509_get_ext, (const X509 *a, int b), (a, b)) \
  X(int, X509_get_ext_by_NID, (const X509 *a, int b, int c), (a, b, c)) \
  X(int, X509_NAME_entry_count, (const X509_NAME *a), (a)) \
  X(void, X509_SIG_get0, (const X509_SIG *a, const X509_ALGOR **b, const ASN1_OCTET_STRING **c), \
    (a, b, c)) \
  X(X509_EXTENSION *, X509V3_EXT_conf_nid, (LHASH_OF(CONF_VALUE) *a, X509V3_CTX *b, int c, \
    const char *d), (a, b, c, d)) \
  X(int, X509V3_add1_i2d, (STACK_OF(X509_EXTENSION) **a, int b, void *c, int d, unsigned long \
    e), (a, b, c, d, e)) \
  X(void, X509_ALGOR_free, (X509_ALGOR *a), (a)) \
  X(void, X509_EXTENSION_free, (X509_EXTENSION *a), (a)) \
  X(ASN1_STRING *, X509_NAME_ENTRY_get_data, (const X509_NAME_ENTRY *a), (a)) \
  X(int, X509_NAME_add_entry_by_NID, (X509_NAME *a, int b, int c, const unsigned char *d, int e, \
    int f, int g), (a, b, c, d, e, f, g)) \
  X(int, X509_NAME_add_entry_by_txt, (X509_NAME *a, const char *b, int c, const unsigned char \
    *d, int e, int f, int g), (a, b, c, d, e, f, g)) \
  X(X509_NAME_ENTRY *, X509_NAME_get_entry, (const X509_NAME *a, int b), (a, b)) \
  X(int, X509_NAME_cmp, (const X509_NAME *a, const X509_NAME *b), (a, b)) \
  X(void, X509_NAME_free, (X509_NAME *a), (a)) \
  X(int, X509_NAME_get_index_by_NID, (const X509_NAME *a, int b, int c), (a, b, c)) \
  X(X509_NAME *, X509_NAME_new, (void), ()) \
  X(int, X509_NAME_print_ex, (BIO *a, const X509_NAME *b, int c, unsigned long d), (a, b, c, d)) \
  X(int, X509_REQ_add1_attr_by_NID, (X509_REQ *a, int b, int c, const unsigned char *d, int e), \
    (a, b, c, d, e)) \
  X(int, X509_REQ_add_extensions, (X509_REQ *a, const STACK_OF(X509_EXTENSION) *b), (a, b)) \
  X(void, X509_REQ_free, (X509_REQ *a), (a)) \
  X(X509_PUBKEY *, X509_REQ_get_X509_PUBKEY, (X509_REQ *a), (a)) \
  X(X509_NAME *, X509_REQ_get_subject_name, (const X509_REQ *a), (a)) \
  X(X509_REQ *, X509_REQ_new, (void), ()) \
  X(int, X509_REQ_set_pubkey, (X509_REQ *a, EVP_PKEY *b), (a, b)) \
  X(int, X509_REQ_set_subject_name, (X509_REQ *a, const X509_NAME *b), (a, b)) \
  X(int, X509_REQ_set_version, (X509_REQ *a, long b), (a, b)) \
  X(int, X509_REQ_sign, (X509_REQ *a, EVP_PKEY *b, const EVP_MD *c), (a, b, c)) \
  X(void, X509_SIG_free, (X509_SIG *a), (a)) \
  X(int, X509_add_ext, (X509 *a, X509_EXTENSION *b, int c), (a, b, c)) \
  X(STACK_OF(X509) *, X509_chain_up_ref, (STACK_OF(X509) *a), (a)) \
  X(int, X509_check_ca, (X509 *a), (a)) \
  X(int, X509_check_purpose, (X509 *a, int b, int c), (a, b, c)) \
  X(int, X509_cmp, (const X509 *a, const X509 *b), (a, b)) \
  X(void, X509_free, (X509 *a), (a)) \
  X(const ASN1_TIME *, X509_get0_notAfter, (const X509 *a), (a)) \
  X(const ASN1_TIME *, X509_get0_notBefore, (const X509 *a), (a)) \
  X(const ASN1_INTEGER *, X509_get0_serialNumber, (const X509 *a), (a)) \
  X(EVP_PKEY *, X509_get0_pubkey, (const X509 *a), (a)) \
  X(X509_PUBKEY *, X509_get_X509_PUBKEY, (const X509 *a), (a)) \
  X(void *, X509_get_ext_d2i, (const X509 *a, int b, int *c, int *d), (a, b, c, d)) \
  X(X509_NAME *, X509_get_issuer_name, (const X509 *a), (a)) \
  X(EVP_PKEY *, X509_get_pubkey, (X509 *a), (a)) \
  X(ASN1_INTEGER *, X509_get_serialNumber, (X509 *a), (a)) \
  X(X509_NAME *, X509_get_subject_name, (const X509 *a), (a)) \
  X(ASN1_TIME *, X509_getm_notAfter, (const X509 *a), (a)) \
  X(ASN1_TIME *, X509_getm_notBefore, (const X509 *a), (a)) \
  X(X509 *, X509_new, (void), ()) \
  X(int, X509_self_signed, (X509 *a, int b), (a, b)) \
  X(int, X509_set_issuer_name, (X509 *a, const X509_NAME *b), (a, b)) \
  X(int, X509_set_pubkey, (X509 *a, EVP_PKEY *b), (a, b)) \
  X(int, X509_set_version, (X509 *a, long b), (a, b)) \
  X(int, X509_sign, (X509 *a, EVP_PKEY *b, const EVP_MD *c), (a, b, c)) \
  X(int, X509_up_ref, (X509 *a), (a)) \
  X(int, X509_verify, (X509 *a, EVP_PKEY *b), (a, b)) \
  X(EVP_PKEY *, d2i_AutoPrivateKey, (EVP_PKEY **a, const unsigned char **b, long c), (a, b, c)) \
  X(ECDSA_SIG *, d2i_ECDSA_SIG, (ECDSA_SIG **a, const unsigned char **b, long c), (a, b, c)) \
  X(PBE2PARAM *, d2i_PBE2PARAM, (PBE2PARAM **a, const unsigned char **b, long c), (a, b, c)) \
  X(PBEPARAM *, d2i_PBEPARAM, (PBEPARAM **a, const unsigned char **b, long c), (a, b, c)) \
  X(PBKDF2PARAM *, d2i_PBKDF2PARAM, (PBKDF2PARAM **a, const unsigned char **b, long c), (a, b, \
    c)) \
  X(PKCS12 *, d2i_PKCS12_bio, (BIO *a, PKCS12 **b), (a, b)) \
  X(PKCS7 *, d2i_PKCS7, (PKCS7 **a, const unsigned char **b, long c), (a, b, c)) \
  X(EVP_PKEY *, d2i_PUBKEY, (EVP_PKEY **a, const unsigned char **b, long c), (a, b, c)) \
  X(SCRYPT_PARAMS *, d2i_SCRYPT_PARAMS, (SCRYPT_PARAMS **a, const unsigned char **b, long c), \
    (a, b, c)) \
  X(X509 *, d2i_X509, (X509 **a, const unsigned char **b, long c), (a, b, c)) \
  X(X509_NAME *, d2i_X509_NAME, (X509_NAME **a, const unsigned char **b, long c), (a, b, c)) \
  X(X509_REQ *, d2i_X509_REQ, (X509_REQ **a, const unsigned char **b, long c), (a, b, c)) \
  X(X509_SIG *, d2i_X509_SIG, (X509_SIG **a, const unsigned char **b, long c), (a, b, c)) \
  X(int, i2d_ECDSA_SIG, (const ECDSA_SIG *a, unsigned char **b), (a, b)) \
  X(int, i2d_PKCS12, (const PKCS12 *a, unsigned char **b), (a, b)) \
  X(int, i2d_PKCS8_PRIV_KEY_INFO, (const PKCS8_PRIV_KEY_INFO *a, unsigned char **b), (a, b)) \
  X(int, i2d_PUBKEY, (const EVP_PKEY *a, unsigned char **b), (a, b)) \
  X(int, i2d_X509, (const X509 *a, unsigned char **b), (a, b)) \
  X(int, i2d_X509_PUBKEY, (const X509_PUBKEY *a, unsigned char **b), (a, b)) \
  X(int, i2d_X509_REQ, (const X509_REQ *a, unsigned char **b), (a, b)) \
  X(int, i2d_X509_SIG, (const X509_SIG *a, unsigned char **b), (a, b))
