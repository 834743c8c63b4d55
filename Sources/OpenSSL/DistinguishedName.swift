internal import COpenSSL
internal import Primitives

/// Reads an `X509_NAME`, which stays with its owner.
enum DistinguishedName {
  /// One line in the order and escaping of RFC 2253, as UTF-8.
  static func text(of name: OpaquePointer?) -> String {
    guard let name, let output = try? MemoryBIO(for: "print a name"),
      crypto.X509_NAME_print_ex(output.raw, name, 0, copenssl_name_flags()) >= 0
    else {
      ErrorQueue.clear()
      return ""
    }
    return VisibleText.of(String(decoding: output.bytes, as: UTF8.self), .bytes)
  }

  /// The most specific common name.
  static func commonName(of name: OpaquePointer?) -> String? {
    guard let name else { return nil }
    var last: Int32 = -1
    while case let index = crypto.X509_NAME_get_index_by_NID(name, NID_commonName, last), index >= 0
    {
      last = index
    }
    guard last >= 0,
      let value = crypto.X509_NAME_ENTRY_get_data(crypto.X509_NAME_get_entry(name, last))
    else {
      return nil
    }
    var utf8: UnsafeMutablePointer<UInt8>?
    let count = crypto.ASN1_STRING_to_UTF8(&utf8, value)
    guard count >= 0, let utf8 else {
      ErrorQueue.clear()
      return nil
    }
    defer { copenssl_free(utf8) }
    return VisibleText.of(
      String(decoding: UnsafeBufferPointer(start: utf8, count: Int(count)), as: UTF8.self), .bytes)
  }
}
