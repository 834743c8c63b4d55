package import HTTP
import JOSE
import JSON
import OAuth
import Pinning
import Primitives

/// A type of the values of keys: how they are typed, and how they are read from a document.
package struct ValueType<Value: Sendable>: Sendable {
  /// What a value must be, in words; `nil` for one of the words.
  var expected: String?
  var words: [String] = []
  /// What a URL is for; `nil` for another type.
  var role: URLRole?
  var isPath = false
  var secretNames: @Sendable (Value) -> [String] = { _ in [] }
  /// What a value in a document must be, as JSON Schema says it; words are added.
  var schema: @Sendable () -> JSONObject = { ["type": "string", "minLength": 1] }
  var parse: @Sendable (String) -> JSON? = { .string($0) }
  /// The value in a document, or `nil` for what is not one; an error says what is wrong with it.
  let read: @Sendable (JSON) throws -> Value?

  package static func text(
    _ expected: String, _ role: URLRole? = nil, pattern: String? = nil,
    _ read: @escaping @Sendable (String) throws -> Value?
  ) -> ValueType {
    ValueType(
      expected: expected, role: role,
      schema: {
        JSONObject(present: [
          "type": "string", "minLength": 1, "pattern": pattern.map { .string($0) },
        ])
      },
      parse: { .string(role != nil ? HTTPURL.withALabels($0) : $0) },
      read: { value in
        guard let text = value.string, !text.isEmpty,
          text.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F })
        else { return nil }
        return try read(text)
      })
  }
}

extension ValueType where Value: BinaryInteger {
  fileprivate static func integer(_ least: Int64, _ greatest: Int64) -> JSONObject {
    ["type": "integer", "minimum": .int(least), "maximum": .int(greatest)]
  }
}

extension ValueType where Value: RawRepresentable & CaseIterable, Value.RawValue == String {
  package static var choice: ValueType {
    ValueType(words: Value.allCases.map(\.rawValue)) { $0.string.flatMap(Value.init) }
  }
}

extension ValueType<String> {
  package static var text: Self { text("text") { $0 } }
  package static var secretField: Self {
    var type = text
    type.secretNames = { $0.words }
    return type
  }
  static var scope: Self { text("words separated by spaces") { $0 } }
  package static var path: Self {
    var type = text("an absolute path", pattern: "^/") { $0.hasPrefix("/") ? $0 : nil }
    type.isPath = true
    return type
  }

  static var redirectURI: Self {
    text("a redirect URI, such as com.example.app:/callback") {
      RedirectURI($0)?.kind == nil ? nil : $0
    }
  }

  package static var urlPath: Self {
    text("a path that begins with /", pattern: "^/") { path in
      guard path.hasPrefix("/"), let url = try? HTTPURL("https://host\(path)") else { return nil }
      return url.host == "host" ? path : nil
    }
  }

  package static func choice(_ words: String...) -> Self {
    Self(words: words) { value in value.string.flatMap { words.contains($0) ? $0 : nil } }
  }
}

extension ValueType<[String]> {
  package static var words: Self { text("words separated by spaces") { $0.words } }
  package static var secretFields: Self {
    var type = words
    type.secretNames = { $0 }
    return type
  }

  package static var hosts: Self {
    Self(
      expected: "HOST or HOST:PORT, several separated by commas",
      schema: { ["type": "array", "minItems": 1, "items": ["type": "string", "minLength": 1]] },
      parse: { text in
        .strings(
          text.split(separator: ",").map {
            String(HTTPURL.withALabels("https://\($0)").dropFirst(8))
          })
      },
      read: { value in
        guard let hosts = value.strings, !hosts.isEmpty,
          hosts.allSatisfy({ PinEndpoint(allowedHost: $0) != nil })
        else { return nil }
        return hosts
      })
  }
}

extension ValueType {
  /// A list of what each word must be.
  package static func words<Word>(
    _ expected: String, _ read: @escaping @Sendable (String) -> Word?
  ) -> Self where Value == [Word] {
    text(expected + ", separated by spaces") { text in
      let values = text.words.compactMap(read)
      return values.count == text.words.count ? values : nil
    }
  }
}

