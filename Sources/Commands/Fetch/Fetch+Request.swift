import HTTP
import SDKCore

extension Fetch.Arguments {
  /// The method that is sent if nothing else is said.
  var methodName: String {
    method ?? word ?? (head ? "HEAD" : data == nil && form.isEmpty ? "GET" : "POST")
  }

  /// The request that the options describe; opens its body.
  func request(_ context: Context) throws(Failure) -> ResourceRequest {
    var fields = try HeaderLines(headers, context.input)
    if let range { fields.sent.append(("Range", range.field)) }
    var request = ResourceRequest(
      methodName, target, headers: fields.sent,
      parameters: parameters.filter { $0.json == nil }.map { ($0.name, $0.value) },
      encoding: encoding,
      body: try data.map { (text) throws(Failure) in
        try BodySource.body(of: text, context.input, deadline: context.deadline)
      })
    request.jsonParameters = parameters.compactMap { parameter in
      parameter.json.map { (parameter.name, $0) }
    }
    request.omittedHeaders = fields.omitted
    if let etagCompare, let field = try ETagFile(path: etagCompare).load() {
      request.fields.append(field)
    }
    for part in form { request.multipart.append(try part.opened(context.input)) }
    request.followsRedirects = follows
    request.decodesContent = compressed
    request.prefersHTTP3 = http3
    return request
  }
}
