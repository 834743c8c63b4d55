import HTTP
import JSON
import Primitives
import SDKCore

/// Shows the request of `fetch --dry-run`, without its secrets.
struct DryRun {
  let preview: RequestPreview

  /// The fields in the order in which they are sent; secrets are replaced.
  private var fields: [(name: String, value: String)] {
    let request = preview.request
    var fields = [("Host", request.url.authority), ("User-Agent", preview.userAgent)]
    let own = request.fields.map(\.name) + request.omittedFields
    if !own.contains(where: { $0.asciiLowercased == "accept" }) { fields.append(("Accept", "*/*")) }
    if let type = preview.tokenType {
      fields.append(
        type == "Cookie"
          ? ("Cookie", "‹redacted›") : ("Authorization", "\(type) ‹redacted›"))
      if type == "DPoP" { fields.append(("DPoP", "‹redacted›")) }
    }
    return fields + request.fields.map { ($0.name, preview.shownValue(of: $0)) }
  }

  var lines: [String] {
    let target = preview.shownURL.dropFirst(preview.request.url.origin.utf8.count)
    var lines = ["\(preview.request.method) \(target) HTTP/1.1"]
    lines += fields.map { "\($0.name): \($0.value)" }
    let body = preview.bodyText ?? ""
    return lines + [""]
      + body.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
  }

  static let rows = Rows<DryRun>(
    .member("method", "the method") { $0.preview.request.method.name },
    .member("url", "the URL") { $0.preview.shownURL },
    .member("fields", "arrays of values by name") { dryRun in
      JSON.members(
        Dictionary(grouping: dryRun.fields, by: \.name).mapValues { .strings($0.map(\.value)) })
    },
    .member("body", "the body, if it is text") { $0.preview.bodyText })
}
