import Arguments
import SDKCore
import UAF

/// Where the out-of-band payload of a FIDO operation is.
struct OutOfBandChoice: Sendable, Hashable {
  var isTyped = false
  var file: String?

  var isGiven: Bool { isTyped || file != nil }

  /// What the pages of commands say about it.
  static let rule = """
    With `--out-of-band` the operation is one that was begun elsewhere: paste the text of the QR \
    code, the link or the push message that the server made for it. The text has a token, so it is \
    a secret: it is read from the terminal, standard input or a file. The token is sent only to the \
    server of `fido.url`. If the text is encrypted, its key must be that of a dispatch target that \
    was created here; see {dispatch-target create}.
    """
}

extension Array {
  /// `--out-of-band`, `--out-of-band-stdin` and `--out-of-band-file`.
  ///
  /// - Parameters:
  ///   - typed: whether the payload is typed.
  ///   - file: its file.
  ///   - others: options that are for other operations, or read standard input too.
  /// - Returns: the options, of which one may be given.
  static func outOfBand<Arguments>(
    _ typed: any Option<Arguments>.Path<Bool>,
    _ file: any Option<Arguments>.Path<String?>, excluding others: [String] = []
  ) -> [Option<Arguments>] where Element == Option<Arguments> {
    let flag = Option<Arguments>.flag(
      "out-of-band", nil, typed, "Type the payload of a QR code, a link or a message"
    )
    .exclusive("out-of-band")
    let rows = [flag, .secret("out-of-band", file, "the payload").exclusive("out-of-band")]
    return rows.map { $0.excludes(others) }
  }
}

/// The parts are not inlined: the optimiser of Swift 6.3.1 crashes if they are one function.
extension Context {
  /// The payload of the command line; `nil` if no option asks for one.
  @inline(never)
  func outOfBandPayload(_ choice: OutOfBandChoice) async throws -> OutOfBandPayload? {
    if let payload = try givenOutOfBandPayload(choice) { return payload }
    guard choice.isTyped else { return nil }
    return try OutOfBandPayload(try await typedOutOfBandPayload())
  }

  @inline(never)
  private func givenOutOfBandPayload(_ choice: OutOfBandChoice) throws -> OutOfBandPayload? {
    guard let file = choice.file else { return nil }
    let bytes = try secretBytes("out-of-band payload", option: "out-of-band", file: file)
    return try OutOfBandPayload(String(decoding: bytes.withoutByteOrderMark, as: UTF8.self))
  }

  @inline(never)
  private func typedOutOfBandPayload() async throws(SDKError) -> String {
    try await typedSecret(
      "Out-of-band payload: ", "out-of-band payload", withoutTerminal: .invalidRequest,
      options: ["--out-of-band-file"])
  }
}
