import CCurl
import Primitives

/// Decodes one content coding of a body, piece by piece (RFC 9110 section 8.4.1).
///
/// A body must end where its coding ends, and nothing may follow but a further member of gzip or
/// frame of zstd (RFC 1952 section 2.2, RFC 8878 section 3).
final class ContentDecoder {
  enum Failure: Error {
    case corrupt
    /// The receiver of the decoded bytes has refused them.
    case refused
  }

  private let coding: ccurl_coding
  private var decoder: OpaquePointer?
  /// Whether bytes have come, and whether the last stream, member or frame is complete.
  private var hasBegun = false
  private var isComplete = false
  private let output = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: 64 << 10)

  init(_ coding: ccurl_coding) { self.coding = coding }

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
      let before = count
      let result = ccurl_decoder_step(decoder, &next, &count, output.baseAddress, &size)
      guard result != CCURL_DECODE_FAILED, let next else { throw .corrupt }
      input = next
      isComplete = result == CCURL_DECODE_ENDED
      isFull = !isComplete && size == output.count
      if size > 0, !take(UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(output)[..<size]))
      {
        throw .refused
      }
      // A decoder that neither reads nor writes would loop for ever.
      guard isComplete || before != count || size > 0 || count == 0 else { throw .corrupt }
    }
  }

  private func beginNext() throws(Failure) {
    guard coding == CCURL_GZIP || coding == CCURL_ZSTD else { throw .corrupt }
    // A decoder of gzip fails if no member begins here.
    ccurl_decoder_free(decoder)
    decoder = nil
    isComplete = false
  }
}

/// The decoders of the content codings of a response; the coding that was applied last comes first.
struct ContentDecoders {
  private let decoders: [ContentDecoder]

  /// Makes the decoders of a field `Content-Encoding`; `nil` if one of the codings is not known.
  init?(_ field: String) {
    var decoders: [ContentDecoder] = []
    for part in field.split(separator: ",") {
      switch part.trimmingBlanks.asciiLowercased {
      // Some servers write "none", which no standard knows.
      case "", "identity", "none": break
      case "gzip", "x-gzip": decoders.append(ContentDecoder(CCURL_GZIP))
      case "deflate": decoders.append(ContentDecoder(CCURL_DEFLATE))
      case "br": decoders.append(ContentDecoder(CCURL_BROTLI))
      case "zstd": decoders.append(ContentDecoder(CCURL_ZSTD))
      default: return nil
      }
    }
    // As many as libcurl takes: each may make a thousand bytes of one.
    guard decoders.count <= 5 else { return nil }
    self.decoders = decoders.reversed()
  }

  /// The value of `Accept-Encoding`: the codings whose libraries libcurl brings.
  static var accepted: String {
    let codings: [(String, ccurl_coding)] = [
      ("gzip", CCURL_GZIP), ("deflate", CCURL_DEFLATE), ("br", CCURL_BROTLI), ("zstd", CCURL_ZSTD),
    ]
    return codings.filter { ccurl_has_coding($0.1) == 1 }.map(\.0).joined(separator: ", ")
  }

  /// Whether the body may end here.
  var mayEnd: Bool { decoders.allSatisfy(\.mayEnd) }

  func decode(
    _ bytes: UnsafeRawBufferPointer, _ take: (UnsafeRawBufferPointer) -> Bool
  ) throws(ContentDecoder.Failure) {
    try decode(bytes, by: decoders[...], take)
  }

  private func decode(
    _ bytes: UnsafeRawBufferPointer, by rest: ArraySlice<ContentDecoder>,
    _ take: (UnsafeRawBufferPointer) -> Bool
  ) throws(ContentDecoder.Failure) {
    guard let first = rest.first else {
      if !take(bytes) { throw .refused }
      return
    }
    var failure: ContentDecoder.Failure?
    do throws(ContentDecoder.Failure) {
      try first.decode(bytes) { piece in
        do throws(ContentDecoder.Failure) {
          try decode(piece, by: rest.dropFirst(), take)
          return true
        } catch {
          failure = error
          return false
        }
      }
    } catch {
      throw failure ?? error
    }
  }
}
