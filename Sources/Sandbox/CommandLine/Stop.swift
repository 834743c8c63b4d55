import Glibc

/// `stop`: end the sandbox that runs on the directory, if one does.
enum Stop {
  static let verb = Verb(
    name: "stop", summary: "stop the sandbox", options: [Verb.directory]
  ) { arguments in
    let directory = try StateDirectory(arguments.values["dir"])
    guard InstanceLock.isHeld(directory) else {
      directory.remove(.processID, .port, .control)
      Output.text("The sandbox is not running.\n")
      return 0
    }
    guard let text = directory.read(.processID), let number = pid_t(text.filter(\.isNumber)),
      number > 1
    else {
      throw Failure(
        "could not stop the sandbox: it is just starting", hint: "sdkctl-sandbox stop",
        exit: .busy)
    }
    kill(number, SIGTERM)
    if !InstanceLock.waitForRelease(directory, milliseconds: 5_000) {
      kill(number, SIGKILL)
      guard InstanceLock.waitForRelease(directory, milliseconds: 5_000) else {
        throw Failure("could not stop the sandbox: process \(number) does not end")
      }
      directory.remove(.processID, .port, .control)
    }
    Output.text("The sandbox is stopped.\n")
    return 0
  }
}
