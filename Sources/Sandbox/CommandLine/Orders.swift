/// `reset`: forget clients, tokens, people, faults and counters.
enum Reset {
  static let verb = Verb(
    name: "reset", summary: "forget clients, tokens, accounts, faults and counters",
    options: [Verb.directory]
  ) { arguments in
    let directory = try StateDirectory(arguments.values["dir"])
    _ = try ControlClient(directory: directory).ask("POST", "/reset")
    Output.text("The sandbox is as new.\n")
    return 0
  }
}

/// `rotate`: sign with new keys; the former ones stay published until the next rotation.
enum Rotate {
  static let verb = Verb(
    name: "rotate", summary: "sign with new keys", options: [Verb.directory]
  ) { arguments in
    let directory = try StateDirectory(arguments.values["dir"])
    _ = try ControlClient(directory: directory).ask("POST", "/rotate")
    Output.text("The sandbox signs with new keys.\n")
    return 0
  }
}

/// `log`: print the log.
enum Log {
  static let verb = Verb(
    name: "log", summary: "print the log", options: [Verb.directory]
  ) { arguments in
    let directory = try StateDirectory(arguments.values["dir"])
    guard let log = directory.read(.log) else {
      throw Failure(
        "could not read the log: there is none yet", hint: "sdkctl-sandbox start --background",
        exit: .store)
    }
    Output.text(log)
    return 0
  }
}
