import Arguments

/// The topic `pins`: what a pin is, when it is checked, and what to do with it over a year.
let pinsTopic = Topic(
  name: "pins", summary: "How certificate pins work",
  text: """
    A pin is the SHA-256 of a public key (RFC 7469), written `sha256/BASE64`. A server is accepted \
    only if its chain and its name validate as usual, and if a key of the validated path (leaf, \
    intermediate or root) is pinned for the host. Other certificates that the server sends do \
    not count. Every connection is checked, because TLS sessions are not resumed; so is every \
    hop of a redirect, and the host of a login page before a browser is sent there.

    If a host has no pins, nothing is sent to it. With `pinPolicy=report` in the profile, the \
    request is sent, and a mismatch is only reported; `sdkctl pin set HOST --policy POLICY` \
    chooses it for one host. Pins can have an expiry date; after it the host is refused until you \
    add new pins.

    Pins belong to a pattern. `api.test` is that host. `*.api.test` is every name with exactly one \
    more label, without the host itself, as in certificates and in okhttp. `**.api.test` is the \
    host and all names below it, as `includeSubdomains` in other formats. `:8443` behind a pattern \
    limits it to that port. The nearest pattern decides: the host, `*.`, `**.`, then the parent \
    domains; for the same names the pattern with the port. Pins that have expired still decide. No \
    pattern reaches across a public suffix such as `co.uk` or `github.io`, as libpsl lists them.

    Servers of mail, directories and messages that begin with TLS have pins too: `smtps://`, `imaps://`, \
    `pop3s://`, `ldaps://` and `xmpps://` stand for their ports. Of a server that begins TLS by STARTTLS, \
    openssl fetches the certificates: `openssl s_client -starttls smtp -connect mail.example.com:587 -showcerts \
    </dev/null | sdkctl pin hash -`.

    An international name can be typed in its own script: `bücher.example` is stored, checked and \
    sent as `xn--bcher-kva.example`, its A-label (IDNA 2008 with the mapping of UTS #46, by libidn2, \
    as in curl). What is shown has the A-label; on a terminal the name follows in brackets.

    Commands for hosts take lists of them: `@FILE` names one, with a host a line (`@-` is standard input), where \
    `#` begins a comment. A list is worked through to its end: failures are reported, the rest is done, and the exit \
    status is that of the worst failure.

    The life cycle of pins:

    * Pin the servers: `sdkctl pin add HOST`, with `--role intermediate` for a key that changes \
    less often than that of the leaf.
    * Make a backup key at once: `sdkctl pin backup HOST`. `sdkctl pin lint` finds what is missing.
    * Watch: `sdkctl pin check` in CI or from cron. `sdkctl pin history` shows which keys a host \
    has had.
    * Rotate: `sdkctl pin plan` says what to pin now and what can be removed when; \
    `sdkctl pin update` shows the difference to the server, asks, and updates.

    After a mismatch a command exits with 8, and prints the keys of the chain and the pinned \
    keys. Nothing was sent. Do not retry: look from another network, and ask the operator of the \
    server. If the change was planned, use `sdkctl pin update`.
    """)
