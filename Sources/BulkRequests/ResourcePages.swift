public import HTTP
public import SDKCore

/// The pages of a list, requested one after the other.
///
/// Each page but the first is requested under the rules of a redirect: never from https to http, and once a page has
/// led to another origin, without the credential, the client certificate and the private header fields. All requests
/// use the same transport, so pins and open connections are those of any request.
///
/// ```swift
/// var pages = try await session.resources.pages(of: request, as: .user)
/// while let page = try await pages.next() { … }
/// if let url = pages.upcoming { … }  // The first page that was not received.
/// ```
public struct ResourcePages: Sendable {
  /// What is requested, how, and within which limits.
  public struct Options: Sendable {
    /// Where a page names the next one.
    public var source = NextPageSource.usual
    /// The number of pages that are requested at most.
    public var maximumCount = 1000
    /// The size of a page in bytes, decoded; a larger one is an error.
    public var maximumSize = 1 << 26
    /// When a request is sent again; `nil` for never.
    public var retryPolicy: RetryPolicy?
    /// Lets the user log in if that is needed; `nil` if no login may be started.
    public var loginHandler: LoginHandler?

    /// Makes options.
    public init() {}
  }

  private let resources: ResourceService
  private let request: ResourceRequest
  private let access: Access
  private let options: Options
  private let first: HTTPURL
  /// The URL of the page that comes next; `nil` after the last one.
  ///
  /// After an error, and after a response with an HTTP error status, it is the URL of that page.
  public private(set) var upcoming: HTTPURL?
  /// What the last page has that looks as if it led to another one, but was not followed.
  ///
  /// A URL of another origin, or a cursor; only with ``NextPageSource/usual``.
  public private(set) var unfollowed: NextPageSource?
  /// How many pages were received.
  public private(set) var count = 0
  /// In whose name all pages are requested; `nil` before the first one.
  private var owner: RequestOwner?
  private var known: Set<HTTPURL>
  /// Where the list has left its first origin; it does not get back to the credential.
  private var elsewhere: HTTPURL?
  private var current: HTTPURL?
  private var isAtEnd = false
  private var failure: SDKError?

  init(
    _ resources: ResourceService, _ request: ResourceRequest, _ access: Access, _ options: Options
  ) throws(SDKError) {
    self.resources = resources
    self.request = request
    self.access = access
    self.options = options
    let http = try request.http(relativeTo: resources.baseURL, domain: access.domain)
    guard http.method == .get else {
      throw SDKError(.invalidRequest, "could not fetch all pages: the method is not GET")
    }
    first = http.url
    upcoming = first
    known = [first]
  }

  /// Requests the next page.
  ///
  /// A response with an HTTP error status is returned too, and is the last one.
  ///
  /// - Returns: the response with its body; `nil` after the last page, and after the maximum number of
  ///   pages. Then ``upcoming`` says whether there are more.
  /// - Throws: ``SDKError``; the page can be requested again, unless it was not found.
  public mutating func next() async throws(SDKError) -> HTTPResponse? {
    if let failure { throw failure }
    guard let url = upcoming, !isAtEnd, count < options.maximumCount else { return nil }
    var request = request
    if count > 0 {
      // A URL with a cursor is that of the first page: no server has chosen it.
      request.pages = options.source.isCursor ? [url] : [elsewhere, current, url].compactMap { $0 }
    }
    let owner = if let owner { owner } else { await resources.owner() }
    self.owner = owner
    let page = try await resources.send(
      request, as: access, of: owner, receiving: .collect(limit: options.maximumSize),
      loggingIn: options.loginHandler, retrying: options.retryPolicy)
    guard page.isSuccess else {
      isAtEnd = true
      return page
    }
    count += 1
    current = page.url
    if elsewhere == nil, !page.url.sharesOrigin(with: first) { elsewhere = page.url }
    upcoming = nil
    do {
      upcoming = try options.source.next(after: page, of: first)
      if upcoming == nil, options.source == .usual {
        unfollowed = NextPageSource.unfollowed(in: page)
      }
    } catch {
      failure = error
    }
    if let upcoming, !known.insert(upcoming).inserted {
      self.upcoming = nil
      failure = SDKError(
        .malformedResponse,
        "could not find the next page: page \(count) leads back to an earlier one")
    }
    return page
  }
}

extension ResourceService {
  /// Returns the pages of the list that a request begins.
  ///
  /// - Throws: ``SDKError`` if the request is not valid, or is not a GET.
  public func pages(
    of request: ResourceRequest, as access: Access,
    _ options: ResourcePages.Options = ResourcePages.Options()
  ) throws(SDKError) -> ResourcePages {
    try ResourcePages(self, request, access, options)
  }
}
