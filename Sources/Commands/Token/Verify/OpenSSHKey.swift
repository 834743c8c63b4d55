import Primitives

/// A key in the form of OpenSSH, which is converted before it is used here.
struct OpenSSHKey {
  private let isPrivate: Bool
  private let isEd25519: Bool

  /// Recognises a key; `nil` for any other file.
  init?(_ file: [UInt8]) {
    let text = String(decoding: file, as: UTF8.self)
    isPrivate = text.containsText("BEGIN OPENSSH PRIVATE KEY")
    guard isPrivate || text.hasPrefix("ssh-") || text.hasPrefix("ecdsa-sha2-") else { return nil }
    let lines = text.split(whereSeparator: \.isNewline)
    let body =
      isPrivate
      ? lines.filter { !$0.hasPrefix("-----") }.joined()
      : "\(lines[0].split(separator: " ").dropFirst().first ?? "")"
    isEd25519 =
      Base64.decode(body.utf8).map { String(decoding: $0, as: UTF8.self) }?.containsText(
        "ssh-ed25519") == true
  }

  /// The command that writes it in a form that is read here; ssh-keygen does not write Ed25519 keys in another one.
  func conversion(of path: String) -> String {
    let (file, copy) = (
      ShellWord.quoted(path), ShellWord.quoted(path + (isEd25519 ? ".der" : ".pem"))
    )
    return switch (isPrivate, isEd25519) {
    case (false, false): "ssh-keygen -e -m PKCS8 -f \(file) > \(copy)"
    case (true, false): "cp \(file) \(copy) && ssh-keygen -p -N '' -m PKCS8 -f \(copy)"
    // The headers of an Ed25519 key (RFC 8410), and its bytes out of the file, which has no passphrase.
    case (false, true):
      "(printf '\\060\\052\\060\\005\\006\\003\\053\\145\\160\\003\\041\\000'; "
        + "cut -d ' ' -f 2 \(file) | base64 -d | tail -c 32) > \(copy)"
    case (true, true):
      "(umask 077; (printf '\\060\\056\\002\\001\\000\\060\\005\\006\\003\\053\\145\\160\\004\\042\\004\\040'; "
        + "grep -v -e ----- \(file) | base64 -d | tail -c +162 | head -c 32) > \(copy))"
    }
  }
}
