import HTTP
import JSON
import Primitives

/// Resources for anybody, by which a client sees how it treats requests and answers.
extension Routes {
  mutating func addProbes() {
    for method in [HTTPMethod.get, .post, .put, .patch, .delete] {
      on(method, "/resources/echo", .resources) { exchange in
        let body = try exchange.body(Exchange.mostUploadBytes)
        return .json(echo(exchange, body))
      }
    }
    get("/resources/slow", .resources) { exchange in
      guard let seconds = Double(exchange.query["seconds"] ?? "1"), (0...120).contains(seconds)
      else { throw OAuthError.invalidRequest("the seconds must be 0 to 120") }
      try await Task.sleep(for: .seconds(seconds))
      return .json(["slept": JSONNumber(seconds).map(JSON.number) ?? 0])
    }
    get("/resources/status/:status", .resources) { exchange in
      guard let code = exchange.parameters.get("status").flatMap({ Int($0) }),
        (200...599).contains(code)
      else { throw OAuthError.invalidRequest("the status must be 200 to 599") }
      guard code != 204, code != 304 else { return Response(status: .init(code: code)) }
      return .json(["status": .int(code)], status: .init(code: code))
    }
    get("/resources/redirect", .resources) { exchange in
      let code = Int(exchange.query["status"] ?? "302") ?? 302
      guard let address = exchange.query["to"], [301, 302, 303, 307, 308].contains(code),
        address.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7f })
      else { throw OAuthError.invalidRequest("say where: ?to=ADDRESS, and a status of redirects") }
      return Response(status: .init(code: code), headers: [.location: address])
    }
  }
}

/// All that was received.
///
/// Bodies that are no text come as base64.
private func echo(_ exchange: Exchange, _ body: [UInt8]) -> JSON {
  let fields = exchange.request.headers.map { field in
    JSON.array([.string(field.name.text), .string(field.value)])
  }
  let pairs = exchange.query.fields.map { JSON.array([.string($0.name), .string($0.value)]) }
  var answer: JSONObject = [
    "method": .string(exchange.request.method.name),
    "path": .string(exchange.request.path), "query": .array(pairs),
    "host": exchange.request.authority.map(JSON.string) ?? .null,
    "headers": .array(fields), "length": .int(body.count),
  ]
  if let text = String(validating: body, as: UTF8.self) {
    answer["body"] = .string(text)
  } else {
    answer["body_base64"] = .string(Base64.encode(body))
  }
  return .object(answer)
}
