import HTTPTypes
import NIOCore
import NIOHTTPTypes

/// Puts the date that a fault wants in the place of the one that the server writes last of all.
final class SkewedDate: ChannelOutboundHandler, RemovableChannelHandler, Sendable {
  typealias OutboundIn = HTTPResponsePart
  typealias OutboundOut = HTTPResponsePart

  func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
    guard case .head(var head) = unwrapOutboundIn(data), let date = head.headerFields[.sandboxDate]
    else { return context.write(data, promise: promise) }
    head.headerFields[.date] = date
    head.headerFields[.sandboxDate] = nil
    context.write(wrapOutboundOut(.head(head)), promise: promise)
  }
}
