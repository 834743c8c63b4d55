/// A security token in software, whose PIN is `246810`.
package struct SoftHSM {
  package static let module = "/usr/lib/softhsm/libsofthsm2.so"
  package static let pin = "246810"

  /// Whether a test with it is to run.
  package static var isExpected: Bool {
    Program.isExpected("softhsm2-util") && Program.isExpected("pkcs11-tool")
  }

  package let tool: ForeignTool
  private let label: String

  /// The file that `SOFTHSM2_CONF` names.
  package var configuration: String { tool.path("conf") }

  package init(_ label: String) throws {
    self.label = label
    tool = try ForeignTool()
    try tool.run(
      """
      mkdir tokens; echo "directories.tokendir = $PWD/tokens" > conf
      export SOFTHSM2_CONF=$PWD/conf
      softhsm2-util --init-token --free --label \(label) --so-pin 12345678 --pin \(Self.pin)
      """)
  }

  /// Makes a key pair of a curve.
  package func makeKey(_ name: String, curve: String = "prime256v1", id: String) throws {
    try tool.run(
      """
      export SOFTHSM2_CONF=$PWD/conf
      pkcs11-tool --module \(Self.module) --token-label \(label) --login --pin \(Self.pin) \
        --keypairgen --key-type EC:\(curve) --id \(id) --label \(name)
      """)
  }
}
