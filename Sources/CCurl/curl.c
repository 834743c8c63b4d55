// Every function of libcurl, and of the libssl and libcrypto that libcurl itself
// uses, is looked up here and nowhere else; nothing links to libcurl or libssl.

#define CURL_DISABLE_TYPECHECK

#include "ccurl.h"
#include "cposix.h"

#include <openssl/ssl.h>
#include <openssl/x509_vfy.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CURL_FUNCTIONS(X) \
  X(curl_global_init) X(curl_version_info) X(curl_easy_init) X(curl_easy_cleanup) \
  X(curl_easy_strerror) X(curl_url) X(curl_url_cleanup) X(curl_url_set) X(curl_url_get) \
  X(curl_free) X(curl_easy_setopt) X(curl_easy_pause) X(curl_easy_getinfo) \
  X(curl_slist_append) X(curl_slist_free_all) X(curl_multi_init) X(curl_multi_cleanup) \
  X(curl_multi_setopt) X(curl_multi_add_handle) X(curl_multi_remove_handle) \
  X(curl_multi_perform) X(curl_multi_poll) X(curl_multi_wakeup) X(curl_multi_info_read)
#define OPENSSL_FUNCTIONS(X) \
  X(SSL_CTX_load_verify_locations) X(SSL_CTX_set_cert_verify_callback) X(SSL_CTX_set_cert_cb) X(SSL_CTX_ctrl) \
  X(SSL_CTX_callback_ctrl) X(SSL_CTX_set_options) X(SSL_CTX_set_ex_data) \
  X(SSL_CTX_set_keylog_callback) \
  X(SSL_CTX_set_info_callback) X(SSL_get_SSL_CTX) X(SSL_CTX_get_ex_data) \
  X(SSL_get0_peer_CA_list) X(SSL_get_certificate) X(i2d_X509_NAME) X(SSL_get_servername) \
  X(SSL_get_version) X(SSL_get_current_cipher) X(SSL_CIPHER_get_name) \
  X(SSL_get0_alpn_selected) X(SSL_get_ex_data_X509_STORE_CTX_idx) X(CRYPTO_get_ex_new_index) \
  X(X509_verify_cert) X(X509_verify_cert_error_string) X(X509_STORE_CTX_get0_chain) \
  X(X509_STORE_CTX_get0_untrusted) X(X509_STORE_CTX_get_error) X(X509_STORE_CTX_set_error) \
  X(X509_STORE_CTX_get_error_depth) X(X509_STORE_CTX_get_ex_data) X(OPENSSL_sk_num) \
  X(OPENSSL_sk_value) X(SSL_use_certificate) X(SSL_use_PrivateKey) X(SSL_ctrl) X(d2i_X509) \
  X(X509_free) X(X509_STORE_CTX_new) X(X509_STORE_CTX_init) X(X509_STORE_CTX_free) \
  X(X509_STORE_CTX_get0_store) X(X509_STORE_CTX_get0_cert) X(X509_STORE_CTX_get0_param) \
  X(X509_STORE_CTX_get1_chain) X(X509_STORE_CTX_set0_verified_chain) \
  X(X509_VERIFY_PARAM_set1) X(X509_VERIFY_PARAM_clear_flags) \
  X(X509_self_signed)

#define FIELD(name) __typeof__(&name) name;
static struct { CURL_FUNCTIONS(FIELD) } curl;
static struct { OPENSSL_FUNCTIONS(FIELD) } openssl;

_Static_assert(CCURL_NOT_YET_VALID == X509_V_ERR_CERT_NOT_YET_VALID, "number");
_Static_assert(CCURL_EXPIRED == X509_V_ERR_CERT_HAS_EXPIRED, "number");
_Static_assert(CCURL_SELF_SIGNED_LEAF == X509_V_ERR_DEPTH_ZERO_SELF_SIGNED_CERT, "number");
_Static_assert(CCURL_SELF_SIGNED_ROOT == X509_V_ERR_SELF_SIGNED_CERT_IN_CHAIN, "number");
_Static_assert(CCURL_ISSUER_UNKNOWN == X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT_LOCALLY, "number");
_Static_assert(CCURL_LEAF_UNVERIFIED == X509_V_ERR_UNABLE_TO_VERIFY_LEAF_SIGNATURE, "number");

