import HTTP
import JSON
import POSIX
import Primitives

extension [WriteOut.Part] {
  /// Whether the certificates of the server have to be described.
  var needsCertificates: Bool {
    contains {
      [.variable(.certificates), .variable(.certificateCount), .json].contains($0)
    }
  }

  /// Whether the versions of libraries are written.
  var needsLibraries: Bool { contains(.json) }

  /// Writes the parts for a transfer; returns why a file could not be written.
  func write(_ report: TransferReport, _ context: Context) -> SystemError? {
    var place = WriteOutPlace()
    func put(_ text: String) { place.write([UInt8](text.utf8), context) }
    for part in self {
      switch part {
      case .text(let text): put(text)
      case .variable(let variable): put(report.text(of: variable))
      case .header(let name):
        place.write(report.response?.fields.first(name)?.valueBytes ?? [], context)
      case .json: put(report.json.serialized())
      case .headerJSON: put(report.headerJSON.serialized())
      case .standardOutput: place.change(to: .output)
      case .standardError: place.change(to: .errors)
      case .file(let path, let appends):
        place.change(to: .file(path, appends: appends, []))
      case .onError where report.failure == nil: return place.end()
      case .onError: break
      }
    }
    return place.end()
  }
}

/// The current destination of a format, and the first failure to write.
private struct WriteOutPlace {
  enum Kind {
    case output
    case errors
    case file(String, appends: Bool, [UInt8])
  }

  private var kind = Kind.output
  private var failure: SystemError?

  mutating func write(_ text: [UInt8], _ context: Context) {
    let (output, stream): (Output, StandardStream)
    switch kind {
    case .output: (output, stream) = (context.output, .output)
    case .errors: (output, stream) = (context.errors, .errors)
    case .file(let path, let appends, let bytes):
      kind = .file(path, appends: appends, bytes + text)
      return
    }
    guard context.terminal.isTerminal(stream) else { return output.write(text) }
    output.write(Visible.text(String(decoding: text, as: UTF8.self)))
  }

  mutating func change(to kind: Kind) {
    failure = end()
    self.kind = kind
  }

  /// Writes the file; returns the first failure.
  func end() -> SystemError? {
    guard failure == nil, case .file(let path, let appends, let bytes) = kind else {
      return failure
    }
    do throws(SystemError) {
      if appends {
        try AppendedFile.append(bytes, to: path, durably: false)
      } else {
        let file = try StagedFile(path, .named(newMode: 0o600))
        try file.write(bytes)
        try file.commit()
      }
      return nil
    } catch {
      return error
    }
  }
}
