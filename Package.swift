// swift-tools-version: 6.2
import PackageDescription

/// How every target of this house is compiled.
let house: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .treatAllWarnings(as: .error),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
]

/// A module of the house, with the modules it may import and nothing else.
func room(_ name: String, imports: [String] = []) -> Target {
  .target(name: name, dependencies: imports.map { .byName(name: $0) }, swiftSettings: house)
}

/// The tests of one module.
func tests(of name: String, imports: [String] = []) -> Target {
  .testTarget(
    name: "\(name)Tests", dependencies: ([name] + imports).map { .byName(name: $0) },
    swiftSettings: house)
}

let package = Package(
  name: "sdkctl",
  products: [
    .library(name: "SDKCore", targets: ["SDKCore"]),
    .executable(name: "sdkctl", targets: ["sdkctl"]),
  ],
  targets: [
    // C: libcurl is opened on first use, so only its headers are needed here.
    .target(name: "CCurl", publicHeadersPath: "include"),
    .target(
      name: "COpenSSL", publicHeadersPath: "include", linkerSettings: [.linkedLibrary("crypto")]),

    .target(name: "CPOSIX", publicHeadersPath: "include"),

    // Ground
    room("POSIX", imports: ["CPOSIX"]),
    room("JSON"),
    room("HTTP"),
    room("Arguments"),

    // Tools
    room("OpenSSL", imports: ["COpenSSL"]),
    room("JOSE", imports: ["OpenSSL", "JSON"]),
    room("Pinning", imports: ["OpenSSL"]),
    room("Curl", imports: ["CCurl", "HTTP", "OpenSSL", "Pinning"]),

    // Protocol
    room("OAuth", imports: ["HTTP", "JOSE", "JSON", "POSIX"]),

    // Core
    room(
      "SDKCore",
      imports: ["Curl", "HTTP", "JOSE", "JSON", "OAuth", "OpenSSL", "Pinning", "POSIX"]),

    // Face
    room(
      "Commands",
      imports: ["Arguments", "HTTP", "JOSE", "JSON", "OAuth", "Pinning", "POSIX", "SDKCore"]),
    .executableTarget(name: "sdkctl", dependencies: ["Commands"], swiftSettings: house),

    .target(name: "TestSupport", path: "Tests/TestSupport", swiftSettings: house),
    tests(of: "POSIX"),
    tests(of: "JSON", imports: ["TestSupport"]),
    tests(of: "HTTP"),
    tests(of: "Arguments"),
    tests(of: "OpenSSL", imports: ["TestSupport"]),
    tests(of: "JOSE", imports: ["JSON", "OpenSSL", "TestSupport"]),
    tests(of: "Pinning", imports: ["OpenSSL", "TestSupport"]),
    tests(of: "Curl", imports: ["HTTP", "OpenSSL", "Pinning"]),
    tests(of: "OAuth", imports: ["HTTP", "JOSE", "JSON", "OpenSSL", "POSIX"]),
    tests(
      of: "SDKCore",
      imports: ["HTTP", "JOSE", "JSON", "OAuth", "OpenSSL", "Pinning", "POSIX"]),
    tests(
      of: "Commands",
      imports: ["Arguments", "HTTP", "JOSE", "JSON", "OAuth", "Pinning", "POSIX", "SDKCore"]),
    .testTarget(name: "HouseTests", swiftSettings: house),
  ]
)
