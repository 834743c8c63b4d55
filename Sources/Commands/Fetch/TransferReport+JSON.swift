import HTTP
import JSON
import Primitives

extension TransferReport {
  /// All variables, as curl's `%{json}`.
  var json: JSON {
    var members: JSONObject = [:]
    for variable in Variable.allCases { members[variable.rawValue] = value(of: variable) }
    members["curl_version"] = JSON(libraries)
    return .object(members)
  }

  /// The fields of the response, for `%{header_json}`.
  var headerJSON: JSON { (response?.fields ?? []).json }

  /// The document of `--json`; the body is the one that was collected.
  func envelope(_ body: [UInt8]?) -> JSON {
    var members: JSONObject = [
      "status": .int(Int64(response?.status ?? 0)), "version": JSON(response?.version),
      "url": JSON(response?.url.description), "fields": headerJSON, "size": .int(written),
      "bytes": bytes, "seconds": times, "redirects": .int(Int64(metrics.redirects)),
      "remoteAddress": JSON(metrics.remote?.address), "tls": JSON(metrics.tls),
      "pins": JSON(metrics.pins?.rawValue), "identity": JSON(response?.clientIdentity),
    ]
    if let body, let response {
      let (member, value) = response.content(body)
      members[member] = value
    } else {
      members["output"] = JSON(fileName)
    }
    return .object(members)
  }

  private var bytes: JSON {
    [
      "body": .int(metrics.downloaded), "header": .int(Int64(metrics.headerSize)),
      "sentBody": .int(metrics.uploaded), "sentHeader": .int(Int64(metrics.requestSize)),
    ]
  }

  private var times: JSON {
    [
      "nameLookup": .seconds(metrics.nameLookup), "connect": .seconds(metrics.connect),
      "handshake": .seconds(metrics.handshake), "firstByte": .seconds(metrics.startTransfer),
      "redirects": .seconds(metrics.redirect),
      "total": .seconds(metrics.redirect + metrics.total),
    ]
  }
}

extension HTTPResponse {
  /// A body as JSON if the server says so, else as text, else in base64.
  func content(_ body: [UInt8]) -> (member: String, value: JSON) {
    if isJSON, let document = try? JSON(parsing: body.withoutByteOrderMark) {
      return ("body", document)
    }
    if let text = String(validating: body, as: UTF8.self) { return ("body", .string(text)) }
    return ("bodyBase64", .string(Base64.encode(body)))
  }
}

extension HTTPFields {
  /// The fields as curl's `%{header_json}`: names in lower case, values in arrays.
  var json: JSON {
    var members: JSONObject = [:]
    for field in self {
      let name = field.name.asciiLowercased
      members[name] = .array((members[name]?.array ?? []) + [.string(field.value)])
    }
    return .object(members)
  }
}

extension JSON {
  /// Seconds with six digits after the point.
  static func seconds(_ duration: Duration) -> JSON {
    let microseconds = duration.microseconds
    let fraction = String(microseconds % 1_000_000)
    let zeros = String(repeating: "0", count: 6 - fraction.utf8.count)
    return (try? JSON(parsing: "\(microseconds / 1_000_000).\(zeros)\(fraction)")) ?? 0
  }
}
