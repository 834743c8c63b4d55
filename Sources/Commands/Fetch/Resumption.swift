import HTTP
import OAuth
import POSIX
import Primitives

/// A download that is continued: the part that an earlier run has written, and the validator of its
/// resource.
///
/// The server sends the rest only if the resource has not changed (`If-Range`, RFC 9110 section
/// 13.1.5); without a strong validator the download begins again.
struct Resumption: Sendable {
  let file: PartialFile

  /// The request fields for the rest of the resource; none for a download from the start.
  var fields: [(name: String, value: String)] {
    guard file.size > 0, let validator = file.note else { return [] }
    return [("Range", "bytes=\(file.size)-"), ("If-Range", validator)]
  }

  /// What is done with the part after a response.
  enum Step: Sendable, Hashable {
    /// The body follows the part.
    case append
    /// The body is written from the start.
    case restart
    /// The part is the whole file.
    case complete
    /// The part is removed: the server sent another range than the requested one.
    case mismatch
    /// The part is removed: the resource has changed.
    case changed

    /// Why the part was removed, for people; `nil` if it was not.
    var removal: String? {
      switch self {
      case .mismatch: "the server sent another part than requested"
      case .changed: "the part is of another version of the resource"
      case .append, .restart, .complete, .none: nil
      }
    }
    /// Nothing: the response is an HTTP error.
    case none
  }

  /// Decides by status, `Content-Range` and `ETag` of a response.
  func step(for response: HTTPResponse) -> Step {
    let range = response.contentRange
    switch response.status {
    case 206 where file.size > 0:
      let validator = file.note?.first == "\"" ? "ETag" : "Last-Modified"
      if let value = response.fields[validator], value != file.note { return .changed }
      return range?.isRest(from: file.size) ?? false ? .append : .mismatch
    case 206: return .mismatch
    case 416 where file.size > 0:
      return range == ContentRange(bytes: nil, total: file.size) ? .complete : .changed
    case 200..<300: return .restart
    default: return .none
    }
  }

  /// Makes the part ready for the body of a response; returns the step that was taken.
  func prepare(for response: HTTPResponse) throws(Failure) -> Step {
    let step = step(for: response)
    guard step != .mismatch || file.size > 0 else {
      throw Failure(
        .malformedResponse,
        "could not download the resource: the server sent a part, and none was requested")
    }
    if step.removal != nil { try restart(noting: nil) }
    if step == .restart { try restart(noting: Self.validator(of: response)) }
    return step
  }

  private func restart(noting validator: String?) throws(Failure) {
    try Failure.writing { () throws(SystemError) in
      try file.restart()
      try file.setNote(validator)
    }
  }

  /// The validator for `If-Range`: a strong ETag, or a `Last-Modified` at least one second before
  /// `Date` (RFC 9110 section 8.8.2.2); `nil` if the response has neither.
  static func validator(of response: HTTPResponse) -> String? {
    guard !response.fields.contains("Content-Encoding") else { return nil }
    if let tag = response.fields["ETag"] {
      return tag.hasPrefix("\"") && tag.hasSuffix("\"") && tag.utf8.count > 1 ? tag : nil
    }
    guard let modified = response.fields["Last-Modified"],
      let time = HTTPDate.read(modified)?.seconds,
      let date = response.fields["Date"].flatMap({ HTTPDate.read($0) })?.seconds, time < date
    else { return nil }
    return modified
  }
}

extension ContentRange {
  /// Whether it is everything from an offset to the end, as far as the server knows the end.
  fileprivate func isRest(from offset: Int64) -> Bool {
    guard let bytes, bytes.lowerBound == offset else { return false }
    return total.map { bytes.upperBound == $0 - 1 } ?? true
  }
}
