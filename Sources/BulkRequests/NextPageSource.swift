import HTTP
import JSON
import Primitives
import SDKCore

/// Where a page of a list names the next page.
public enum NextPageSource: Sendable, Hashable {
  /// A link with the relation `next` in the header field `Link` (RFC 8288), or a usual member of a JSON body that
  /// holds a path, or a URL of the same origin: `next`, `@odata.nextLink`, `_links.next.href`.
  case usual
  /// A URL in the JSON body, at a path of member names: `paging.next`.
  case url(field: String)
  /// A cursor in the JSON body, which becomes a parameter of the query of the first request.
  case cursor(field: String, parameter: String)
}

extension NextPageSource {
  var isCursor: Bool { if case .cursor = self { true } else { false } }

  func next(after page: HTTPResponse, of first: HTTPURL) throws(SDKError) -> HTTPURL? {
    switch self {
    case .usual: try linked(by: page) ?? Self.usualURL(in: page)
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

  /// The URL that a usual member of the body holds.
  private static func usualURL(in page: HTTPResponse) -> HTTPURL? {
    guard let body = document(of: page) else { return nil }
    return usualFields.lazy.compactMap { body.value(at: $0)?.string }
      .compactMap { text in
        guard text.hasPrefix("/") || text.hasPrefix("?") || text.containsText("://") else {
          return nil
        }
        return try? page.url.resolving(text)
      }
      .first { $0.sharesOrigin(with: page.url) }
  }

  private static let usualFields = [
    "next", "next_url", "nextUrl", "nextLink", "next_link", "@odata.nextLink", "odata.nextLink",
    "links.next", "links.next.href", "_links.next", "_links.next.href", "next.href", "paging.next",
    "paging.next.link",
    "pagination.next", "pagination.next_url", "meta.next", "meta.next_url",
    "meta.pagination.links.next",
    "info.next",
  ]

  /// What a member of a page is that looks as if it led to the next one, but was not followed: a URL of another
  /// origin, or a cursor; `nil` for none.
  static func unfollowed(in page: HTTPResponse) -> NextPageSource? {
    guard let body = document(of: page) else { return nil }
    if let field = usualFields.first(where: {
      body.value(at: $0)?.string?.containsText("://") == true
    }) {
      return .url(field: field)
    }
    return usualCursors.first { field, _ in
      switch body.value(at: field) {
      case .string(let text)?: !text.isEmpty
      case .number?: true
      default: false
      }
    }.map { .cursor(field: $0, parameter: $1) }
  }

  private static let usualCursors = [
    ("nextPageToken", "pageToken"), ("next_page_token", "page_token"), ("nextCursor", "cursor"),
    ("next_cursor", "cursor"), ("response_metadata.next_cursor", "cursor"),
    ("meta.next_cursor", "cursor"),
    ("paging.next_cursor", "cursor"), ("pagination.next_cursor", "cursor"),
    ("pagination.nextCursor", "cursor"), ("nextToken", "nextToken"), ("NextToken", "NextToken"),
    ("next_token", "next_token"), ("meta.next_token", "pagination_token"),
    ("continuationToken", "continuationToken"), ("metadata.continue", "continue"),
    ("next_page", "page"),
    ("nextPage", "page"), ("next", "cursor"),
  ]

  private static func document(of page: HTTPResponse) -> JSON? {
    page.body.first { !$0.isSpace } == UInt8(ascii: "{") ? try? JSON(parsing: page.body) : nil
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
