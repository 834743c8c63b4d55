// swift-tools-version: 6.2
import PackageDescription

/// The settings of every target.
let settings: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .treatAllWarnings(as: .error),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
]

/// A module and the modules that it may import.
func module(_ name: String, imports: [String] = []) -> Target {
  .target(name: name, dependencies: imports.map { .byName(name: $0) }, swiftSettings: settings)
}

/// A module in C.
func cmodule(_ name: String, imports: [String] = []) -> Target {
  .target(
    name: name, dependencies: imports.map { .byName(name: $0) }, publicHeadersPath: "include")
}

/// The tests of one module.
func tests(of name: String, imports: [String] = []) -> Target {
  .testTarget(
    name: "\(name)Tests", dependencies: ([name] + imports).map { .byName(name: $0) },
    swiftSettings: settings)
}

let fuzzing = Context.environment["SDKCTL_FUZZ"] != nil

let package = Package(
  name: "sdkctl",
  products: [
    .library(name: "SDKCore", targets: ["SDKCore"]),
    .library(name: "PinFormats", targets: ["PinFormats"]),
    .library(name: "AppConfigurations", targets: ["AppConfigurations"]),
    .library(name: "PageLogin", targets: ["PageLogin"]),
    .library(name: "FIDO", targets: ["FIDO"]),
    .library(name: "Enrolment", targets: ["Enrolment"]),
    .library(name: "BulkRequests", targets: ["BulkRequests"]),
    .library(name: "Checkup", targets: ["Checkup"]),
    .library(name: "LocalProxy", targets: ["LocalProxy"]),
    .library(name: "SharedStore", targets: ["SharedStore"]),
    .executable(name: "sdkctl", targets: ["sdkctl"]),
    .executable(name: "sdkctl-sandbox", targets: ["sdkctl-sandbox"]),
  ],
  targets: [
    // C: libcurl, libcrypto and libmicrohttpd are opened on first use; of the first two, only the headers
    // are needed here.
    cmodule("CPOSIX"),
    cmodule("CCurl", imports: ["CPOSIX"]),
    cmodule("COpenSSL", imports: ["CPOSIX"]),
    cmodule("CMicroHTTPD", imports: ["CPOSIX"]),

    // Base
    module("Primitives", imports: ["CPOSIX"]),
    module("POSIX", imports: ["CPOSIX", "Primitives"]),
    module("JSON", imports: ["Primitives"]),
    module("HTTP", imports: ["Primitives"]),
    module("Arguments", imports: ["Primitives"]),

    // Tools
    module("OpenSSL", imports: ["COpenSSL", "Primitives"]),
    module("JOSE", imports: ["OpenSSL", "JSON", "Primitives"]),
    module("WebForms", imports: ["HTTP", "Primitives"]),
    module("PropertyLists", imports: ["POSIX", "Primitives"]),
    module("Pinning", imports: ["HTTP", "OpenSSL", "POSIX", "Primitives"]),
    module(
      "Curl", imports: ["CCurl", "HTTP", "OpenSSL", "Pinning", "POSIX", "Primitives"]),
    module("HTTPServer", imports: ["CMicroHTTPD", "HTTP", "POSIX", "Primitives"]),

    // Protocol
    module(
      "OAuth", imports: ["HTTP", "JOSE", "JSON", "OpenSSL", "POSIX", "Primitives"]),
    module("Trace", imports: ["HTTP", "JOSE", "JSON", "OAuth", "Primitives"]),
    module("UAF", imports: ["HTTP", "JSON", "OpenSSL", "Primitives"]),

    // Core
    module(
      "SDKCore",
      imports: [
        "Curl", "HTTP", "JOSE", "JSON", "OAuth", "OpenSSL", "Pinning", "POSIX", "Primitives",
        "Trace",
      ]),

    // Features that the core does not know: a program adds those that it wants.
    module(
      "PinFormats",
      imports: ["OpenSSL", "Pinning", "Primitives", "PropertyLists", "SDKCore"]),
    module(
      "AppConfigurations",
      imports: [
        "HTTP", "JSON", "OpenSSL", "Pinning", "POSIX", "Primitives", "PropertyLists", "SDKCore",
      ]),
    module(
      "PageLogin",
      imports: [
        "HTTP", "JOSE", "JSON", "OpenSSL", "Pinning", "POSIX", "Primitives", "SDKCore", "Trace",
        "WebForms",
      ]),
    module(
      "FIDO",
      imports: [
        "HTTP", "JOSE", "JSON", "OAuth", "OpenSSL", "Pinning", "POSIX", "Primitives", "SDKCore",
        "UAF",
      ]),
    module(
      "Enrolment",
      imports: ["HTTP", "JSON", "OAuth", "OpenSSL", "Pinning", "POSIX", "Primitives", "SDKCore"]),
    module("BulkRequests", imports: ["HTTP", "JSON", "POSIX", "Primitives", "SDKCore"]),
    module(
      "Checkup",
      imports: [
        "Curl", "HTTP", "JOSE", "JSON", "OAuth", "OpenSSL", "Pinning", "POSIX", "Primitives",
        "SDKCore",
      ]),
    module(
      "LocalProxy",
      imports: ["HTTP", "HTTPServer", "JSON", "OpenSSL", "POSIX", "Primitives", "SDKCore"]),
    module(
      "SharedStore",
      imports: ["HTTP", "JSON", "OpenSSL", "Pinning", "POSIX", "Primitives", "SDKCore"]),

    // Command line
    module(
      "Commands",
      imports: [
        "AppConfigurations", "Arguments", "BulkRequests", "Checkup", "Enrolment", "FIDO", "HTTP",
        "JOSE", "JSON", "LocalProxy", "OAuth", "PageLogin", "PinFormats", "Pinning", "POSIX",
        "Primitives", "SDKCore", "SharedStore", "Trace", "UAF",
      ]),
    .executableTarget(name: "sdkctl", dependencies: ["Commands"], swiftSettings: settings),

    // Sandbox: another TLS and other cryptography than the core, so that each checks the other.
    .target(
      name: "CGnuTLS", publicHeadersPath: "include",
      linkerSettings: ["gnutls", "hogweed", "nettle", "gmp"].map { .linkedLibrary($0) }),
    module(
      "Sandbox",
      imports: ["Arguments", "CGnuTLS", "HTTP", "HTTPServer", "JSON", "POSIX", "Primitives"]),
    .executableTarget(
      name: "sdkctl-sandbox", dependencies: ["Sandbox"], swiftSettings: settings),

    .target(
      name: "TestSupport",
      dependencies: [
        "Arguments", "HTTP", "JSON", "OpenSSL", "Pinning", "POSIX", "Primitives", "UAF",
      ],
      path: "Tests/TestSupport",
      swiftSettings: settings),
    .target(
      name: "CoreTestSupport",
      dependencies: [
        "HTTP", "JOSE", "JSON", "OAuth", "OpenSSL", "Pinning", "Primitives", "SDKCore",
        "TestSupport",
      ],
      path: "Tests/CoreTestSupport",
      swiftSettings: settings),
    tests(of: "Primitives", imports: ["TestSupport"]),
    tests(of: "POSIX", imports: ["Primitives", "TestSupport"]),
    tests(of: "JSON", imports: ["Primitives", "TestSupport"]),
    tests(of: "HTTP", imports: ["Primitives", "TestSupport"]),
    tests(of: "Arguments", imports: ["POSIX", "TestSupport"]),
    tests(of: "OpenSSL", imports: ["Primitives", "TestSupport"]),
    tests(of: "JOSE", imports: ["JSON", "OpenSSL", "Primitives", "TestSupport"]),
    tests(of: "WebForms", imports: ["HTTP", "Primitives", "TestSupport"]),
    tests(of: "PropertyLists", imports: ["Primitives"]),
    tests(of: "Pinning", imports: ["OpenSSL", "Primitives", "TestSupport"]),
    tests(
      of: "Curl",
      imports: ["HTTP", "OpenSSL", "Pinning", "POSIX", "Primitives", "TestSupport"]),
    tests(of: "HTTPServer", imports: ["HTTP", "POSIX", "Primitives", "TestSupport"]),
    tests(
      of: "OAuth",
      imports: ["HTTP", "JOSE", "JSON", "OpenSSL", "POSIX", "Primitives", "TestSupport"]),
    tests(of: "Trace", imports: ["HTTP", "JSON", "Primitives", "TestSupport"]),
    tests(of: "UAF", imports: ["HTTP", "JSON", "OpenSSL", "Primitives", "TestSupport"]),
    tests(
      of: "SDKCore",
      imports: [
        "CoreTestSupport", "HTTP", "JOSE", "JSON", "OAuth", "OpenSSL", "Pinning", "POSIX",
        "Primitives", "TestSupport", "Trace",
      ]),
    tests(of: "PinFormats", imports: ["Pinning", "Primitives", "SDKCore", "TestSupport"]),
    tests(
      of: "AppConfigurations",
      imports: ["CoreTestSupport", "JSON", "OpenSSL", "SDKCore", "TestSupport"]),
    tests(
      of: "PageLogin",
      imports: [
        "CoreTestSupport", "HTTP", "JSON", "OAuth", "OpenSSL", "POSIX", "Primitives", "SDKCore",
        "TestSupport", "Trace",
      ]),
    tests(
      of: "FIDO",
      imports: [
        "CoreTestSupport", "HTTP", "JOSE", "JSON", "OAuth", "OpenSSL", "Pinning", "POSIX",
        "Primitives", "SDKCore", "TestSupport", "UAF",
      ]),
    tests(
      of: "Enrolment",
      imports: [
        "CoreTestSupport", "HTTP", "JSON", "OpenSSL", "POSIX", "Primitives", "SDKCore",
        "TestSupport",
      ]),
    tests(of: "BulkRequests", imports: ["CoreTestSupport", "HTTP", "SDKCore", "TestSupport"]),
    tests(
      of: "Checkup",
      imports: [
        "CoreTestSupport", "JSON", "OpenSSL", "POSIX", "Primitives", "SDKCore", "TestSupport",
      ]),
    tests(
      of: "LocalProxy",
      imports: ["CoreTestSupport", "HTTP", "HTTPServer", "POSIX", "SDKCore", "TestSupport"]),
    tests(
      of: "SharedStore",
      imports: [
        "CoreTestSupport", "HTTP", "JOSE", "JSON", "POSIX", "Primitives", "SDKCore", "TestSupport",
      ]),
    tests(
      of: "Commands",
      imports: [
        "AppConfigurations", "Arguments", "Checkup", "CoreTestSupport", "FIDO", "HTTP", "JOSE",
        "JSON", "OAuth", "Pinning", "POSIX", "Primitives", "SDKCore", "TestSupport", "UAF",
      ]),
    tests(
      of: "Sandbox",
      imports: ["Arguments", "HTTP", "JSON", "POSIX", "Primitives", "TestSupport"]),
    .target(
      name: "FuzzTargets",
      dependencies: [
        "AppConfigurations", "Arguments", "Commands", "HTTP", "JOSE", "JSON", "OAuth", "OpenSSL",
        "PinFormats", "Pinning", "Primitives", "SDKCore", "UAF", "WebForms",
      ],
      path: "Tests/FuzzTargets", swiftSettings: settings),
    .testTarget(
      name: "FuzzTests", dependencies: ["FuzzTargets", "TestSupport"], swiftSettings: settings),
  ]
    // The fuzzer's library has its own driver, so that it is built for `Tests/Fuzz/run` only.
    + (fuzzing
      ? [
        .executableTarget(
          name: "fuzz", dependencies: ["FuzzTargets"], path: "Tests/Fuzz",
          exclude: ["Corpus", "run"],
          swiftSettings: settings)
      ] : [])
)