static pthread_once_t once = PTHREAD_ONCE_INIT;
static int guard_index = -1;
static const char *reason;
static char reason_text[256];

// What a guarded TLS context carries.
struct guard {
  void *box;
  ccurl_verify_function verify;
  ccurl_identity_function identity;
  ccurl_alert_function alert;
  ccurl_release_function release;
  ccurl_staple_function staple;
};

static void free_guard(void *parent, void *data, CRYPTO_EX_DATA *all, int index, long number,
                       void *pointer) {
  (void)parent, (void)all, (void)index, (void)number, (void)pointer;
  struct guard *guard = data;
  if (!guard) return;
  guard->release(guard->box);
  free(guard);
}

static void refuse(const char *format, const char *what) {
  snprintf(reason_text, sizeof reason_text, format, what);
  reason = reason_text;
}

#define NAME(name) #name "\0"
#define FILES "libcurl.so.4\0"
static struct cposix_library curl_library = {FILES, CURL_FUNCTIONS(NAME), &curl};
// libssl and libcrypto are looked for in those that libcurl needs.
static struct cposix_library openssl_library = {FILES, OPENSSL_FUNCTIONS(NAME), &openssl};

static void load(void) {
  const char *cause = cposix_open(&curl_library);
  if (cause) return refuse("libcurl could not be opened: %s", cause);
  const curl_version_info_data *info = curl.curl_version_info(CURLVERSION_NOW);
  if (info->version_num < 0x075500)
    return refuse("libcurl %s is too old; 7.85 or newer is required", info->version);
  if (!info->ssl_version || strncmp(info->ssl_version, "OpenSSL/", 8) != 0)
    return refuse("libcurl uses %s for TLS, not OpenSSL",
                  info->ssl_version ? info->ssl_version : "nothing");
  cause = cposix_open(&openssl_library);
  if (cause) return refuse("libcurl's OpenSSL cannot be used: %s", cause);

  if (curl.curl_global_init(CURL_GLOBAL_ALL) != CURLE_OK)
    return refuse("%s could not be initialised", "libcurl");
  guard_index = openssl.CRYPTO_get_ex_new_index(CRYPTO_EX_INDEX_SSL_CTX, 0, NULL, NULL, NULL,
                                                free_guard);
  if (guard_index < 0) refuse("%s could not be initialised", "OpenSSL");
}

const char *ccurl_load(void) {
  pthread_once(&once, load);
  return reason;
}

const void *ccurl_reader(void) { return (const void *)openssl.d2i_X509; }

unsigned ccurl_version_number(void) {
  return curl.curl_version_info(CURLVERSION_NOW)->version_num;
}
const char *ccurl_curl_version(void) { return curl.curl_version_info(CURLVERSION_NOW)->version; }
const char *ccurl_tls_version(void) {
  return curl.curl_version_info(CURLVERSION_NOW)->ssl_version;
}
const char *ccurl_http2_version(void) {
  const curl_version_info_data *info = curl.curl_version_info(CURLVERSION_NOW);
  return info->features & CURL_VERSION_HTTP2 ? info->nghttp2_version : NULL;
}

const char *ccurl_ca_file(void) { return curl.curl_version_info(CURLVERSION_NOW)->cainfo; }
const char *ccurl_ca_directory(void) {
  return curl.curl_version_info(CURLVERSION_NOW)->capath;
}

// With the flags by which libcurl itself reads the URL of a proxy.
char *ccurl_proxy_part(const char *url, CURLUPart part) {
  CURLU *parts = curl.curl_url();
  char *text = NULL;
  if (parts && curl.curl_url_set(parts, CURLUPART_URL, url,
                                    CURLU_NON_SUPPORT_SCHEME | CURLU_GUESS_SCHEME) == CURLUE_OK)
    curl.curl_url_get(parts, part, &text, CURLU_URLDECODE);
  curl.curl_url_cleanup(parts);
  return text;
}
void ccurl_free(void *memory) { curl.curl_free(memory); }