extension ValueType<Bool> {
  package static var flag: Self {
    Self(
      expected: "true or false", words: ["true", "false"], schema: { ["type": "boolean"] },
      parse: { ["true": true, "false": false][$0].map(JSON.bool) }, read: { $0.bool })
  }
}

extension ValueType<UInt16> {
  static var port: Self {
    Self(
      expected: "a number from 1 to 65535", schema: { integer(1, 65_535) },
      parse: { UInt16($0).map { .int(Int64($0)) } },
      read: { $0.int.flatMap(UInt16.init(exactly:)).flatMap { $0 > 0 ? $0 : nil } })
  }
}

extension ValueType<Int64> {
  package static var seconds: Self {
    Self(
      expected: "whole seconds, at most a day", schema: { integer(0, 86_400) },
      parse: { Int64($0).map(JSON.int) },
      read: { $0.int.flatMap { (0...86_400).contains($0) ? $0 : nil } })
  }
}

extension ValueType<Int> {
  package static func count(from minimum: Int) -> Self {
    Self(
      expected: "a number from \(minimum) to 100", schema: { integer(Int64(minimum), 100) },
      parse: { Int64($0).map(JSON.int) },
      read: { $0.int.flatMap { (Int64(minimum)...100).contains($0) ? Int($0) : nil } })
  }
}

package enum URLRole: Sendable {
  /// Requests go there.
  case endpoint
  /// The same, and the profile is for that server.
  case server
  /// Only a browser opens it, or it names a page without a request of its own.
  case page
}

extension ValueType<HTTPURL> {
  package static var url: ValueType<HTTPURL> { url(.endpoint) }
  package static var server: ValueType<HTTPURL> { url(.server) }
  package static var page: ValueType<HTTPURL> { url(.page) }

  private static func url(_ role: URLRole) -> Self {
    text("an https URL", role, pattern: "^https?://") { try HTTPURL($0) }
  }
}

extension ValueType<Issuer> {
  static var issuer: Self {
    var type = text("an https URL without query and fragment", .server, pattern: "^https?://") {
      try Issuer($0)
    }
    type.parse = { text in
      // Whoever types the address of the metadata means its issuer.
      let end = text.indices.first { text[$0...].hasPrefix("/.well-known/") } ?? text.endIndex
      return .string(HTTPURL.withALabels(String(text[..<end])))
    }
    return type
  }
}

extension ValueType<FormParameters> {
  package static var formFields: ValueType<FormParameters> {
    text("NAME=VALUE, several joined by &") { FormParameters(encoded: $0) }
  }

  /// Those that login may add to a request: not those that protect it.
  static var parameters: Self {
    text("NAME=VALUE, several joined by &, except those that login sets") {
      guard let parameters = FormParameters(encoded: $0), !parameters.isEmpty else { return nil }
      let isFree = parameters.allSatisfy { !$0.name.isEmpty && !reserved.contains($0.name) }
      return isFree ? parameters : nil
    }
  }

  private static var reserved: Set<String> {
    [
      "response_type", "response_mode", "client_id", "redirect_uri", "scope", "state", "nonce",
      "code_challenge", "code_challenge_method", "request", "request_uri", "resource",
    ]
  }
}

extension ValueType<[TokenParameter]> {
  static var tokenParameters: Self {
    var type = text(
      "NAME=VALUE or NAME=@/FILE, several joined by &, except those that token requests have"
    ) { [TokenParameter](encoded: $0) }
    type.secretNames = { $0.secretNames }
    return type
  }
}

extension ValueType<ReturnedTokenSource> {
  package static var tokenPlace: Self {
    var type = text("header:NAME, member:NAME or cookie:NAME") { ReturnedTokenSource($0) }
    type.secretNames = { $0.names }
    return type
  }
}

extension ValueType<JWK> {
  static var encryptionKey: Self {
    text("a JWK (P-256 or X25519), or 64 hexadecimal digits (X25519)") { ServerPublicKey.read($0) }
  }
}
