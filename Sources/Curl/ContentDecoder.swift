import CCurl
import Primitives

/// Decodes the content coding of a body, piece by piece (RFC 9110 section 8.4.1).
///
/// A body must end where its coding ends, and nothing may follow but a further member of gzip (RFC
/// 1952 section 2.2).
final class ContentDecoder {
  enum Failure: Error {
    case corrupt
    /// The receiver of the decoded bytes has refused them.
    case refused
  }

  private let coding: ccurl_coding
  private var decoder: OpaquePointer?
  /// Whether bytes have come, and whether the last stream or member is complete.
  private var hasBegun = false
  private var isComplete = false
  private let output = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: 64 << 10)

  private init(_ coding: ccurl_coding) { self.coding = coding }

  /// The value of `Accept-Encoding`.
  static let accepted = "gzip, deflate"

  /// The decoder for a field `Content-Encoding`; `nil` if the body has no coding.
  ///
  /// - Throws: ``Failure/corrupt`` for any other coding, and for several: none of them was requested.
  static func named(_ field: String) throws(Failure) -> ContentDecoder? {
    switch field.trimmingBlanks.asciiLowercased {
    // Some servers write "none", which no standard knows.
    case "", "identity", "none": return nil
    case "gzip", "x-gzip": return ContentDecoder(CCURL_GZIP)
    case "deflate": return ContentDecoder(CCURL_DEFLATE)
    default: throw .corrupt
    }
  }

  deinit {
    ccurl_decoder_free(decoder)
    output.deallocate()
  }

  /// Whether the body may end here; one without any byte may.
  var mayEnd: Bool { !hasBegun || isComplete }

  /// Decodes bytes and passes the result on in pieces of at most 64 KiB.
  func decode(
    _ bytes: UnsafeRawBufferPointer, _ take: (UnsafeRawBufferPointer) -> Bool
  ) throws(Failure) {
    guard var input = bytes.bindMemory(to: UInt8.self).baseAddress.map(UnsafePointer.init),
      !bytes.isEmpty
    else { return }
    hasBegun = true
    var count = bytes.count
    var isFull = false
    while count > 0 || isFull {
      if isComplete { try beginNext() }
      if decoder == nil { decoder = ccurl_decoder_new(coding) }
      guard let decoder else { throw .corrupt }
      var size = output.count
      var next: UnsafePointer<UInt8>? = input
      let result = ccurl_decoder_step(decoder, &next, &count, output.baseAddress, &size)
      guard result != CCURL_DECODE_FAILED, let next else { throw .corrupt }
      input = next
      isComplete = result == CCURL_DECODE_ENDED
      isFull = !isComplete && size == output.count
      if size > 0, !take(UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(output)[..<size]))
      {
        throw .refused
      }
    }
  }

  private func beginNext() throws(Failure) {
    guard coding == CCURL_GZIP else { throw .corrupt }
    // A decoder of gzip fails if no member begins here.
    ccurl_decoder_free(decoder)
    decoder = nil
    isComplete = false
  }
}
