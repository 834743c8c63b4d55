import HTTP

/// The metrics of the hops before the last one, redirected or sent again: they are added to those of
/// the last response.
struct EarlierHops {
  var redirects = 0
  private var count = 0
  private var time = Duration.zero
  private var headerSize = 0
  private var requestSize = 0
  private var connections = 0

  mutating func append(_ metrics: TransferMetrics) {
    count += 1
    time += metrics.total
    headerSize += metrics.headerSize
    requestSize += metrics.requestSize
    connections += metrics.connections
  }

  /// Adds the metrics of earlier hops to those of a response to `hop`; the first hop was `first`.
  func add(to response: inout HTTPResponse, _ hop: HTTPRequest, first: HTTPRequest) {
    guard count > 0 else { return }
    var metrics = response.metrics
    metrics.redirects = redirects
    metrics.redirect = time
    metrics.headerSize += headerSize
    metrics.requestSize += requestSize
    metrics.connections += connections
    metrics.redirectedMethod = hop.method == first.method ? nil : hop.method
    response.metrics = metrics
  }
}
