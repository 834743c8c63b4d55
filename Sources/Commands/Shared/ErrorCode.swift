import Arguments
import SDKCore

/// The word in `error.code` of `--json`: one for each failure that a program can tell from others.
package enum ErrorCode: String, CaseIterable, Sendable {
  case usage
  case invalidRequest = "invalid_request"
  case inputEmpty = "input_empty"
  case inputInvalid = "input_invalid"
  case inputUnreadable = "input_unreadable"
  case outputFailed = "output_failed"
  case fileExists = "file_exists"
  case binaryOutput = "binary_output"
  case noField = "no_field"
  case notSet = "not_set"
  case localData = "local_data"
  case noProfile = "no_profile"
  case invalidConfiguration = "invalid_configuration"
  case storeFailed = "store_failed"
  case storeUnavailable = "store_unavailable"
  case storeVersion = "store_version"
  case storePermissions = "store_permissions"
  case busy
  case changedElsewhere = "changed_elsewhere"
  case notRegistered = "not_registered"
  case alreadyRegistered = "already_registered"
  case registeredElsewhere = "registered_elsewhere"
  case clientExpired = "client_expired"
  case notAuthenticated = "not_authenticated"
  case sessionExpired = "session_expired"
  case stepUpRequired = "step_up_required"
  case notWaiting = "not_waiting"
  case noCookies = "no_cookies"
  case wrongPassword = "wrong_password"
  case wrongPasscode = "wrong_passcode"
  case noPasscode = "no_passcode"
  case legacyAlgorithm = "legacy_algorithm"
  case denied
  case declined
  case cancelled
  case refused
  case httpStatus = "http_status"
  case malformedResponse = "malformed_response"
  case responseTooLarge = "response_too_large"
  case tooManyPages = "too_many_pages"
  case batchFailed = "batch_failed"
  case unsupported
  case network
  case tls
  case pin
  case notPinned = "not_pinned"
  case pinsExpired = "pins_expired"
  case pinsNotEnforced = "pins_not_enforced"
  case hasBackup = "has_backup"
  case lossy
  case identity
  case identityDue = "identity_due"
  case noEnrolment = "no_enrolment"
  case noCertificate = "no_certificate"
  case keyInvalid = "key_invalid"
  case noSuchKey = "no_such_key"
  case signingFailed = "signing_failed"
  case policy
  case untrusted
  case signatureInvalid = "signature_invalid"
  case decryptionFailed = "decryption_failed"
  case notAToken = "not_a_token"
  case notAJWT = "not_a_jwt"
  case otherIssuer = "other_issuer"
  case tokenExpired = "token_expired"
  case tokenNotYetValid = "token_not_yet_valid"
  case tokenInvalid = "token_invalid"
  case tokensInvalid = "tokens_invalid"
  case tokensUndecodable = "tokens_undecodable"
  case commandMissing = "command_missing"
  case commandFailed = "command_failed"
  case unavailable
  case failed

  init(_ code: SDKError.Code) { self = ErrorCode(rawValue: code.description) ?? .failed }

  /// What it means, for the manual.
  var meaning: String {
    switch self {
    case .usage: "The command line is wrong"
    case .invalidRequest: "The request cannot be made; nothing was sent"
    case .inputEmpty: "The input is empty"
    case .inputInvalid: "The input cannot be understood"
    case .inputUnreadable: "A file, or standard input, cannot be read"
    case .outputFailed: "The output, or a file, could not be written"
    case .fileExists: "A file exists, and would be replaced"
    case .binaryOutput: "A binary body would go to the terminal"
    case .noField: "The output does not have the field of `--field`"
    case .notSet: "The key of `config.json` is not set"
    case .localData: "Data of this machine could not be read or written"
    case .noProfile: "There is no such profile, or none is chosen"
    case .invalidConfiguration: "A setting is missing or invalid"
    case .storeFailed: "A file of the store cannot be read, understood or written"
    case .storeUnavailable: "The program that keeps the secrets failed"
    case .storeVersion: "A file of the store is of a newer version"
    case .storePermissions: "Others own a file, or can read or change it"
    case .busy: "Another process holds the lock"
    case .changedElsewhere: "Another machine has changed the document meanwhile"
    case .notRegistered: "This installation is not registered"
    case .alreadyRegistered: "This installation is registered, and is not replaced"
    case .registeredElsewhere: "This installation is registered at another server"
    case .clientExpired: "The secret of the client has expired"
    case .notAuthenticated: "Nobody is logged in"
    case .sessionExpired: "The login has ended, and cannot be renewed"
    case .stepUpRequired: "The resource requires another login"
    case .notWaiting: "No login waits for this address"
    case .noCookies: "There are no cookies for this server"
    case .wrongPassword: "A password or passphrase is missing or wrong"
    case .wrongPasscode: "The passcode is wrong"
    case .noPasscode: "Nothing is sealed under a passcode"
    case .legacyAlgorithm: "A file uses old algorithms, which must be allowed"
    case .denied, .declined: "A person said no"
    case .cancelled: "A person or a signal ended it"
    case .refused: "The server refused"
    case .httpStatus: "The server returned an HTTP status of 400 or more: `number`"
    case .malformedResponse: "The response does not follow the protocol"
    case .responseTooLarge: "The response is too large"
    case .tooManyPages: "There are more pages than may be fetched"
    case .batchFailed: "Some requests of a batch failed"
    case .unsupported: "It is not offered or not supported"
    case .network: "The network or the server failed"
    case .tls: "TLS refused the server"
    case .pin: "The pins refused the server"
    case .notPinned: "The host has no pins"
    case .pinsExpired: "The pins of the host have expired"
    case .pinsNotEnforced: "The server has no pinned key, and the profile lets it pass"
    case .hasBackup: "There is a backup key already"
    case .lossy: "A format cannot express all of it"
    case .identity: "A client certificate is needed, was refused or cannot be used"
    case .identityDue: "A client certificate is due for renewal"
    case .noEnrolment: "The profile has no service that issues client certificates"
    case .noCertificate: "The file has no certificate"
    case .keyInvalid: "A key cannot be used"
    case .noSuchKey: "There is no such key"
    case .signingFailed: "The token could not be signed"
    case .policy: "The profile does not allow it"
    case .untrusted: "Something did not verify"
    case .signatureInvalid: "A signature is invalid"
    case .decryptionFailed: "A token could not be decrypted"
    case .notAToken: "The input is no token"
    case .notAJWT: "The token is no JWT"
    case .otherIssuer: "The token is of another issuer"
    case .tokenExpired: "The token has expired"
    case .tokenNotYetValid: "The token is not yet valid"
    case .tokenInvalid: "The token is invalid"
    case .tokensInvalid: "Some tokens are invalid"
    case .tokensUndecodable: "Some tokens cannot be decoded"
    case .commandMissing: "The command does not exist"
    case .commandFailed: "The command could not be run"
    case .unavailable: "A library, a browser or another program is missing"
    case .failed: "Another failure"
    }
  }
}

/// The list of `sdkctl help errors`.
let errorsTopic = Topic(
  name: "errors", summary: "The words in error.code of --json",
  text: """
    With `--json` an error is one object on standard error: `error` with `code`, one of the words below, `exit` \
    (the status; see {exit-codes}), `message`, `retryable`, `hint` (or null), `domain` and `number` (the vendors' \
    numbering), and `details` (lines).

    \(ErrorCode.allCases.map { "* `\($0.rawValue)`: \($0.meaning)." }.joined(separator: "\n"))
    """)
