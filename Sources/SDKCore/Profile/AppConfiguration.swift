import JSON

/// The configuration of a vendor's SDK in an app, as settings of a profile.
public enum AppConfiguration: Sendable {
  /// SAP's certificate discovery.
  case sap(SAPConfiguration)
  /// The Mobile Authentication SDK of Nevis.
  case nevis(NevisConfiguration)

  /// Reads a configuration: JSON or an XML property list.
  ///
  /// - Throws: ``SDKError/Code/invalidRequest`` for what is not one.
  public init(reading bytes: [UInt8]) throws(SDKError) {
    let members = try Self.members(bytes)
    if let configuration = try SAPConfiguration(members) {
      self = .sap(configuration)
    } else if let configuration = try NevisConfiguration(members) {
      self = .nevis(configuration)
    } else {
      throw Self.failure(
        "it has no key that begins with \(SAPConfiguration.prefix), and no baseUrl or hostName of "
          + "Nevis")
    }
  }

  /// A setting for a value of the configuration, which the profile must accept.
  static func setting(
    _ key: String, to value: JSON, named name: String
  ) throws(SDKError) -> (key: String, value: String) {
    guard let text = value.string, !text.isEmpty else { throw failure("\(name) is not a text") }
    return try setting(key, to: text, named: name)
  }

  /// A setting for what the configuration says; what is wrong with it is told with its name there.
  static func setting(
    _ key: String, to text: String, named name: String
  ) throws(SDKError) -> (key: String, value: String) {
    do throws(SDKError) {
      _ = try ProfileKey.named(key)?.value(from: text)
    } catch {
      throw failure("\(name): \(error.message)")
    }
    return (key, text)
  }

  static func failure(_ cause: String) -> SDKError {
    SDKError(.invalidRequest, "could not read the configuration: \(cause)")
  }

  private static func members(_ bytes: [UInt8]) throws(SDKError) -> JSONObject {
    if bytes.first(where: { $0 > 0x20 }) == UInt8(ascii: "{") {
      guard let members = (try? JSON(parsing: bytes))?.object else {
        throw failure("it is not JSON")
      }
      return members
    }
    do throws(DocumentError) {
      guard let members = JSON(try PropertyList(bytes)).object else {
        throw DocumentError(cause: "it is not a dictionary")
      }
      return members
    } catch {
      throw failure(error.cause)
    }
  }
}

extension JSON {
  /// The same values; kinds that JSON does not have become null.
  fileprivate init(_ list: PropertyList) {
    self =
      switch list {
      case .dictionary(let members):
        .object(JSONObject(members.map { ($0.key, JSON($0.value)) }))
      case .array(let values): .array(values.map { JSON($0) })
      case .string(let text): .string(text)
      case .boolean(let value): .bool(value)
      case .integer(let number): .int(number)
      case .other: .null
      }
  }
}
