// The tokens of a PKCS #11 module, and what is on them. Neither engine nor provider can tell
// apart an absent token, a wrong PIN and a missing object, and some try a wrong PIN again.

#define _GNU_SOURCE

#include "copenssl_token.h"
#include "pkcs11.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

typedef copenssl_token_result result_type;

// A module that was opened; it stays so until the process ends.
struct module {
  char *path;
  const CK_FUNCTION_LIST *functions;
  struct module *next;
};

// A session with one token. The login of a token ends with its last session, so they stay open.
struct session {
  const CK_FUNCTION_LIST *functions;
  CK_ULONG slot, handle;
  struct session *next;
};

static struct module *modules;
static struct session *sessions;

static result_type open_module(const char *path, const CK_FUNCTION_LIST **functions,
                               unsigned long *number) {
  for (struct module *module = modules; module; module = module->next) {
    if (strcmp(module->path, path) == 0) {
      *functions = module->functions;
      return COPENSSL_TOKEN_OK;
    }
  }
  void *handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  CK_ULONG (*list)(const CK_FUNCTION_LIST **) =
      handle ? (CK_ULONG(*)(const CK_FUNCTION_LIST **))dlsym(handle, "C_GetFunctionList") : NULL;
  if (!list) return COPENSSL_TOKEN_NO_MODULE;
  CK_C_INITIALIZE_ARGS arguments = {.flags = CKF_OS_LOCKING_OK};
  *number = list(functions);
  if (*number == CKR_OK) *number = (*functions)->initialize(&arguments);
  if (*number != CKR_OK && *number != CKR_CRYPTOKI_ALREADY_INITIALIZED)
    return COPENSSL_TOKEN_FAILED;
  struct module *module = calloc(1, sizeof *module);
  if (!module || !(module->path = strdup(path))) {
    free(module);
    return COPENSSL_TOKEN_FAILED;
  }
  module->functions = *functions;
  module->next = modules;
  modules = module;
  return COPENSSL_TOKEN_OK;
}

// A field of PKCS #11, which is filled with blanks, as a string.
static void copy_field(char *target, const CK_BYTE *field, size_t count) {
  while (count > 0 && (field[count - 1] == ' ' || field[count - 1] == 0)) count--;
  memcpy(target, field, count);
  target[count] = 0;
}

static int fits(const char *wanted, const char *value) {
  return !wanted || strcmp(wanted, value) == 0;
}

static int is_wanted(const copenssl_token_query *query, const copenssl_token_key *token) {
  return fits(query->token, token->token) && fits(query->manufacturer, token->manufacturer)
         && fits(query->model, token->model) && fits(query->serial, token->serial);
}

static result_type open_session(const CK_FUNCTION_LIST *functions, CK_ULONG slot,
                                CK_ULONG *handle, unsigned long *number) {
  for (struct session *session = sessions; session; session = session->next) {
    CK_SESSION_INFO info;
    if (session->functions != functions || session->slot != slot) continue;
    // A token that was removed has ended its sessions.
    if (functions->getSessionInfo(session->handle, &info) != CKR_OK) continue;
    *handle = session->handle;
    return COPENSSL_TOKEN_OK;
  }
  *number = functions->openSession(slot, CKF_SERIAL_SESSION, NULL, NULL, handle);
  struct session *session = *number == CKR_OK ? calloc(1, sizeof *session) : NULL;
  if (!session) return COPENSSL_TOKEN_FAILED;
  *session = (struct session){functions, slot, *handle, sessions};
  sessions = session;
  return COPENSSL_TOKEN_OK;
}