CURL *ccurl_easy_init(void) { return curl.curl_easy_init(); }
void ccurl_easy_cleanup(CURL *easy) { curl.curl_easy_cleanup(easy); }
CURLcode ccurl_easy_pause(CURL *easy, int mask) { return curl.curl_easy_pause(easy, mask); }
const char *ccurl_easy_strerror(CURLcode code) { return curl.curl_easy_strerror(code); }

#define SETTER(name, type, sent)                                          \
  CURLcode ccurl_set_##name(CURL *easy, CURLoption option, type value) {  \
    return curl.curl_easy_setopt(easy, option, (sent)value);           \
  }
SETTER(long, long, long)
SETTER(offset, int64_t, curl_off_t)
SETTER(string, const char *, const char *)
SETTER(pointer, const void *, const void *)
SETTER(list, struct curl_slist *, struct curl_slist *)
SETTER(data_function, ccurl_data_function, ccurl_data_function)

CURLcode ccurl_set_blob(CURL *easy, CURLoption option, const void *bytes, size_t count) {
  struct curl_blob blob = {.data = (void *)bytes, .len = count, .flags = CURL_BLOB_COPY};
  return curl.curl_easy_setopt(easy, option, &blob);
}

CURLcode ccurl_set_seek_function(CURL *easy, ccurl_seek_function value) {
  return curl.curl_easy_setopt(easy, CURLOPT_SEEKFUNCTION, value);
}
CURLcode ccurl_set_tls_function(CURL *easy, ccurl_tls_function value) {
  return curl.curl_easy_setopt(easy, CURLOPT_SSL_CTX_FUNCTION, value);
}
CURLcode ccurl_set_request_function(CURL *easy, ccurl_request_function value) {
  return curl.curl_easy_setopt(easy, CURLOPT_PREREQFUNCTION, value);
}
CURLcode ccurl_set_socket_function(CURL *easy, ccurl_socket_function value) {
  return curl.curl_easy_setopt(easy, CURLOPT_SOCKOPTFUNCTION, value);
}

long ccurl_get_long(CURL *easy, CURLINFO info) {
  long value = 0;
  curl.curl_easy_getinfo(easy, info, &value);
  return value;
}
int64_t ccurl_get_offset(CURL *easy, CURLINFO info) {
  curl_off_t value = 0;
  curl.curl_easy_getinfo(easy, info, &value);
  return value;
}
const char *ccurl_get_string(CURL *easy, CURLINFO info) {
  const char *value = NULL;
  curl.curl_easy_getinfo(easy, info, &value);
  return value;
}

const struct curl_slist *ccurl_certificate(CURL *easy, int index) {
  struct curl_certinfo *info = NULL;
  if (curl.curl_easy_getinfo(easy, CURLINFO_CERTINFO, &info) != CURLE_OK || !info) return NULL;
  return index < info->num_of_certs ? info->certinfo[index] : NULL;
}

struct curl_slist *ccurl_slist_append(struct curl_slist *list, const char *text) {
  return curl.curl_slist_append(list, text);
}
void ccurl_slist_free_all(struct curl_slist *list) { curl.curl_slist_free_all(list); }

CURLM *ccurl_multi_init(void) { return curl.curl_multi_init(); }
void ccurl_multi_cleanup(CURLM *multi) { curl.curl_multi_cleanup(multi); }
CURLMcode ccurl_multi_set_long(CURLM *multi, CURLMoption option, long value) {
  return curl.curl_multi_setopt(multi, option, value);
}
CURLMcode ccurl_multi_add(CURLM *multi, CURL *easy) {
  return curl.curl_multi_add_handle(multi, easy);
}
CURLMcode ccurl_multi_remove(CURLM *multi, CURL *easy) {
  return curl.curl_multi_remove_handle(multi, easy);
}
CURLMcode ccurl_multi_perform(CURLM *multi, int *running) {
  return curl.curl_multi_perform(multi, running);
}
CURLMcode ccurl_multi_poll(CURLM *multi, struct curl_waitfd *also, unsigned count,
                           int milliseconds, int *ready) {
  return curl.curl_multi_poll(multi, also, count, milliseconds, ready);
}
CURLMcode ccurl_multi_wakeup(CURLM *multi) { return curl.curl_multi_wakeup(multi); }

