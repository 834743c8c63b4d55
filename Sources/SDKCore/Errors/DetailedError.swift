/// What has failed more exactly than the code of an error says: a name; modules add theirs.
package struct DetailCode: Hashable, Sendable {
  package let name: String

  package init(_ name: String) { self.name = name }

  package static let noPasscode = DetailCode("noPasscode")
  package static let lockedOut = DetailCode("lockedOut")
  package static let coolingDown = DetailCode("coolingDown")
}

/// An error of a module that knows which error of the library it is.
package protocol DetailedError: Error {
  /// The error of the library, with its cause only.
  var libraryError: SDKError { get }
}

extension SDKError {
  package init(_ code: Code, _ detailCode: DetailCode, cause: String) {
    self.init(code, cause: cause)
    self.detailCode = detailCode
  }
}
