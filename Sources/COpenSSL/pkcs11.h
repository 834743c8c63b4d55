// The part of PKCS #11 2.40 (Cryptoki) that is used here, with its names and numbers.

#ifndef PKCS11_H
#define PKCS11_H

typedef unsigned char CK_BYTE, CK_BBOOL;
typedef unsigned long CK_ULONG;

#define CKR_OK 0x00UL
#define CKR_FUNCTION_CANCELED 0x50UL
#define CKR_PIN_INCORRECT 0xA0UL
#define CKR_PIN_INVALID 0xA1UL
#define CKR_PIN_LEN_RANGE 0xA2UL
#define CKR_PIN_LOCKED 0xA4UL
#define CKR_USER_ALREADY_LOGGED_IN 0x100UL
#define CKR_USER_PIN_NOT_INITIALIZED 0x102UL
#define CKR_CRYPTOKI_ALREADY_INITIALIZED 0x191UL

#define CKF_OS_LOCKING_OK 0x02UL
#define CKF_RW_SESSION 0x02UL
#define CKF_SERIAL_SESSION 0x04UL
#define CKF_LOGIN_REQUIRED 0x04UL
#define CKF_USER_PIN_INITIALIZED 0x08UL
#define CKF_PROTECTED_AUTHENTICATION_PATH 0x100UL
#define CKF_TOKEN_INITIALIZED 0x400UL
#define CKF_USER_PIN_COUNT_LOW 0x10000UL
#define CKF_USER_PIN_FINAL_TRY 0x20000UL
#define CKF_USER_PIN_LOCKED 0x40000UL

#define CKS_RO_USER_FUNCTIONS 1UL
#define CKS_RW_USER_FUNCTIONS 3UL
#define CKU_USER 1UL
#define CKO_CERTIFICATE 1UL
#define CKO_PUBLIC_KEY 2UL
#define CKO_PRIVATE_KEY 3UL
#define CKA_CLASS 0x00UL
#define CKA_TOKEN 0x01UL
#define CKA_LABEL 0x03UL
#define CKA_VALUE 0x11UL
#define CKA_ID 0x102UL

typedef struct {
  CK_BYTE major, minor;
} CK_VERSION;

typedef struct {
  CK_BYTE label[32], manufacturerID[32], model[16], serialNumber[16];
  CK_ULONG flags, maxSessions, sessions, maxRwSessions, rwSessions, maxPinLength, minPinLength;
  CK_ULONG totalPublic, freePublic, totalPrivate, freePrivate;
  CK_VERSION hardwareVersion, firmwareVersion;
  CK_BYTE utcTime[16];
} CK_TOKEN_INFO;

typedef struct {
  CK_ULONG slotID, state, flags, deviceError;
} CK_SESSION_INFO;

typedef struct {
  CK_ULONG type;
  void *value;
  CK_ULONG count;
} CK_ATTRIBUTE;

typedef struct {
  void *createMutex, *destroyMutex, *lockMutex, *unlockMutex;
  CK_ULONG flags;
  void *reserved;
} CK_C_INITIALIZE_ARGS;

// In the order of the standard; what is not used has no type.
typedef struct {
  CK_VERSION version;
  CK_ULONG (*initialize)(void *arguments);
  void *finalize, *getInfo, *getFunctionList;
  CK_ULONG (*getSlotList)(CK_BBOOL present, CK_ULONG *slots, CK_ULONG *count);
  CK_ULONG (*getSlotInfo)(CK_ULONG slot, void *info);
  CK_ULONG (*getTokenInfo)(CK_ULONG slot, CK_TOKEN_INFO *info);
  void *getMechanismList, *getMechanismInfo, *initToken, *initPIN, *setPIN;
  CK_ULONG (*openSession)(CK_ULONG slot, CK_ULONG flags, void *application, void *notify,
                          CK_ULONG *session);
  CK_ULONG (*closeSession)(CK_ULONG session);
  void *closeAllSessions;
  CK_ULONG (*getSessionInfo)(CK_ULONG session, CK_SESSION_INFO *info);
  void *getOperationState, *setOperationState;
  CK_ULONG (*login)(CK_ULONG session, CK_ULONG user, const CK_BYTE *pin, CK_ULONG count);
  void *logout, *createObject, *copyObject, *destroyObject, *getObjectSize;
  CK_ULONG (*getAttributeValue)(CK_ULONG session, CK_ULONG object, CK_ATTRIBUTE *attributes,
                                CK_ULONG count);
  void *setAttributeValue;
  CK_ULONG (*findObjectsInit)(CK_ULONG session, CK_ATTRIBUTE *attributes, CK_ULONG count);
  CK_ULONG (*findObjects)(CK_ULONG session, CK_ULONG *objects, CK_ULONG limit, CK_ULONG *count);
  CK_ULONG (*findObjectsFinal)(CK_ULONG session);
} CK_FUNCTION_LIST;

#endif