CURL *ccurl_multi_finished(CURLM *multi, CURLcode *result) {
  int left = 0;
  const CURLMsg *message;
  while ((message = curl.curl_multi_info_read(multi, &left))) {
    if (message->msg != CURLMSG_DONE) continue;
    *result = message->data.result;
    return message->easy_handle;
  }
  return NULL;
}

static int verify(X509_STORE_CTX *check, void *data) {
  struct guard *guard = data;
  return guard->verify(check, guard->box) == 1;
}

// Called when the server has asked, whether or not there is a certificate to show.
static int identity_requested(SSL *tls, void *data) {
  struct guard *guard = data;
  return guard->identity(tls, guard->box) == 1;
}

static struct guard *guard_of(const SSL *tls) {
  return openssl.SSL_CTX_get_ex_data(openssl.SSL_get_SSL_CTX(tls), guard_index);
}

// Called at each step of a handshake, and for each alert.
static void note_alert(const SSL *tls, int event, int value) {
  int is_sent = (event & SSL_CB_WRITE_ALERT) == SSL_CB_WRITE_ALERT;
  if (!is_sent && (event & SSL_CB_READ_ALERT) != SSL_CB_READ_ALERT) return;
  struct guard *guard = guard_of(tls);
  if (guard) guard->alert((void *)tls, value & 0xff, is_sent, guard->box);
}

int ccurl_has_certificate(void *tls) { return openssl.SSL_get_certificate(tls) != NULL; }

const char *ccurl_server_name(void *tls) {
  return openssl.SSL_get_servername(tls, TLSEXT_NAMETYPE_host_name);
}

int ccurl_issuer_count(void *tls) {
  const OPENSSL_STACK *names = (const OPENSSL_STACK *)openssl.SSL_get0_peer_CA_list(tls);
  int count = names ? openssl.OPENSSL_sk_num(names) : 0;
  return count < 0 ? 0 : count;
}

int ccurl_issuer_der(void *tls, int index, unsigned char *buffer) {
  const OPENSSL_STACK *names = (const OPENSSL_STACK *)openssl.SSL_get0_peer_CA_list(tls);
  return openssl.i2d_X509_NAME(openssl.OPENSSL_sk_value(names, index), buffer ? &buffer : NULL);
}

int ccurl_tls_guard(void *tls_context, void *box, ccurl_verify_function verify_function,
                    ccurl_identity_function identity, ccurl_alert_function alert,
                    ccurl_release_function release) {
  SSL_CTX *context = tls_context;
  struct guard *guard = malloc(sizeof *guard);
  if (!guard) {
    release(box);
    return 0;
  }
  *guard = (struct guard){box, verify_function, identity, alert, release, NULL};
  if (openssl.SSL_CTX_set_ex_data(context, guard_index, guard) != 1) {
    release(box);
    free(guard);
    return 0;
  }
  openssl.SSL_CTX_set_cert_verify_callback(context, verify, guard);
  // With SSLKEYLOGFILE in the environment libcurl has set one, which writes secrets to a file.
  openssl.SSL_CTX_set_keylog_callback(context, NULL);
  openssl.SSL_CTX_set_cert_cb(context, identity_requested, guard);
  openssl.SSL_CTX_set_info_callback(context, note_alert);
  openssl.SSL_CTX_set_options(context, SSL_OP_NO_TICKET | SSL_OP_NO_RENEGOTIATION);
  openssl.SSL_CTX_ctrl(context, SSL_CTRL_SET_SESS_CACHE_MODE, SSL_SESS_CACHE_OFF, NULL);
  // With this mode, which libcurl sets, a buffer of 16 KiB is allocated for each record.
  openssl.SSL_CTX_ctrl(context, SSL_CTRL_CLEAR_MODE, SSL_MODE_RELEASE_BUFFERS, NULL);
  return openssl.SSL_CTX_ctrl(context, SSL_CTRL_SET_MIN_PROTO_VERSION, TLS1_2_VERSION, NULL) == 1;
}