// The objects of a class; returns how many there are, at most as many as asked for.
static result_type find(const CK_FUNCTION_LIST *functions, CK_ULONG session, CK_ULONG class,
                        const char *label, const uint8_t *identifier, size_t identifier_count,
                        CK_ULONG *objects, CK_ULONG *count, unsigned long *number) {
  CK_BBOOL is_stored = 1;
  CK_ATTRIBUTE attributes[4] = {{CKA_CLASS, &class, sizeof class},
                                {CKA_TOKEN, &is_stored, sizeof is_stored}};
  CK_ULONG used = 2, limit = *count;
  if (label) attributes[used++] = (CK_ATTRIBUTE){CKA_LABEL, (void *)label, strlen(label)};
  if (identifier_count > 0)
    attributes[used++] = (CK_ATTRIBUTE){CKA_ID, (void *)identifier, identifier_count};
  *count = 0;
  *number = functions->findObjectsInit(session, attributes, used);
  if (*number != CKR_OK) return COPENSSL_TOKEN_FAILED;
  *number = functions->findObjects(session, objects, limit, count);
  functions->findObjectsFinal(session);
  return *number == CKR_OK ? COPENSSL_TOKEN_OK : COPENSSL_TOKEN_FAILED;
}

static size_t attribute(const CK_FUNCTION_LIST *functions, CK_ULONG session, CK_ULONG object,
                        CK_ULONG type, void *buffer, size_t limit) {
  CK_ATTRIBUTE attribute = {type, buffer, limit};
  if (functions->getAttributeValue(session, object, &attribute, 1) != CKR_OK
      || attribute.count > limit)
    return 0;
  return attribute.count;
}

// Whether the token has something to do with keys: p11-kit shows the authorities of the system as
// tokens too.
static int may_have_keys(const CK_FUNCTION_LIST *functions, CK_ULONG slot,
                         const CK_TOKEN_INFO *info) {
  CK_ULONG session, object, count = 1;
  unsigned long number;
  if (info->flags & CKF_LOGIN_REQUIRED) return 1;
  return open_session(functions, slot, &session, &number) == COPENSSL_TOKEN_OK
         && find(functions, session, CKO_PRIVATE_KEY, NULL, NULL, 0, &object, &count, &number)
                == COPENSSL_TOKEN_OK
         && count > 0;
}

static result_type find_token(const copenssl_token_query *query,
                              const CK_FUNCTION_LIST **functions, CK_ULONG *slot,
                              CK_TOKEN_INFO *info, copenssl_token_key *token) {
  CK_ULONG slots[256], count = sizeof slots / sizeof *slots;
  memset(token, 0, sizeof *token);
  result_type result = open_module(query->module, functions, &token->number);
  if (result != COPENSSL_TOKEN_OK) return result;
  token->number = (*functions)->getSlotList(1, slots, &count);
  if (token->number != CKR_OK) return COPENSSL_TOKEN_FAILED;
  result = COPENSSL_TOKEN_ABSENT;
  for (CK_ULONG index = 0; index < count; index++) {
    CK_TOKEN_INFO each;
    copenssl_token_key text = {.number = 0};
    if ((*functions)->getTokenInfo(slots[index], &each) != CKR_OK
        || !(each.flags & CKF_TOKEN_INITIALIZED))
      continue;
    copy_field(text.token, each.label, sizeof each.label);
    copy_field(text.manufacturer, each.manufacturerID, sizeof each.manufacturerID);
    copy_field(text.model, each.model, sizeof each.model);
    copy_field(text.serial, each.serialNumber, sizeof each.serialNumber);
    text.pin_count_low = (each.flags & CKF_USER_PIN_COUNT_LOW) != 0;
    text.pin_final_try = (each.flags & CKF_USER_PIN_FINAL_TRY) != 0;
    text.needs_pin = (each.flags & CKF_LOGIN_REQUIRED)
                     && !(each.flags & CKF_PROTECTED_AUTHENTICATION_PATH);
    if (!is_wanted(query, &text)
        || !may_have_keys(*functions, slots[index], &each))
      continue;
    if (result == COPENSSL_TOKEN_OK) return COPENSSL_TOKEN_SEVERAL;
    result = COPENSSL_TOKEN_OK;
    *slot = slots[index];
    *info = each;
    *token = text;
  }
  return result;
}

