internal import COpenSSL

package enum AES {
  /// Encrypts and authenticates (AES-GCM with a tag of 128 bits).
  package static func seal(
    _ plaintext: [UInt8], key: [UInt8], iv: [UInt8], additional: [UInt8]
  ) throws(CryptoError) -> (ciphertext: [UInt8], tag: [UInt8]) {
    let cipher = try Cipher("AES-\(key.count * 8)-GCM", key: key, iv: iv, encrypts: true)
    guard cipher.authenticate(additional), let ciphertext = cipher.run(plaintext),
      let tag = cipher.tag
    else { throw CryptoError(draining: "encrypt") }
    return (ciphertext, tag)
  }

  /// Decrypts what ``seal(_:key:iv:additional:)`` made; `nil` for anything else.
  package static func open(
    _ ciphertext: [UInt8], tag: [UInt8], key: [UInt8], iv: [UInt8], additional: [UInt8]
  ) -> [UInt8]? {
    defer { ErrorQueue.clear() }
    guard tag.count == 16,
      let cipher = try? Cipher("AES-\(key.count * 8)-GCM", key: key, iv: iv, encrypts: false),
      cipher.expect(tag), cipher.authenticate(additional)
    else { return nil }
    return cipher.run(ciphertext)
  }

  /// Encrypts with AES-CBC and the padding of PKCS #7; authenticates nothing.
  package static func encryptCBC(
    _ plaintext: [UInt8], key: [UInt8], iv: [UInt8]
  ) throws(CryptoError) -> [UInt8] {
    let cipher = try Cipher("AES-\(key.count * 8)-CBC", key: key, iv: iv, encrypts: true)
    let ciphertext = try require(cipher.run(plaintext), to: "encrypt")
    return ciphertext
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
    let cipher = try Cipher(
      "AES-\(wrappingKey.count * 8)-WRAP", key: wrappingKey, iv: nil, encrypts: true)
    let wrapped = try require(cipher.run(key), to: "wrap the key")
    return wrapped
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

  /// Prepares a cipher, whose key and IV must have the lengths that it asks for.
  init(_ name: String, key: [UInt8], iv: [UInt8]?, encrypts: Bool) throws(CryptoError) {
    let operation = encrypts ? "encrypt" : "decrypt"
    try CryptoLibrary.begin()
    let method = try require(crypto.EVP_CIPHER_fetch(nil, name, nil), to: operation)
    defer { crypto.EVP_CIPHER_free(method) }
    guard crypto.EVP_CIPHER_get_key_length(method) == Int32(key.count),
      iv.map({ crypto.EVP_CIPHER_get_iv_length(method) == Int32($0.count) }) ?? true
    else { throw CryptoError(operation, reasons: ["the key or the IV has the wrong length"]) }
    let context = try require(crypto.EVP_CIPHER_CTX_new(), to: operation)
    crypto.EVP_CIPHER_CTX_set_flags(context, EVP_CIPHER_CTX_FLAG_WRAP_ALLOW)
    guard crypto.EVP_CipherInit_ex2(context, method, key, iv, encrypts ? 1 : 0, nil) == 1 else {
      crypto.EVP_CIPHER_CTX_free(context)
      throw CryptoError(draining: operation)
    }
    self.context = context
  }

  deinit { crypto.EVP_CIPHER_CTX_free(context) }

  /// Adds data that is authenticated but not encrypted.
  func authenticate(_ additional: [UInt8]) -> Bool {
    var count: Int32 = 0
    return additional.isEmpty
      || crypto.EVP_CipherUpdate(
        context, nil, &count, additional, Int32(clamping: additional.count)) == 1
  }

  /// Sets the tag that the decryption must end with.
  func expect(_ tag: [UInt8]) -> Bool {
    var tag = tag
    return crypto.EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_SET_TAG, Int32(tag.count), &tag) == 1
  }

  /// The tag that the encryption ended with.
  var tag: [UInt8]? {
    var tag = [UInt8](repeating: 0, count: 16)
    return crypto.EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_GET_TAG, 16, &tag) == 1 ? tag : nil
  }

  func run(_ input: [UInt8]) -> [UInt8]? {
    guard input.count <= Int(Int32.max) - 64 else { return nil }
    var output = [UInt8](repeating: 0, count: input.count + 32)
    var count: Int32 = 0
    var rest: Int32 = 0
    // The wrapping modes treat an update without data as the end.
    if !input.isEmpty {
      guard crypto.EVP_CipherUpdate(context, &output, &count, input, Int32(input.count)) == 1 else {
        return nil
      }
    }
    let isEnded = output.withUnsafeMutableBufferPointer { output in
      crypto.EVP_CipherFinal_ex(context, output.baseAddress.map { $0 + Int(count) }, &rest) == 1
    }
    return isEnded ? Array(output.prefix(Int(count + rest))) : nil
  }
}
