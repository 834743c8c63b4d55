"""What a shell offers for a line that is not finished, asked of the shell itself."""

import os
import pty
import re
import select
import subprocess
import time


class Bash:
    """Runs the registered completion function as readline would, behind bash-completion."""

    name, generated = "bash", "sdkctl.bash"

    def candidates(self, home, script, line: str) -> set:
        words = line.split(" ")
        quoted = " ".join("'" + word + "'" for word in words)
        program = f"""
            source /usr/share/bash-completion/bash_completion
            source '{script}'
            COMP_WORDBREAKS=$' \\t\\n"\\'><=;|&(:'
            COMP_LINE='{line}' COMP_POINT={len(line)} COMP_WORDS=({quoted})
            COMP_CWORD={len(words) - 1} COMP_TYPE=9 COMP_KEY=9
            function=$(complete -p sdkctl | sed -E 's/.*-F ([^ ]+).*/\\1/')
            "$function" sdkctl '{words[-1]}' '{words[-2]}'
            printf '%s\\n' "${{COMPREPLY[@]}}"
        """
        done = subprocess.run(["bash", "--norc", "-c", program], env=home.environment,
                              capture_output=True, text=True, timeout=20)
        assert done.stderr == "", done.stderr
        return {word.strip() for word in done.stdout.splitlines() if word.strip()}


class Fish:
    """fish answers `complete -C LINE` with a candidate and its description a line."""

    name, generated = "fish", "sdkctl.fish"

    def candidates(self, home, script, line: str) -> set:
        done = subprocess.run(
            ["fish", "--no-config", "-c", f"source '{script}'; complete -C '{line}'"],
            env=home.environment, capture_output=True, text=True, timeout=20)
        assert done.stderr == "", done.stderr
        return {row.split("\t")[0].strip() for row in done.stdout.splitlines()}


class Zsh:
    """zsh completes only where a person types, so this types: in a pty, a line and a tab."""

    name, generated = "zsh", "_sdkctl"
    READY = "READY> "

    def candidates(self, home, script, line: str) -> set:
        folder = home.directory / "site-functions"
        folder.mkdir(exist_ok=True)
        (folder / "_sdkctl").write_bytes(script.read_bytes())
        (home.directory / ".zshrc").write_text(f"""
            fpath=('{folder}' $fpath)
            autoload -Uz compinit; compinit -u -d '{home.directory}/zcompdump'
            zstyle ':completion:*' list-prompt ''
            zstyle ':completion:*' menu no
            setopt nobeep noprompt_sp; unsetopt list_types zle_bracketed_paste
            LISTMAX=10000; PS1='{self.READY}'
        """)
        environment = home.environment | {
            "ZDOTDIR": str(home.directory), "TERM": "dumb", "COLUMNS": "300", "LINES": "400"}
        child, terminal = pty.fork()
        if child == 0:
            os.execve("/usr/bin/zsh", ["zsh", "-i"], environment)
        try:
            self._read(terminal, lambda text: self.READY in text)
            # ^D in the middle of a word lists the choices without inserting one.
            os.write(terminal, line.encode() + b"\x04")
            # The prompt comes again after the choices, and not at all if there is none.
            text = self._read(terminal, lambda text: self.READY in text, quiet=0.6)
        finally:
            os.close(terminal)
            os.kill(child, 9)
            os.waitpid(child, 0)
        listing = text.replace("\r", "\n").replace(self.READY, "\n")
        listing = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", listing)
        rows = [row for row in listing.splitlines() if row.strip() and row.strip() != line.strip()]
        return {word for row in rows for word in row.partition(" -- ")[0].split()}

    def _read(self, terminal, done, quiet=3.0, limit=10.0) -> str:
        """Reads until `done`, or until nothing has come for a while after something has."""
        seen, end = b"", time.monotonic() + limit
        while time.monotonic() < end:
            ready, _, _ = select.select([terminal], [], [], quiet)
            if not ready and seen:
                break
            if ready:
                try:
                    seen += os.read(terminal, 65536)
                except OSError:
                    break
            if done(seen.decode(errors="replace")):
                break
        return seen.decode(errors="replace")


SHELLS = (Bash(), Fish(), Zsh())
