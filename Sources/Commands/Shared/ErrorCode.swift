import Arguments
import SDKCore

/// The word in `error.code` of `--json`: one for each failure that a program can tell from others.
///
/// The raw value is what it means, for the manual.
package enum ErrorCode: String, CaseIterable, Sendable {
  case usage = "The command line is wrong"
  case invalidRequest = "The request cannot be made; nothing was sent"
  case inputEmpty = "The input is empty"
  case inputInvalid = "The input cannot be understood"
  case inputUnreadable = "A file, or standard input, cannot be read"
  case outputFailed = "The output, or a file, could not be written"
  case fileExists = "A file exists, and would be replaced"
  case binaryOutput = "A binary body would go to the terminal"
  case noField = "The output does not have the field of `--field`"
  case notSet = "The key of `config.json` is not set"
  case localData = "Data of this machine could not be read or written"
  case noProfile = "There is no such profile, or none is chosen"
  case invalidConfiguration = "A setting is missing or invalid"
  case storeFailed = "A file of the store cannot be read, understood or written"
  case storeUnavailable = "The program that keeps the secrets failed"
  case storeVersion = "A file of the store is of a newer version"
  case storePermissions = "Others own a file, or can read or change it"
  case busy = "Another process holds the lock"
  case changedElsewhere = "Another machine has changed the document meanwhile"
  case notRegistered = "This installation is not registered"
  case alreadyRegistered = "This installation is registered, and is not replaced"
  case registeredElsewhere = "This installation is registered at another server"
  case clientExpired = "The secret of the client has expired"
  case notAuthenticated = "Nobody is logged in"
  case sessionExpired = "The login has ended, and cannot be renewed"
  case stepUpRequired = "The resource requires another login"
  case notWaiting = "No login waits for this address"
  case noCookies = "There are no cookies for this server"
  case wrongPassword = "A password or passphrase is missing or wrong"
  case wrongPasscode = "The passcode is wrong"
  case noPasscode = "Nothing is sealed under a passcode"
  case legacyAlgorithm = "A file uses old algorithms, which must be allowed"
  case denied = "A person refused at the server, or at the authenticator"
  case declined = "A person did not agree to a question of this program"
  case cancelled = "A person or a signal ended it"
  case refused = "The server refused"
  case httpStatus = "The server returned an HTTP status of 400 or more: `number`"
  case malformedResponse = "The response does not follow the protocol"
  case responseTooLarge = "The response is too large"
  case tooManyPages = "There are more pages than may be fetched"
  case batchFailed = "Some requests of a batch failed"
  case unsupported = "It is not offered or not supported"
  case network = "The network or the server failed"
  case tls = "TLS refused the server"
  case pin = "The pins refused the server"
  case notPinned = "The host has no pins"
  case pinsExpired = "The pins of the host have expired"
  case pinsNotEnforced = "The server has no pinned key, and the profile lets it pass"
  case hasBackup = "There is a backup key already"
  case lossy = "A format cannot express all of it"
  case identity = "A client certificate is needed, was refused or cannot be used"
  case identityDue = "A client certificate is due for renewal"
  case noEnrolment = "The profile has no service that issues client certificates"
  case noCertificate = "The file has no certificate"
  case keyInvalid = "A key cannot be used"
  case noSuchKey = "There is no such key"
  case signingFailed = "The token could not be signed"
  case policy = "The profile does not allow it"
  case untrusted = "Something did not verify"
  case signatureInvalid = "A signature is invalid"
  case decryptionFailed = "A token could not be decrypted"
  case notAToken = "The input is no token"
  case notAJwt = "The token is no JWT"
  case otherIssuer = "The token is of another issuer"
  case tokenExpired = "The token has expired"
  case tokenNotYetValid = "The token is not yet valid"
  case tokenInvalid = "The token is invalid"
  case tokensInvalid = "Some tokens are invalid"
  case tokensUndecodable = "Some tokens cannot be decoded"
  case commandMissing = "The command does not exist"
  case commandFailed = "The command could not be run"
  case unavailable = "A library, a browser or another program is missing"
  case failed = "Another failure"

  /// As JSON has it: `input_empty`.
  package var word: String {
    "\(self)".reduce(into: "") { $0 += $1.isUppercase ? "_\($1.lowercased())" : "\($1)" }
  }

  init(_ code: SDKError.Code) {
    self = Self.allCases.first { $0.word == code.description } ?? .failed
  }

  /// The exit status, unless a failure has one of its own.
  var exit: ExitCode {
    switch self {
    case .usage, .invalidRequest, .wrongPassword, .legacyAlgorithm, .hasBackup, .otherIssuer:
      .usage
    case .noProfile, .invalidConfiguration, .noEnrolment, .storeFailed, .storeUnavailable,
      .storeVersion, .storePermissions, .alreadyRegistered, .keyInvalid:
      .configuration
    case .notRegistered, .registeredElsewhere, .clientExpired, .notAuthenticated, .sessionExpired,
      .stepUpRequired, .notWaiting, .noCookies, .wrongPasscode, .noPasscode:
      .authenticationRequired
    case .refused: .refused
    case .network: .network
    case .tls: .tls
    case .pin, .notPinned, .pinsExpired, .pinsNotEnforced: .pin
    case .identity: .identity
    case .policy: .policy
    case .untrusted, .identityDue, .signatureInvalid, .tokenInvalid: .verification
    case .busy, .changedElsewhere: .busy
    case .denied, .declined, .cancelled: .declined
    case .tokenExpired, .tokenNotYetValid: .notValidNow
    case .inputEmpty, .inputInvalid, .inputUnreadable, .outputFailed, .fileExists, .binaryOutput,
      .noField, .notSet, .localData, .httpStatus, .malformedResponse, .responseTooLarge,
      .tooManyPages, .batchFailed, .unsupported, .lossy, .noCertificate, .noSuchKey,
      .signingFailed, .decryptionFailed, .notAToken, .notAJwt, .tokensInvalid,
      .tokensUndecodable, .commandMissing, .commandFailed, .unavailable, .failed:
      .failure
    }
  }
}

let errorsTopic = Topic(
  name: "errors", summary: "The words in error.code of --json",
  text: """
    With `--json` an error is one object on standard error: `error` with `code`, one of the words below, `exit` \
    (the status; see {exit-codes}), `message`, `retryable`, `hint` (or null), `domain` and `number` (the vendors' \
    numbering), and `details` (lines).

    \(ErrorCode.allCases.map { "* `\($0.word)`: \($0.rawValue)." }.joined(separator: "\n"))
    """)
