import Glibc
import Testing

@testable import POSIX

@Suite(.timeLimit(.minutes(10))) struct SignalsTests {
  @Test(arguments: [false, true])
  func theFirstSignalCancelsAndIsTold(onceWaiting: Bool) async {
    await #expect(processExitsWith: .exitCode(42)) { [onceWaiting] in
      let cancelled = OneShot<Bool>()
      let end = try await Signals.cancelling(onceWaiting: onceWaiting) {
        while !hasHandler(for: SIGTERM) { try? await Task.sleep(for: .milliseconds(1)) }
        kill(getpid(), SIGTERM)
        try? await Task.sleep(for: .seconds(600))
        cancelled.set(Task.isCancelled)
      }
      _exit(cancelled.value == true && end == SIGTERM ? 42 : 1)
    }
  }

  @Test func aSecondInterruptEndsAtOnce() async {
    await #expect(processExitsWith: .signal(SIGINT)) {
      _ = try await Signals.cancelling {
        kill(getpid(), SIGTERM)
        try? await Task.sleep(for: .seconds(600))
        kill(getpid(), SIGINT)
        while true { pause() }
      }
    }
  }

  @Test func whatIsIgnoredStaysIgnored() async {
    await #expect(processExitsWith: .exitCode(42)) {
      signal(SIGHUP, SIG_IGN)
      let cancelled = OneShot<Bool>()
      let end = try await Signals.cancelling {
        kill(getpid(), SIGHUP)
        cancelled.set(Task.isCancelled)
      }
      _exit(cancelled.value == false && end == nil ? 42 : 1)
    }
  }

  @Test func whatNeverWaitsIsEndedByTheSignal() async {
    await #expect(processExitsWith: .signal(SIGTERM)) {
      _ = try await Signals.cancelling(onceWaiting: true) {
        // To this thread, which may block signals: one to the process may arrive after its end.
        var signals = sigset_t()
        sigemptyset(&signals)
        sigaddset(&signals, SIGTERM)
        pthread_sigmask(SIG_UNBLOCK, &signals, nil)
        raise(SIGTERM)
      }
    }
  }

  @Test(arguments: [false, true])
  func withoutASignalTheOperationIsRunToItsEnd(onceWaiting: Bool) async {
    await #expect(processExitsWith: .exitCode(42)) { [onceWaiting] in
      let ended = OneShot<Bool>()
      let end = try await Signals.cancelling(onceWaiting: onceWaiting) { ended.set(true) }
      _exit(ended.value == true && end == nil ? 42 : 1)
    }
  }
}

private func hasHandler(for signal: Int32) -> Bool {
  var action = sigaction()
  sigaction(signal, nil, &action)
  return action.__sigaction_handler.sa_handler != nil
}
