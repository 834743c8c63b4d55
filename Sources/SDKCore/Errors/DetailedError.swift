/// What has failed more exactly than the code of an error says: a name; modules add theirs.
package struct DetailCode: Hashable, Sendable {
  package let name: String

  package init(_ name: String) { self.name = name }

  /// No passcode has been chosen.
  package static let noPasscode = DetailCode("noPasscode")
  /// There were too many wrong passcodes.
  package static let lockedOut = DetailCode("lockedOut")
  /// No passcode is accepted now.
  package static let coolingDown = DetailCode("coolingDown")
}

/// An error of a module that knows which error of the library it is.
package protocol DetailedError: Error {
  /// The error of the library, with its cause only.
  var libraryError: SDKError { get }
}

extension SDKError {
  /// Makes an error with only its cause, which says more exactly what has failed.
  package init(_ code: Code, _ detailCode: DetailCode, cause: String) {
    self.init(code, cause: cause)
    self.detailCode = detailCode
  }
}
