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

  /// Writes the parts for a transfer.
  func write(_ report: TransferReport, _ context: Context) {
    var place = WriteOutPlace.output
    func put(_ text: String) { place.write(text, context) }
    for part in self {
      switch part {
      case .text(let text): put(text)
      case .variable(let variable): put(report.text(of: variable))
      case .header(let name): put(report.response?.fields[name] ?? "")
      case .json: put(report.json.serialized())
      case .headerJSON: put(report.headerJSON.serialized())
      case .standardOutput: place.change(to: .output, context)
      case .standardError: place.change(to: .errors, context)
      case .file(let path, let appends):
        place.change(to: .file(path, appends: appends, []), context)
      case .onError where report.failure == nil: return place.end(context)
      case .onError: break
      }
    }
    place.end(context)
  }
}

/// Where a format writes to.
private enum WriteOutPlace {
  case output
  case errors
  case file(String, appends: Bool, [UInt8])

  mutating func write(_ text: String, _ context: Context) {
    switch self {
    case .output: context.output.write(context.isTerminal ? Visible.text(text) : text)
    case .errors: context.errors.write(context.isTerminal ? Visible.text(text) : text)
    case .file(let path, let appends, let bytes):
      self = .file(path, appends: appends, bytes + text.utf8)
    }
  }

  mutating func change(to place: WriteOutPlace, _ context: Context) {
    end(context)
    self = place
  }

  /// Writes the file; a failure does not change the exit status, as in curl.
  func end(_ context: Context) {
    guard case .file(let path, let appends, let bytes) = self else { return }
    do throws(SystemError) {
      if appends { return try AppendedFile.append(bytes, to: path, durably: false) }
      let file = try StagedFile(path, .named(newMode: 0o600))
      try file.write(bytes)
      try file.commit()
    } catch {
      context.note("could not write the file \(error)")
    }
  }
}
