import Glibc

/// `start`: serve here, or start another process that serves and return.
enum Start {
  static let verb = Verb(
    name: "start", summary: "start the sandbox and write the profile 'sandbox'",
    options: [
      .init(name: "background", summary: "return once it serves"),
      .init(name: "port", value: "N", summary: "port to listen on (8443; 0 finds a free one)"),
      Verb.directory,
      .init(name: "no-profile", summary: "leave sdkctl's store alone"),
      .init(name: "token-lifetime", value: "S", summary: "seconds an access token lives (300)"),
      .init(name: "token-format", value: "F", summary: "access tokens: jwt (default) or opaque"),
      .init(name: "device-interval", value: "S", summary: "seconds between a device's polls (5)"),
      .init(name: "device-lifetime", value: "S", summary: "seconds a device code lives (600)"),
      .init(name: "closed", summary: "registration needs the initial access token"),
      .init(name: "json", summary: "print JSON"),
      .init(
        name: "announce", value: "FD", summary: "tell a parent when it serves", isInternal: true),
    ]
  ) { arguments in
    let directory = try StateDirectory(arguments.values["dir"])
    let port = try arguments.number("port", in: 0...65_535) ?? 8443
    let settings = try settings(arguments)
    try directory.create()
    if arguments.flag("announce") { Descriptor.closeAll(from: 4) }
    if arguments.flag("background") { return try Background(directory, arguments).start() }
    return try Foreground(
      directory: directory, port: port, settings: settings, arguments: arguments
    ).serve()
  }

  private static func settings(_ arguments: Arguments) throws(Failure) -> Settings {
    var settings = Settings()
    let lifetimes = 1...86_400
    settings.accessTokenLifetime =
      try arguments.number("token-lifetime", in: lifetimes) ?? settings.accessTokenLifetime
    settings.deviceInterval =
      try arguments.number("device-interval", in: 1...60) ?? settings.deviceInterval
    settings.deviceLifetime =
      try arguments.number("device-lifetime", in: lifetimes) ?? settings.deviceLifetime
    settings.accessTokenFormat = arguments.values["token-format"] ?? settings.accessTokenFormat
    guard ["jwt", "opaque"].contains(settings.accessTokenFormat) else {
      throw .usage("--token-format takes jwt or opaque")
    }
    settings.closedRegistration = arguments.flag("closed")
    return settings
  }
}
