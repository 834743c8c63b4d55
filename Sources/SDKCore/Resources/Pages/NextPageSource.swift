import HTTP
import JSON
import Primitives

/// Where a page of a list names the next page.
public enum NextPageSource: Sendable, Hashable {
  /// A link with the relation `next` in the header field `Link` (RFC 8288).
  case link
  /// A URL in the JSON body, at a path of member names: `paging.next`.
  case url(field: String)
  /// A cursor in the JSON body, which becomes a parameter of the query of the first request.
  case cursor(field: String, parameter: String)
}

extension NextPageSource {
  var isCursor: Bool { if case .cursor = self { true } else { false } }

  /// Finds the next page.
  ///
  /// - Parameters:
  ///   - page: the response with a page.
  ///   - first: the URL of the first page.
  /// - Returns: its URL; `nil` after the last page.
  /// - Throws: ``SDKError`` if the page says something that cannot be followed.
  func next(after page: HTTPResponse, of first: HTTPURL) throws(SDKError) -> HTTPURL? {
    switch self {
    case .link: try linked(by: page)
    case .url(let field):
      switch try value(of: field, in: page) {
      case nil: nil
      case .string(let reference): try resolved(reference, against: page.url)
      case let value?: throw unusable("'\(field)' is \(value.kind), not a URL")
      }
    case .cursor(let field, let parameter):
      switch try value(of: field, in: page) {
      case nil: nil
      case .string(let text): first.replacing(parameter, text)
      case .number(let number): first.replacing(parameter, JSON.number(number).serialized())
      case let value?: throw unusable("'\(field)' is \(value.kind), not a cursor")
      }
    }
  }

  private func linked(by page: HTTPResponse) throws(SDKError) -> HTTPURL? {
    let list = page.links
    var found: HTTPURL?
    for link in list.links where link.relations.contains("next") && !link.hasAnchor {
      let url = try resolved(link.target, against: page.url)
      guard found == nil || found == url else { throw unusable("it has several links to it") }
      found = url
    }
    // The end of a list must not be taken from a field that was not read to its end.
    guard found != nil || list.isComplete else { throw unusable("the field 'Link' is malformed") }
    return found
  }

  /// The value at a path of the body; `nil` for one that says that there is no further page.
  private func value(of field: String, in page: HTTPResponse) throws(SDKError) -> JSON? {
    guard !page.body.isEmpty else { return nil }
    let body: JSON
    do { body = try JSON(parsing: page.body) } catch {
      throw unusable("the body is not JSON: \(error)")
    }
    switch body.value(at: field) {
    case nil, .null?, .bool(false)?, .string("")?: return nil
    case let value?: return value
    }
  }

  private func resolved(
    _ reference: String, against url: HTTPURL
  ) throws(SDKError) -> HTTPURL {
    do { return try url.resolving(reference) } catch {
      throw unusable("the link to it is not a usable URL: \(error)")
    }
  }

  private func unusable(_ cause: String) -> SDKError {
    SDKError(.malformedResponse, "could not find the next page: \(cause)")
  }
}

extension HTTPURL {
  /// The URL with a parameter of its query in place of all of that name; the others stay as they are.
  fileprivate func replacing(_ name: String, _ value: String) -> HTTPURL {
    let others = (query ?? "").split(separator: "&").filter { part in
      FormParameters(encoded: String(part))?.values(of: name).isEmpty ?? true
    }
    let own: FormParameters = [name: value]
    return withQuery((others.map(String.init) + [own.encoded]).joined(separator: "&"))
  }
}
