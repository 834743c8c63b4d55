import Curl
import HTTP
import OpenSSL
import POSIX
import Primitives
import SDKCore

/// Checks what requests and logins need of this machine; it makes no connection.
struct MachineHealth: Sendable {
  let network: Network
  let environment: Environment
  let authorities: AuthorityHealth
  let browser: BrowserChoice?
  let now: Timestamp

  func findings() -> [Finding] {
    [umask(), clock(), libcurl(), openssl(), authorities.finding(), proxy(), browserFinding()]
      .compactMap { $0 } + loopback()
  }

  /// `nil` if the process did not note it.
  private func umask() -> Finding? {
    guard let mask = ProcessSetup.originalMask else { return nil }
    let text = FileStatus.modeText(mask)
    guard mask & 0o022 == 0o022 else {
      return Finding(
        .umask, .warning, "others may change files that programs make: use 022, 027 or 077",
        about: text)
    }
    return Finding(.umask, .ok, "others cannot change files that programs make", about: text)
  }

  private func clock() -> Finding {
    guard now >= Self.earliest else {
      return Finding(
        .clock, .error, "the clock says \(now), before this program was made: nothing is valid then"
      )
    }
    return Finding(.clock, .ok, "the clock says \(now)")
  }

  private func libcurl() -> Finding {
    do throws(SDKError) {
      let version = try network.version()
      guard version.containsText("nghttp2/") else {
        return Finding(.libcurl, .warning, "\(version): it does not support HTTP/2")
      }
      return Finding(.libcurl, .ok, version)
    } catch {
      return Finding(.libcurl, error)
    }
  }

  private func openssl() -> Finding {
    do throws(SDKError) {
      return Finding(
        .openssl, .ok,
        try attempt("could not load libcrypto") { try CryptoLibrary.version() })
    } catch {
      return Finding(.openssl, error)
    }
  }

  private func proxy() -> Finding? { ProxyHealth.finding(environment) }

  private func browserFinding() -> Finding? {
    switch browser {
    case .program(let path)?: Finding(.browser, .ok, "logins open it", about: path)
    case .missing(let name)?:
      Finding(
        .browser, .warning, "it is not a program: logins cannot open a browser", about: name,
        remedy: .otherLogins)
    case .absent?:
      Finding(
        .browser, .warning, "there is no browser, or no display: logins need another way",
        remedy: .otherLogins)
    case nil: nil
    }
  }

  private func loopback() -> [Finding] {
    [("127.0.0.1", LoopbackSocket.Family.v4), ("::1", .v6)].map { address, family in
      do throws(SystemError) {
        _ = try LoopbackSocket.listen(family)
        return Finding(.loopback, .ok, "a login can listen there", about: address)
      } catch {
        // One of the two is enough for a login.
        let isOptional = family == .v6 && error.isAddressMissing
        return Finding(
          .loopback, isOptional ? .ok : .error, "a login cannot listen there: \(error.message)",
          about: address, remedy: isOptional ? nil : .otherLogins)
      }
    }
  }

  /// 2026-01-01.
  private static let earliest: Timestamp = 1_767_225_600
}

package enum BrowserChoice: Sendable, Hashable {
  /// The file of the program.
  case program(String)
  /// The environment names this program, which does not exist.
  case missing(String)
  /// Nothing names one.
  case absent
}

enum ProxyHealth {
  /// The proxy that variables name; `nil` if libcurl, which reads them, cannot be used.
  static func finding(_ environment: Environment, source: String? = nil) -> Finding? {
    let found: Proxy?
    do throws(TransportError) {
      found = try CurlTransport.proxy(of: environment, source: source)
    } catch {
      return nil
    }
    guard let proxy = found else {
      return Finding(.proxy, .ok, "requests use no proxy")
    }
    if let flaw = proxy.flaw {
      return Finding(
        .proxy, .error, "it cannot be used: \(flaw)", about: proxy.host ?? proxy.source)
    }
    let exceptions = proxy.exceptions.isEmpty ? "" : ", but for \(VisibleText.of(proxy.exceptions))"
    return Finding(
      .proxy, .ok, "requests use this proxy\(proxy.usesTLS ? ", by TLS" : "")\(exceptions)",
      about: proxy.host)
  }
}