static int staple_received(SSL *tls, void *data) {
  struct guard *guard = data;
  const unsigned char *bytes = NULL;
  long count = openssl.SSL_ctrl(tls, SSL_CTRL_GET_TLSEXT_STATUS_REQ_OCSP_RESP, 0, &bytes);
  if (bytes && count > 0) guard->staple((void *)tls, bytes, (size_t)count, guard->box);
  return 1;
}

int ccurl_request_staple(void *tls_context, ccurl_staple_function staple) {
  SSL_CTX *context = tls_context;
  struct guard *guard = openssl.SSL_CTX_get_ex_data(context, guard_index);
  if (!guard) return 0;
  guard->staple = staple;
  openssl.SSL_CTX_callback_ctrl(context, SSL_CTRL_SET_TLSEXT_STATUS_REQ_CB,
                                (void (*)(void))staple_received);
  openssl.SSL_CTX_ctrl(context, SSL_CTRL_SET_TLSEXT_STATUS_REQ_CB_ARG, 0, guard);
  return openssl.SSL_CTX_ctrl(context, SSL_CTRL_SET_TLSEXT_STATUS_REQ_TYPE,
                              TLSEXT_STATUSTYPE_ocsp, NULL) == 1;
}

int ccurl_add_authorities(void *tls_context, const char *path) {
  return openssl.SSL_CTX_load_verify_locations(tls_context, path, NULL) == 1;
}

int ccurl_show_certificate(void *tls, const unsigned char *der, size_t count,
                           int is_leaf) {
  const unsigned char *cursor = der;
  X509 *certificate = openssl.d2i_X509(NULL, &cursor, (long)count);
  if (!certificate) return 0;
  // Both count a reference of their own.
  int ok = is_leaf ? openssl.SSL_use_certificate(tls, certificate) == 1
                   : openssl.SSL_ctrl(tls, SSL_CTRL_CHAIN_CERT, 1, certificate) == 1;
  openssl.X509_free(certificate);
  return ok;
}

int ccurl_show_key(void *tls, void *key) {
  return openssl.SSL_use_PrivateKey(tls, key) == 1;
}

// Follows a path that ends at an intermediate of the trust store to the root of that store, if it has one:
// verified again without partial chains, by the same rules.
static void complete(X509_STORE_CTX *check) {
  const OPENSSL_STACK *path = (const OPENSSL_STACK *)openssl.X509_STORE_CTX_get0_chain(check);
  int count = path ? openssl.OPENSSL_sk_num(path) : 0;
  if (count < 1 || openssl.X509_self_signed(openssl.OPENSSL_sk_value(path, count - 1), 0) == 1) return;
  X509_STORE_CTX *again = openssl.X509_STORE_CTX_new();
  if (!again) return;
  if (openssl.X509_STORE_CTX_init(again, openssl.X509_STORE_CTX_get0_store(check),
                                  openssl.X509_STORE_CTX_get0_cert(check),
                                  openssl.X509_STORE_CTX_get0_untrusted(check)) == 1) {
    X509_VERIFY_PARAM *rules = openssl.X509_STORE_CTX_get0_param(again);
    if (openssl.X509_VERIFY_PARAM_set1(rules, openssl.X509_STORE_CTX_get0_param(check)) == 1 &&
        openssl.X509_VERIFY_PARAM_clear_flags(rules, X509_V_FLAG_PARTIAL_CHAIN) == 1 &&
        openssl.X509_verify_cert(again) == 1) {
      STACK_OF(X509) *whole = openssl.X509_STORE_CTX_get1_chain(again);
      if (whole) openssl.X509_STORE_CTX_set0_verified_chain(check, whole);
    }
  }
  openssl.X509_STORE_CTX_free(again);
}

