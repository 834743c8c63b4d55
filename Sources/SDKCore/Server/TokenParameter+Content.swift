import HTTP

extension [TokenParameter] {
  /// The parameters as they are sent, with the content of files.
  ///
  /// - Throws: ``SDKError`` if a file cannot be read, or is exposed to others.
  func loaded() async throws(SDKError) -> FormParameters {
    var form = FormParameters()
    for parameter in self {
      if let file = parameter.file {
        form.append(
          parameter.name,
          try await SecretFile.line(of: file, "token parameter '\(parameter.name)'"))
      } else {
        form.append(parameter.name, parameter.value)
      }
    }
    return form
  }
}