static result_type log_in(const CK_FUNCTION_LIST *functions, CK_ULONG session,
                          const CK_TOKEN_INFO *info, const uint8_t *pin, size_t pin_count,
                          unsigned long *number) {
  CK_SESSION_INFO state;
  *number = functions->getSessionInfo(session, &state);
  if (*number != CKR_OK) return COPENSSL_TOKEN_FAILED;
  if (!(info->flags & CKF_LOGIN_REQUIRED) || state.state == CKS_RO_USER_FUNCTIONS
      || state.state == CKS_RW_USER_FUNCTIONS)
    return COPENSSL_TOKEN_OK;
  if (info->flags & CKF_USER_PIN_LOCKED) return COPENSSL_TOKEN_LOCKED;
  if (info->flags & CKF_PROTECTED_AUTHENTICATION_PATH) {
    *number = functions->login(session, CKU_USER, NULL, 0);
  } else {
    if (!pin) return COPENSSL_TOKEN_NEEDS_PIN;
    *number = functions->login(session, CKU_USER, pin, pin_count);
  }
  switch (*number) {
  case CKR_OK:
  case CKR_USER_ALREADY_LOGGED_IN: return COPENSSL_TOKEN_OK;
  case CKR_PIN_INCORRECT:
  case CKR_PIN_INVALID:
  case CKR_PIN_LEN_RANGE: return COPENSSL_TOKEN_WRONG_PIN;
  case CKR_PIN_LOCKED: return COPENSSL_TOKEN_LOCKED;
  case CKR_FUNCTION_CANCELED: return COPENSSL_TOKEN_CANCELLED;
  default: return COPENSSL_TOKEN_FAILED;
  }
}

copenssl_token_result copenssl_token_find(const copenssl_token_query *query, const uint8_t *pin,
                                          size_t pin_count, copenssl_token_key *key) {
  const CK_FUNCTION_LIST *functions;
  CK_TOKEN_INFO info;
  CK_ULONG slot = 0, session = 0, objects[2], count = 2;
  result_type result = find_token(query, &functions, &slot, &info, key);
  if (result == COPENSSL_TOKEN_OK)
    result = open_session(functions, slot, &session, &key->number);
  if (result == COPENSSL_TOKEN_OK)
    result = log_in(functions, session, &info, pin, pin_count, &key->number);
  if (result == COPENSSL_TOKEN_OK)
    result = find(functions, session, CKO_PRIVATE_KEY, query->label, query->identifier,
                  query->identifier_count, objects, &count, &key->number);
  if (result != COPENSSL_TOKEN_OK) return result;
  if (count != 1) return count == 0 ? COPENSSL_TOKEN_NO_OBJECT : COPENSSL_TOKEN_SEVERAL_OBJECTS;
  key->label_count = attribute(functions, session, objects[0], CKA_LABEL, key->label,
                               sizeof key->label - 1);
  key->identifier_count = attribute(functions, session, objects[0], CKA_ID, key->identifier,
                                    sizeof key->identifier);
  return COPENSSL_TOKEN_OK;
}

copenssl_token_result copenssl_token_certificates(
    const copenssl_token_query *query, int is_any, copenssl_token_key *token,
    void (*found)(const uint8_t *bytes, size_t count, void *box), void *box) {
  const CK_FUNCTION_LIST *functions;
  CK_TOKEN_INFO info;
  CK_ULONG slot = 0, session = 0, objects[64], count = sizeof objects / sizeof *objects;
  static uint8_t bytes[1 << 15];
  result_type result = find_token(query, &functions, &slot, &info, token);
  if (result == COPENSSL_TOKEN_OK)
    result = open_session(functions, slot, &session, &token->number);
  if (result == COPENSSL_TOKEN_OK)
    result = find(functions, session, CKO_CERTIFICATE, is_any ? NULL : query->label,
                  query->identifier, is_any ? 0 : query->identifier_count, objects, &count,
                  &token->number);
  if (result != COPENSSL_TOKEN_OK) return result;
  for (CK_ULONG index = 0; index < count; index++) {
    size_t length =
        attribute(functions, session, objects[index], CKA_VALUE, bytes, sizeof bytes);
    if (length > 0) found(bytes, length, box);
  }
  return COPENSSL_TOKEN_OK;
}
