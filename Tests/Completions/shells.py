"""What a shell offers for a line that is not finished, asked of the shell itself."""

import os
import pty
import re
import select
import subprocess
import time


class Typist:
    """Somebody at a program that has a terminal of its own."""

    def __init__(self, home, program, *arguments, **environment):
        self.child, self.terminal = pty.fork()
        if self.child == 0:
            os.chdir(home.directory)
            os.execve(program, [program, *arguments], home.environment | environment)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        os.close(self.terminal)
        os.kill(self.child, 9)
        os.waitpid(self.child, 0)

    def types(self, keys):
        os.write(self.terminal, keys.encode())

    def reads(self, done, quiet=3.0, limit=10.0) -> str:
        """Reads until `done`, or until nothing has come for a while after something has."""
        seen, end = b"", time.monotonic() + limit
        while time.monotonic() < end:
            ready, _, _ = select.select([self.terminal], [], [], quiet)
            if not ready and seen:
                break
            if ready:
                try:
                    seen += os.read(self.terminal, 65536)
                except OSError:
                    break
            if done(seen.decode(errors="replace")):
                break
        return seen.decode(errors="replace")


class Bash:
    """Runs the registered completion function as readline would, behind bash-completion."""

    name, generated = "bash", "sdkctl.bash"

    def words(self, home, script, keys: str, preparation: str) -> list:
        """The words of a line in which a person has typed these keys."""
        with Typist(home, "/bin/bash", "--norc", "--noprofile", "-i") as bash:
            bash.types("words() { printf 'WORDS'; printf '<%s>' \"$@\"; printf 'END\\n'; }\n")
            bash.types(f"{preparation} source '{script}'; echo READY''1\n")
            bash.reads(lambda text: "READY1" in text, quiet=10)
            # ^A: in front of the completed line, which is run then.
            bash.types(keys + "\x01words \n")
            text = bash.reads(lambda text: "END\r" in text, quiet=10)
        return re.findall("<([^>]*)>", text.rpartition("WORDS")[2])

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
                              cwd=home.directory, capture_output=True, text=True, timeout=20)
        assert done.stderr == "", done.stderr
        return {word.strip() for word in done.stdout.splitlines() if word.strip()}


class Fish:
    """fish answers `complete -C LINE` with a candidate and its description a line."""

    name, generated = "fish", "sdkctl.fish"

    def candidates(self, home, script, line: str) -> set:
        done = subprocess.run(
            ["fish", "--no-config", "-c", f"source '{script}'; complete -C '{line}'"],
            env=home.environment, cwd=home.directory, capture_output=True, text=True, timeout=20)
        assert done.stderr == "", done.stderr
        return {row.split("\t")[0].strip() for row in done.stdout.splitlines()}


class Zsh:
    """zsh completes only where a person types, so this types: in a pty, a line and a tab."""

    name, generated = "zsh", "_sdkctl"
    READY = "READY> "

    def prepare(self, home, script, is_sourced=False) -> Typist:
        folder = home.directory / "site-functions"
        folder.mkdir(exist_ok=True)
        if not is_sourced:
            (folder / "_sdkctl").write_bytes(script.read_bytes())
        (home.directory / ".zshrc").write_text(f"""
            fpath=('{folder}' $fpath)
            autoload -Uz compinit; compinit -u -d '{home.directory}/zcompdump'
            {f"source '{script}'" if is_sourced else ""}
            zstyle ':completion:*' list-prompt ''
            zstyle ':completion:*' menu no
            setopt nobeep noprompt_sp; unsetopt list_types zle_bracketed_paste
            LISTMAX=10000; PS1='{self.READY}'
        """)
        return Typist(home, "/usr/bin/zsh", "-i", ZDOTDIR=str(home.directory), TERM="dumb",
                      COLUMNS="300", LINES="400")

    def typed(self, home, script, keys: str, done) -> str:
        """What is shown while a person types these keys."""
        with self.prepare(home, script) as zsh:
            zsh.reads(lambda text: self.READY in text)
            zsh.types(keys)
            return zsh.reads(done)

    def candidates(self, home, script, line: str, is_sourced=False) -> set:
        with self.prepare(home, script, is_sourced) as zsh:
            zsh.reads(lambda text: self.READY in text)
            # ^D in the middle of a word lists the choices without inserting one.
            zsh.types(line + "\x04")
            # The prompt comes again after the choices, and not at all if there is none.
            text = zsh.reads(lambda text: self.READY in text, quiet=0.6)
        listing = text.replace("\r", "\n").replace(self.READY, "\n")
        listing = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", listing)
        rows = [row for row in listing.splitlines() if row.strip() and row.strip() != line.strip()]
        return {word for row in rows for word in row.partition(" -- ")[0].split()}


SHELLS = (Bash(), Fish(), Zsh())
