import POSIX
import Pinning
import Primitives
import SDKCore

/// Where the key of a pin is: a pin itself, a file or a server.
enum PinSource: Sendable, Hashable {
  case pin(Pin)
  /// The path of a file; `-` is standard input.
  case file(String)
  case server(PinEndpoint)

  /// Reads what a person types.
  init(_ text: String) throws {
    if let pin = Pin(text) {
      self = .pin(pin)
    } else if text == "-" || Self.isFile(text) {
      self = .file(text)
    } else if let place = PinEndpoint(text) {
      self = .server(place)
    } else {
      throw Failure.notHost(text, noun: "a host name, a file or a pin")
    }
  }

  /// Whether a text is a path.
  ///
  /// The ending of a key file is no domain, so that a file that does not exist is not looked up as a host.
  private static func isFile(_ text: String) -> Bool {
    guard !text.containsText("://") else { return false }
    return text.contains("/") || FileStatus.exists(text)
      || endings.contains { text.asciiLowercased.hasSuffix($0) }
  }

  private static let endings = [
    ".pem", ".crt", ".cer", ".der", ".key", ".csr", ".p7b", ".p7c", ".p12", ".pfx", ".jwk",
  ]
}

extension Context {
  /// Refuses pins that are other hashes of the certificates at hand.
  func refuseMistakes(
    _ pins: [Pin], among certificates: [CertificateDetails]
  ) throws {
    var mistakes: [PinMistake] = []
    for mistake in certificates.flatMap({ $0.mistakes(among: pins) })
    where !mistakes.contains(mistake) { mistakes.append(mistake) }
    guard let first = mistakes.first else { return }
    var failure = Failure.usage("could not use a pin: \(first.text)")
    failure.details = mistakes.dropFirst().map(\.text)
    throw failure
  }
}
