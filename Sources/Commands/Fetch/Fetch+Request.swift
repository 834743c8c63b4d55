import SDKCore

extension Fetch.Arguments {
  /// The method that is sent if nothing else is said.
  var methodName: String {
    method ?? word ?? (head ? "HEAD" : data == nil && form.isEmpty ? "GET" : "POST")
  }

  /// The fields of `--header`; reads its files.
  func headerFields(_ context: Context) throws(Failure) -> [(name: String, value: String)] {
    var fields: [(name: String, value: String)] = []
    for header in headers { fields += try header.fields(context.input) }
    return fields
  }

  /// The request that the options describe; opens its body.
  func request(_ context: Context) throws(Failure) -> ResourceRequest {
    var fields = try headerFields(context)
    if let range { fields.append(("Range", range.field)) }
    if let etagCompare, let tag = try ETagFile(path: etagCompare).load() {
      fields.append(("If-None-Match", tag))
    }
    var request = ResourceRequest(
      methodName, target, headers: fields,
      parameters: parameters.filter { $0.json == nil }.map { ($0.name, $0.value) },
      encoding: encoding,
      body: try data.map { (text) throws(Failure) in
        try BodySource.body(of: text, context.input, deadline: context.deadline)
      })
    request.jsonParameters = parameters.compactMap { parameter in
      parameter.json.map { (parameter.name, $0) }
    }
    for part in form { request.multipart.append(try part.opened(context.input)) }
    request.decodesContent = compressed
    request.prefersHTTP3 = http3
    return request
  }
}
