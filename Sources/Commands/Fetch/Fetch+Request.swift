import HTTP
import POSIX
import Primitives
import SDKCore

extension Fetch.Arguments {
  var methodName: String {
    method ?? word ?? (head ? "HEAD" : data == nil && form.isEmpty ? "GET" : "POST")
  }

  /// The arguments with the files of header fields and parameters read.
  ///
  /// They are read once: a file may be a pipe.
  func loadingFiles(_ input: Input) throws -> Self {
    var loaded = self
    loaded.headers = try headers.map { header in try header.loaded(input) }
    loaded.parameters = try parameters.map { parameter in
      try parameter.loaded(input)
    }
    return loaded
  }

  /// The request that the options describe; opens its body.
  func request(_ context: Context) throws -> ResourceRequest {
    let hasJSONBody =
      encoding == .json && form.isEmpty
      && HTTPMethod(inAnyCase: methodName)?.expectsBody == true
    let members = parameters.members
    let asText = encoding == .formJSON || !form.isEmpty
    var fields = HeaderLines(headers)
    let hasRange = fields.sent.contains { $0.name.asciiLowercased == "range" }
    if hasRange, range != nil || continues {
      throw Failure.usage("the header field 'Range' and --range or --continue exclude each other")
    }
    if let range { fields.sent.append(("Range", range.field)) }
    var request = ResourceRequest(
      methodName, target, headers: fields.sent,
      parameters: hasJSONBody
        ? members.text
        : parameters.flatMap { asText ? [($0.name, $0.text)] : $0.fields },
      encoding: encoding,
      body: try data.map { text in
        try BodySource.body(of: text, context.input, deadline: context.deadline)
      })
    if hasJSONBody { request.jsonParameters = members.json }
    let file = data.flatMap { $0.hasPrefix("@") ? $0 : nil }
    if let type = MediaType.of(request.body, file: file) { request.bodyType = type }
    request.omittedHeaders = fields.omitted
    if let etagCompare, let field = try ETagFile(path: etagCompare).load() {
      request.fields.append(field)
    }
    for part in form { request.multipart.append(try part.opened(context.input)) }
    request.followsRedirects = follows
    request.decodesContent = compressed
    return request
  }
}
