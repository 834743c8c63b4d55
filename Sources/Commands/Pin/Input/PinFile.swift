import Arguments
import PinFormats
import Pinning
import Primitives
import SDKCore

/// A document with pins in the format of another program.
struct PinFile {
  let path: String
  let format: PinFormat?
  let host: PinPattern?
  /// The command line that names the host; `nil` if none can.
  private let hostHint: String?
  /// The command line that names the format; `nil` if none can.
  private let formatHint: String?

  /// Names the file, `-` for standard input; without a format, it is the one that the document looks like.
  init(
    _ path: String, _ format: PinFormat? = nil, host: PinPattern? = nil, hostHint: String? = nil,
    formatHint: String? = nil
  ) throws {
    (self.path, self.format, self.host) = (path, format, host)
    (self.hostHint, self.formatHint) = (hostHint, formatHint)
    if let format { try requireHost(format) }
  }

  /// Whether the document is that of a server.
  var isURL: Bool { path.containsText("://") }

  func read(_ context: Context) throws -> PinImport {
    try pins(in: try context.read(path, "the pins", limit: PinFormat.maximumSize)).pins
  }

  func pins(in bytes: [UInt8]) throws -> (format: PinFormat, pins: PinImport) {
    guard let format = format ?? PinFormat.detected(in: bytes) else {
      guard String(decoding: bytes, as: UTF8.self).containsText("pin-sha256=") else {
        throw malformed(
          "it has none of the known formats",
          hints: formatHint.map { [$0] } ?? [])
      }
      throw malformed(
        "it is a Public-Key-Pins header, which names no host; pin each of its keys",
        hints: [ShellWord.sdkctl("pin", "add", "sha256/BASE64", "--host", "HOST")])
    }
    try requireHost(format)
    do throws(PinFormatError) {
      return (format, try format.read(bytes, for: host))
    } catch {
      throw malformed(error.cause)
    }
  }

  private func malformed(_ cause: String, hints: [String] = []) -> Failure {
    Failure(.inputInvalid, "could not read the pins of '\(path)': \(cause)", hints: hints)
  }

  private func requireHost(_ format: PinFormat) throws {
    guard format.isOfOneHost, host == nil else { return }
    throw Failure.usage(
      "could not read the pins of '\(path)': the format \(format.rawValue) names no host",
      hints: hostHint.map { [$0] } ?? [])
  }
}

extension Option {
  static func readFormat(_ path: any Path<PinFormat?>, _ summary: String) -> Self {
    let names = PinFormat.readable.map(\.rawValue)
    return .value("format", "FORMAT", path, summary) { (text) throws(ValueError) in
      guard let format = PinFormat.readable.first(where: { $0.rawValue == text }) else {
        throw ValueError("expected \(Phrase.alternatives(names))")
      }
      return format
    }
    .completing(.choices(names))
  }
}
