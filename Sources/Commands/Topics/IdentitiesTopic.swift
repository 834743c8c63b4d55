import Arguments

let identitiesTopic = Topic(
  name: "identities", summary: "How client certificates work",
  text: """
    An identity is a client certificate with its chain and its private key. A profile keeps \
    identities by host: `api.example.com`, or `*.example.com` for all hosts below a domain. When a \
    server asks for a certificate in the TLS handshake, the identity of its host is shown. A valid \
    one is preferred to an expired one, then one that names the host to a pattern. One that has \
    expired, is not valid yet, or is not for TLS clients is not shown: a warning says so. A server that \
    names the authorities that it accepts is shown no identity of another authority, and an \
    identity never goes to another origin on a redirect.

    # From an authority, by request

        sdkctl identity csr --subject CN=alice > alice.csr
        sdkctl identity import issued.pem

    The key is made and stored here, and does not leave this machine. The certificate is \
    recognised by its key; it needs no name.

    # From a file

        sdkctl identity import alice.p12 --host api.example.com

    The file is PKCS #12, PEM or DER. See {identity import} for passwords and old files.

    # Expiry

    The exit status of `sdkctl identity check` says whether an identity should be renewed. An \
    access token can be bound to a certificate (RFC 8705). When such a certificate is replaced, \
    the token cannot be used any more: a warning says so, and the user must log in again.

    # Keys

    A key is stored in a file with mode 0600. With `--seal` it is encrypted under a passphrase \
    (scrypt and AES-256-GCM), which is asked for on the terminal when the key is used, or read \
    from `--passphrase-file`. The certificate of a client that authenticates with one (`register \
    --auth-method tls_client_auth`) is the identity `registration`, or the one that `--identity` \
    names.

    # Keys in security tokens

        sdkctl identity import 'pkcs11:token=work;object=alice'
        sdkctl identity import alice.pem --key-uri 'pkcs11:token=work;object=alice'

    A key in a security token with a PKCS #11 module stays there: a smart card, a USB token, a \
    hardware security module. It is named by its URI (RFC 7512), with `token` or `serial`, and \
    `object` or `id`. OpenSSL needs a provider (Debian's pkcs11-provider) or the engine of \
    libengine-pkcs11-openssl. {identity csr} makes a request for such a key, and {identity renew} \
    has a new certificate issued for it.

    The PIN is asked for on the terminal, or read from the file of `--passphrase-file` or of \
    `?pin-source=file:/path` in the URI; a URI with the PIN itself is refused. A wrong PIN is not \
    tried again, and after one, that of a file is not used until the right one has been typed.
    """)
