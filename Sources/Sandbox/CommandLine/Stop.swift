import Arguments
import POSIX

/// `stop`: end the sandbox that runs on the directory, if one does.
enum Stop: Command {
  static let page = CommandInfo(
    name: "stop", summary: "Stop the sandbox",
    description: "It is no error if none runs.",
    examples: [("sdkctl-sandbox stop", "Stop the sandbox")])

  static func run(_ arguments: NoArguments, in context: Context) async throws {
    let directory = try context.directory()
    guard InstanceLock.isHeld(directory) else {
      directory.remove(.processID, .port, .control)
      return context.print("The sandbox is not running.")
    }
    guard let number = directory.read(.processID).flatMap({ Int32($0.filter(\.isNumber)) }),
      number > 1
    else {
      throw Failure(
        "could not stop the sandbox: it is just starting", hint: "sdkctl-sandbox stop",
        exit: .busy)
    }
    for signal in [Signals.termination, Signals.kill] {
      Signals.send(signal, to: number)
      if await InstanceLock.isReleased(directory, within: .seconds(5)) {
        return context.print("The sandbox is stopped.")
      }
    }
    throw Failure("could not stop the sandbox: process \(number) does not end")
  }
}
