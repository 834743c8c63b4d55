// swift-tools-version: 6.2
import PackageDescription

let library: Target.Dependency = .product(name: "SDKCore", package: "sdkctl")
let bulk: Target.Dependency = .product(name: "BulkRequests", package: "sdkctl")
let configurations: Target.Dependency = .product(name: "AppConfigurations", package: "sdkctl")
let pinFormats: Target.Dependency = .product(name: "PinFormats", package: "sdkctl")
let fido: Target.Dependency = .product(name: "FIDO", package: "sdkctl")
let pageLogin: Target.Dependency = .product(name: "PageLogin", package: "sdkctl")

/// Programs that use the library as any other package does: docs/library.md walks through them.
let package = Package(
  name: "Examples",
  dependencies: [.package(name: "sdkctl", path: "..")],
  targets: [
    .executableTarget(name: "choose-file", dependencies: [library]),
    .executableTarget(name: "enrol-key", dependencies: [library, fido, pageLogin]),
    .executableTarget(name: "evaluate-chain", dependencies: [library, pinFormats]),
    .executableTarget(name: "fetch-resource", dependencies: [library]),
    .executableTarget(name: "import-configuration", dependencies: [library, configurations]),
    .executableTarget(name: "log-in", dependencies: [library]),
    .executableTarget(name: "one-request", dependencies: [library]),
    .executableTarget(name: "pin-host", dependencies: [library]),
    .executableTarget(name: "register-user", dependencies: [library]),
    .executableTarget(name: "show-identity", dependencies: [library]),
    .executableTarget(name: "use-key", dependencies: [library, fido]),
    .executableTarget(name: "verify-token", dependencies: [library]),
    .testTarget(name: "TransportTests", dependencies: [library, bulk, pageLogin]),
  ]
)
