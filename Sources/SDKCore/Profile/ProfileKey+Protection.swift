import JSON

/// What protects requests beside TLS and pins.
extension ProfileKey {
  static let protections: [ProfileKey] = [
    ProfileKey(
      name: "debugDetection", kind: .boolean,
      summary: "Whether fetch refuses to run traced, with preloaded libraries or with core dumps"),
    ProfileKey(
      name: "tamperingProtection", kind: .boolean,
      summary: "Whether fetch refuses libraries that are not from the system's directories"),
    ProfileKey(
      name: "rootDetection", kind: .boolean, summary: "Whether fetch refuses to run as root"),
    ProfileKey(
      name: "emulationDetection", kind: .boolean,
      summary: "Whether fetch refuses to run in a virtual machine"),
    ProfileKey(
      name: "libraryDirectories", kind: .words,
      summary: "Directories whose libraries tamperingProtection accepts besides the system's"),
    ProfileKey(
      name: "payloadEncryption", kind: .boolean,
      summary:
        "Whether fetch encrypts requests to serverPublicKey, and requires encrypted responses"),
    ProfileKey(
      name: "serverPublicKey", kind: .encryptionKey,
      summary: "The key of the gateway that payloadEncryption encrypts to"),
  ]
}

extension Profile {
  /// Whether requests are encrypted, as far as the profile decides it.
  var encryptsPayload: Bool { self["payloadEncryption"]?.bool ?? false }
}
