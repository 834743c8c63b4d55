import Arguments

let sshTopic = Topic(
  name: "ssh", summary: "Log in without a browser on this machine",
  text: """
    Over SSH, or in a container, the browser is on another machine. There are three ways to log \
    in. Each waits five minutes, or as long as `--timeout` says.

    # A code for another device

        sdkctl login --device

    This prints an address and a code; on a terminal also a QR code, if {qrencode(1)} is \
    installed. Open the address on any device. Enter the code, or compare it if the page shows \
    it already. Then sign in. Not every server supports this (RFC 8628).

    # An address to paste

        sdkctl login --manual

    This works with every server. Open the printed URL in any browser and sign in. The browser \
    then shows an error, because it cannot open an address that begins with `http://127.0.0.1`. \
    Copy that whole address from the address bar, and paste it at the prompt. If standard input \
    is not a terminal, one line of it is read instead.

    # A tunnel

    Choose a port when you register:

        sdkctl register --callback-port 8976

    On the machine with the browser, connect with that port, and log in:

        ssh -L 8976:127.0.0.1:8976 HOST
        sdkctl login --no-browser

    Open the URL that it prints in the browser. Another port than the registered one, chosen by \
    `sdkctl login --callback-port 8977`, works if the server ignores the port (RFC 8252 section \
    7.3).
    """)
