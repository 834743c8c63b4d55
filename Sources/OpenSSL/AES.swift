internal import COpenSSL

package enum AES {
  /// Encrypts and authenticates (AES-GCM with a tag of 128 bits).
  package static func seal(
    _ plaintext: [UInt8], key: [UInt8], iv: [UInt8], additional: [UInt8]
  ) throws(CryptoError) -> (ciphertext: [UInt8], tag: [UInt8]) {
    let cipher = try Cipher("AES-\(key.count * 8)-GCM", key: key, iv: iv, encrypts: true)
    try cipher.authenticate(additional)
    return (try cipher.run(plaintext), try cipher.tag)
  }

  /// Decrypts what ``seal(_:key:iv:additional:)`` made; `nil` for anything else.
  package static func open(
    _ ciphertext: [UInt8], tag: [UInt8], key: [UInt8], iv: [UInt8], additional: [UInt8]
  ) -> [UInt8]? {
    defer { ErrorQueue.clear() }
    guard tag.count == 16,
      let cipher = try? Cipher("AES-\(key.count * 8)-GCM", key: key, iv: iv, encrypts: false)
    else { return nil }
    return try? cipher.open(ciphertext, tag, additional)
  }

  /// Encrypts with AES-CBC and the padding of PKCS #7; authenticates nothing.
  package static func encryptCBC(
    _ plaintext: [UInt8], key: [UInt8], iv: [UInt8]
  ) throws(CryptoError) -> [UInt8] {
    try Cipher("AES-\(key.count * 8)-CBC", key: key, iv: iv, encrypts: true).run(plaintext)
  }

  /// Decrypts AES-CBC; `nil` when length or padding is wrong.
  package static func decryptCBC(
    _ ciphertext: [UInt8], key: [UInt8], iv: [UInt8]
  ) -> [UInt8]? {
    defer { ErrorQueue.clear() }
    return try? Cipher("AES-\(key.count * 8)-CBC", key: key, iv: iv, encrypts: false)
      .run(ciphertext)
  }

  /// Wraps a key (RFC 3394).
  package static func wrap(
    _ key: [UInt8], with wrappingKey: [UInt8]
  ) throws(CryptoError) -> [UInt8] {
    try Cipher(
      "AES-\(wrappingKey.count * 8)-WRAP", key: wrappingKey, iv: nil, encrypts: true
    ).run(key)
  }

  /// Unwraps a key; `nil` if it was wrapped with another key.
  package static func unwrap(_ wrapped: [UInt8], with wrappingKey: [UInt8]) -> [UInt8]? {
    defer { ErrorQueue.clear() }
    // Two 64-bit blocks and the integrity block (RFC 3394).
    guard wrapped.count >= 24 else { return nil }
    return try? Cipher(
      "AES-\(wrappingKey.count * 8)-WRAP", key: wrappingKey, iv: nil, encrypts: false
    ).run(wrapped)
  }
}

/// One use of a cipher.
private final class Cipher {
  private let context: OpaquePointer  // <EVP_CIPHER_CTX>
  private let operation: String

  /// Prepares a cipher, whose name has the length of the key; the IV must have the length that it asks for.
  init(_ name: String, key: [UInt8], iv: [UInt8]?, encrypts: Bool) throws(CryptoError) {
    let operation = encrypts ? "encrypt" : "decrypt"
    self.operation = operation
    try CryptoLibrary.begin()
    let method = try require(crypto.EVP_CIPHER_fetch(nil, name, nil), to: operation)
    defer { crypto.EVP_CIPHER_free(method) }
    guard iv.map({ crypto.EVP_CIPHER_get_iv_length(method) == Int32($0.count) }) ?? true else {
      throw CryptoError(operation, reasons: ["the IV has the wrong length"])
    }
    context = try require(crypto.EVP_CIPHER_CTX_new(), to: operation)
    crypto.EVP_CIPHER_CTX_set_flags(context, EVP_CIPHER_CTX_FLAG_WRAP_ALLOW)
    try require(
      crypto.EVP_CipherInit_ex2(context, method, key, iv, encrypts ? 1 : 0, nil) == 1,
      to: operation)
  }

  deinit { crypto.EVP_CIPHER_CTX_free(context) }

  /// Adds data that is authenticated but not encrypted.
  func authenticate(_ additional: [UInt8]) throws(CryptoError) {
    var count: Int32 = 0
    try update(nil, &count, additional)
  }

  /// Decrypts what must end with the tag.
  func open(
    _ ciphertext: [UInt8], _ tag: [UInt8], _ additional: [UInt8]
  ) throws(CryptoError) -> [UInt8] {
    var tag = tag
    try require(
      crypto.EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_SET_TAG, Int32(tag.count), &tag) == 1,
      to: operation)
    try authenticate(additional)
    return try run(ciphertext)
  }

  /// The tag that the encryption ended with.
  var tag: [UInt8] {
    get throws(CryptoError) {
      var tag = [UInt8](repeating: 0, count: 16)
      try require(
        crypto.EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_GET_TAG, 16, &tag) == 1, to: operation)
      return tag
    }
  }

  func run(_ input: [UInt8]) throws(CryptoError) -> [UInt8] {
    var output = [UInt8](repeating: 0, count: input.count + 32)
    var count: Int32 = 0
    var rest: Int32 = 0
    try update(&output, &count, input)
    let isEnded = output.withUnsafeMutableBufferPointer { output in
      crypto.EVP_CipherFinal_ex(context, output.baseAddress.map { $0 + Int(count) }, &rest) == 1
    }
    try require(isEnded, to: operation)
    return Array(output.prefix(Int(count) + Int(rest)))
  }

  private func update(
    _ output: UnsafeMutablePointer<UInt8>?, _ count: inout Int32, _ input: [UInt8]
  ) throws(CryptoError) {
    let length = try require(Int32(exactly: input.count), to: operation)
    // The wrapping modes treat an update without data as the end.
    try require(
      input.isEmpty || crypto.EVP_CipherUpdate(context, output, &count, input, length) == 1,
      to: operation)
  }
}
