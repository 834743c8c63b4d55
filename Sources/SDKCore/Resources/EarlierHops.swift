import HTTP

/// What was measured of the requests that were redirected or sent again, for the metrics of the
/// last one.
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

  /// Completes the metrics of a response to `hop`, which follows from `request`.
  func add(to response: inout HTTPResponse, _ hop: HTTPRequest, of request: HTTPRequest) {
    guard count > 0 else { return }
    var metrics = response.metrics
    metrics.redirects = redirects
    metrics.redirect = time
    metrics.headerSize += headerSize
    metrics.requestSize += requestSize
    metrics.connections += connections
    metrics.redirectedMethod = hop.method == request.method ? nil : hop.method
    response.metrics = metrics
  }
}
