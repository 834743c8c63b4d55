"""The signals of a test runner."""

import signal


def reset_signals():
    """Forgets what the caller ignores or blocks, as `nohup` does: the tests send these signals."""
    signal.pthread_sigmask(signal.SIG_SETMASK, [])
    for number in signal.valid_signals() - {signal.SIGKILL, signal.SIGSTOP}:
        # Python itself ignores SIGPIPE and SIGXFSZ, and lets its children have the default again.
        if signal.getsignal(number) == signal.SIG_IGN and number not in (
                signal.SIGPIPE, signal.SIGXFSZ):
            default = signal.default_int_handler if number == signal.SIGINT else signal.SIG_DFL
            signal.signal(number, default)
