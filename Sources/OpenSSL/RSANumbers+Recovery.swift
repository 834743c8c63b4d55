internal import COpenSSL

extension RSANumbers {
  /// Finds the primes of a key that is given by its modulus and exponents alone, and what follows
  /// from them.
  ///
  /// - Throws: ``CryptoError`` if the numbers are not those of a key with two primes.
  package init(n: [UInt8], e: [UInt8], d: [UInt8]) throws(CryptoError) {
    let failure = CryptoError(
      "read the private key", reasons: ["the private exponent does not belong to the public key"])
    guard d.count <= n.count else { throw failure }
    try CryptoLibrary.begin()
    defer { ErrorQueue.clear() }
    let given = [n, e, d].map { (bytes: [UInt8]) in crypto.BN_bin2bn(bytes, Int32(bytes.count), nil)
    }
    var found = (0..<5).map { _ in crypto.BN_new() }
    defer { for number in given + found { crypto.BN_clear_free(number) } }
    guard !given.contains(nil), !found.contains(nil),
      copenssl_rsa_complete(&found, given[0], given[1], given[2]) == 1
    else { throw failure }
    let numbers = found.map { number in
      var bytes = [UInt8](repeating: 0, count: Int(crypto.BN_num_bits(number) + 7) / 8)
      _ = crypto.BN_bn2binpad(number, &bytes, Int32(bytes.count))
      return bytes
    }
    self.init(
      n: n, e: e, d: d, p: numbers[0], q: numbers[1], dp: numbers[2], dq: numbers[3],
      qi: numbers[4])
  }
}
