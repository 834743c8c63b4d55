import JOSE
import JSON

/// The disclosures of an SD-JWT as they are shown.
struct DisclosureReport {
  private let token: SDJWT
  private let result: Result<DisclosedClaims, JOSEError>

  init(_ token: SDJWT) {
    self.token = token
    do throws(JOSEError) {
      result = .success(try DisclosedClaims(token))
    } catch {
      result = .failure(error)
    }
  }

  /// The claims with the disclosed values; `nil` if disclosures and digests do not fit.
  var claims: JSON? { try? result.get().claims }

  var members: [String: JSON?] {
    var members: [String: JSON?] = [
      "keyBinding": token.keyBinding.map { ["header": $0.header, "payload": Self.payload($0)] }
    ]
    switch result {
    case .success(let disclosed):
      members["claims"] = disclosed.claims
      members["undisclosed"] = .int(Int64(disclosed.undisclosedCount))
      members["disclosures"] = .array(
        disclosed.values.map {
          [
            "path": .string($0.path), "value": $0.disclosure.value,
            "salt": .string($0.disclosure.salt), "digest": .string($0.digest),
          ]
        })
    case .failure(let error): members["problem"] = .string(error.message)
    }
    return members
  }

  /// The lines for people.
  var lines: [String] {
    var lines = ["disclosures"]
    switch result {
    case .success(let disclosed):
      for value in disclosed.values {
        lines.append(Visible.line("  \(value.path) = \(value.disclosure.value.serialized())"))
      }
      if disclosed.undisclosedCount > 0 {
        lines.append("  \(disclosed.undisclosedCount) digests without disclosure")
      }
    case .failure(let error): lines.append(Visible.line("  invalid: \(error.message)"))
    }
    guard let binding = token.keyBinding else { return lines }
    return lines + [
      "key binding", binding.header.serialized(.pretty), Self.payload(binding).serialized(.pretty),
    ]
  }

  private static func payload(_ token: JWS) -> JSON {
    (try? JSON(parsing: token.payload)) ?? .string(String(decoding: token.payload, as: UTF8.self))
  }
}