int ccurl_check_chain(void *check) {
  if (openssl.X509_verify_cert(check) != 1) return 0;
  complete(check);
  return 1;
}
void ccurl_check_refuse(void *check) {
  openssl.X509_STORE_CTX_set_error(check, X509_V_ERR_APPLICATION_VERIFICATION);
}
int ccurl_check_error(void *check) { return openssl.X509_STORE_CTX_get_error(check); }
int ccurl_check_error_depth(void *check) { return openssl.X509_STORE_CTX_get_error_depth(check); }
const char *ccurl_check_error_text(int error) {
  return openssl.X509_verify_cert_error_string(error);
}

const char *ccurl_check_server_name(void *check) {
  int index = openssl.SSL_get_ex_data_X509_STORE_CTX_idx();
  const SSL *tls = openssl.X509_STORE_CTX_get_ex_data(check, index);
  return tls ? openssl.SSL_get_servername(tls, TLSEXT_NAMETYPE_host_name) : NULL;
}

static const SSL *connection(void *check) {
  return openssl.X509_STORE_CTX_get_ex_data(check, openssl.SSL_get_ex_data_X509_STORE_CTX_idx());
}

const char *ccurl_check_protocol(void *check) {
  const SSL *tls = connection(check);
  return tls ? openssl.SSL_get_version(tls) : NULL;
}

const char *ccurl_check_cipher(void *check) {
  const SSL *tls = connection(check);
  const SSL_CIPHER *cipher = tls ? openssl.SSL_get_current_cipher(tls) : NULL;
  return cipher ? openssl.SSL_CIPHER_get_name(cipher) : NULL;
}

int ccurl_check_alpn(void *check, const unsigned char **name) {
  const SSL *tls = connection(check);
  unsigned int length = 0;
  if (tls) openssl.SSL_get0_alpn_selected(tls, name, &length);
  return (int)length;
}

static const OPENSSL_STACK *certificates(void *check, enum ccurl_chain chain) {
  return (const OPENSSL_STACK *)(chain == CCURL_SERVED
                                     ? openssl.X509_STORE_CTX_get0_untrusted(check)
                                     : openssl.X509_STORE_CTX_get0_chain(check));
}

int ccurl_chain_count(void *check, enum ccurl_chain chain) {
  const OPENSSL_STACK *list = certificates(check, chain);
  int count = list ? openssl.OPENSSL_sk_num(list) : 0;
  return count < 0 ? 0 : count;
}

const void *ccurl_chain_certificate(void *check, enum ccurl_chain chain, int index) {
  const OPENSSL_STACK *list = certificates(check, chain);
  return list ? openssl.OPENSSL_sk_value(list, index) : NULL;
}

// The TLS connection that a transfer is using; NULL for none.
static SSL *connection_in_use(CURL *easy) {
  struct curl_tlssessioninfo *info = NULL;
  if (curl.curl_easy_getinfo(easy, CURLINFO_TLS_SSL_PTR, &info) != CURLE_OK || !info ||
      info->backend != CURLSSLBACKEND_OPENSSL)
    return NULL;
  return info->internals;
}

const char *ccurl_tls_protocol(CURL *easy) {
  SSL *tls = connection_in_use(easy);
  return tls ? openssl.SSL_get_version(tls) : NULL;
}

void *ccurl_connection_box(CURL *easy) {
  SSL *tls = connection_in_use(easy);
  struct guard *guard = tls ? guard_of(tls) : NULL;
  return guard ? guard->box : NULL;
}

const void *ccurl_exclusive_connection(CURL *easy) {
  SSL *tls = connection_in_use(easy);
  if (!tls) return NULL;
  const unsigned char *name = NULL;
  unsigned length = 0;
  openssl.SSL_get0_alpn_selected(tls, &name, &length);
  return length == 2 && name[0] == 'h' ? NULL : tls;
}
