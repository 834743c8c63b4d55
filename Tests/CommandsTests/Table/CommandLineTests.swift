import Arguments
import CoreTestSupport

@testable import Commands

@Suite("Command lines")
struct CommandLineTests {
  @Test("come from a table that keeps the rules of tables")
  func table() {
    #expect(TableCheck.problems(in: commandTable) == [])
  }

  @Test(
    "pass their words to the command",
    arguments: [
      ("profile add", ["n"], ["name": "n"]), ("profile list", [], [:]),
      ("profile show", [], [:]), ("profile show", ["n"], ["name": "n"]),
      ("profile use", ["n"], ["name": "n"]),
      (
        "profile set", ["a=b", "c=d=e", "f="],
        [
          "settings": #"Setting(key: "a", value: "b") | Setting(key: "c", value: "d=e") | "#
            + #"Setting(key: "f", value: "")"#
        ]
      ),
      ("profile unset", ["a", "b"], ["keys": "a | b"]),
      ("profile import", ["f"], ["file": "f"]),
      ("profile export", ["--share"], ["share": "true"]),
      ("profile remove", ["n"], ["name": "n"]), ("profile store show", [], [:]),
      ("profile store move", ["helper:pass"], ["place": "helper:pass"]),
      ("pin add", ["a", "b"], ["sources": "a | b"]), ("pin list", [], [:]),
      ("pin show", ["h"], ["source": "h"]), ("pin remove", ["h"], ["host": "h"]),
      ("pin hash", ["a", "-"], ["sources": "a | -"]), ("pin check", [], [:]),
      ("pin check", ["a", "b"], ["hosts": "a | b"]),
      ("identity list", [], [:]), ("identity show", [], [:]),
      ("identity show", ["n"], ["name": "n"]), ("identity import", ["f"], ["file": "f"]),
      ("identity export", ["n"], ["name": "n"]), ("identity remove", ["n"], ["name": "n"]),
      ("identity csr", ["n"], ["request.name": "n"]),
      ("identity check", ["a", "b"], ["names": "a | b"]),
      ("identity renew", [], [:]), ("identity renew", ["a"], ["names": "a"]),
      ("identity obtain", [], [:]), ("identity obtain", ["h"], ["host": "h"]),
      ("pin lint", [], [:]), ("pin plan", ["a"], ["hosts": "a"]),
      ("pin update", ["a", "b"], ["hosts": "a | b"]),
      ("pin backup", ["h", "i"], ["hosts": "h | i"]),
      ("pin diff", ["a", "b"], ["one": "a", "other": "b"]),
      ("pin history", [], [:]), ("pin history", ["a"], ["hosts": "a"]),
      ("token decode", [], [:]), ("token decode", ["-"], ["token.file": "-"]),
      ("credential git", ["capability"], ["action": "capability"]),
      ("credential docker", ["list"], ["action": "list"]),
      ("credential kubectl", ["install"], ["action": "install"]),
      ("exec", ["--", "ls", "-l"], ["command": "ls | -l"]),
      ("exec", ["ls", "--min-ttl", "5"], ["command": "ls | --min-ttl | 5"]),
      ("proxy", [], [:]), ("proxy", ["--", "ls", "-l", ""], ["command": "ls | -l | "]),
      ("fetch", ["/x"], ["target": "/x"]),
      ("fetch", ["PUT", "/x"], ["word": "PUT", "target": "/x"]),
      ("doctor", [], [:]), ("completion", ["zsh"], ["shell": "zsh"]), ("help", [], [:]),
      ("help", ["pin", "add"], ["words": "pin | add"]), ("version", [], [:]),
      ("__complete", ["--", "-p", "x"], ["words": "-p | x"]),
      ("login password", ["al"], ["username": "al"]), ("__generate", ["d"], ["directory": "d"]),
      ("register", [], [:]), ("login", [], [:]),
      ("token", [], [:]), ("logout", [], [:]), ("deregister", [], [:]),
    ] as [(String, [String], [String: String])])
  func operands(path: String, words: [String], changes: [String: String]) throws {
    let command = try #require(TestedCommand.named(path))
    #expect(command.changes(words) == changes)
  }

  @Test(
    "are refused with a reason",
    arguments: [
      ("", "no command given"), ("profile", "'profile' needs a command"),
      ("pin nope", "unknown command 'pin nope'"),
      ("config set a", "invalid KEY=VALUE 'a': expected KEY=VALUE"),
      ("config get a.b", "invalid KEY 'a.b': expected alias.NAME or defaults.COMMAND.OPTION"),
      ("profile add", "operand NAME is missing"), ("profile add a b", "unexpected operand 'b'"),
      ("profile set a", "invalid KEY=VALUE 'a': expected KEY=VALUE"),
      ("profile set =b", "invalid KEY=VALUE '=b': expected KEY=VALUE"),
      ("profile copy a", "operand NEW is missing"),
      ("profile store", "'profile store' needs a command: show, move or key"),
      ("profile store copy", "unknown command 'profile store copy'"),
      (
        "profile store move x",
        "invalid PLACE 'x': expected files, helper:NAME or etcd:https://HOST:PORT/PREFIX"
      ),
      ("pin hash a --role backup", "a server shows no backup key"),
      ("pin export --sign k --format curl", "only the format json can be signed"),
      ("pin remove h x", "invalid PIN 'x': not a pin such as sha256/BASE64"),
      ("register a", "unknown command 'register a'"),
      ("completion tcsh", "invalid SHELL 'tcsh': expected bash, zsh or fish"),
      ("credential", "'credential' needs a command"),
      ("credential docker fetch", "invalid ACTION 'fetch': expected get, store, erase, list"),
      ("credential kubectl get", "invalid ACTION 'get': expected install"),
      ("credential aws get", "invalid ACTION 'get': expected install"),
      (
        "fetch /x /y",
        "fetch takes one URL: '/x' and '/y' were given; --batch takes many, --data sends a body, --param a value"
      ),
      (
        "fetch api.example.com/x",
        "a URL begins with https://, and a path of the profile with /: 'api.example.com/x'"
      ),
      ("fetch GET", "operand PATH|URL is missing: 'GET' is a method"),
      ("token verify --jwks - -", "standard input is named twice: for '--jwks' and FILE"),
      ("token decode --key - -", "standard input is named twice: for '--key' and FILE"),
      ("fetch -q POST /x --param a=1 -d y", "'-d' and '--param' cannot be used together"),
      (
        "pin export --sign k --valid 0",
        "invalid value '0' for '--valid': the pins would have expired at once"
      ),
      (
        "pin check --within 30",
        "invalid value '30' for '--within': a unit is missing: 30d are days, 30w weeks, 30h hours"
      ),
      (
        "identity renew --within 30",
        "invalid value '30' for '--within': a unit is missing: 30d are days, 30w weeks, 30h hours"
      ),
      (
        "identity renew --within 150%",
        "invalid value '150%' for '--within': not a percentage from 1% to 100%"
      ),
      ("login --prompt consnt", "invalid value 'consnt' for '--prompt': did you mean 'consent'?"),
      (
        "token verify --alg hs256",
        "invalid value 'hs256' for '--alg': not a signature algorithm such as ES256; did you mean 'HS256'?"
      ),
      (
        "exec --token-as LD_PRELOAD x",
        "invalid value 'LD_PRELOAD' for '--token-as': this variable decides what runs; choose one that the "
          + "program reads a token from"
      ),
      (
        "exec --token-as BASH_ENV x",
        "invalid value 'BASH_ENV' for '--token-as': this variable decides what runs; choose one that the "
          + "program reads a token from"
      ),
      (
        "token --env tcsh",
        "invalid value 'tcsh' for '--env': expected sh, bash, zsh, fish, powershell, dotenv or github"
      ),
      ("fetch -X PUT POST /x", "the method is given twice"),
      ("register update --replace", "unknown option '--replace'"),
      ("register show --scope a", "unknown option '--scope'"),
      (
        "register update --auth-method tls_client_auth",
        "--auth-method tls_client_auth needs --client-certificate"
      ),
      ("account", "'account' needs a command"), ("account create a", "unexpected operand 'a'"),
      (
        "register --client-id a --client-key-file f --auth-method none",
        "--client-key-file is for --auth-method private_key_jwt only"
      ),
      (
        "register --client-id a --auth-method private_key_jwt",
        "--auth-method private_key_jwt needs --client-key-file with --client-id"
      ),
      (
        "register --client-certificate f --client-key-file k",
        "--client-certificate is for --auth-method tls_client_auth "
          + "and self_signed_tls_client_auth"
      ),
      (
        "register --auth-method tls_client_auth",
        "--auth-method tls_client_auth needs --client-certificate"
      ),
      (
        "register --client-id a --auth-method self_signed_tls_client_auth",
        "--auth-method self_signed_tls_client_auth needs --client-certificate or --identity"
      ),
      (
        "register --certificate-san dns",
        "--certificate-san is for --auth-method tls_client_auth only"
      ),
      (
        "register --auth-method self_signed_tls_client_auth --certificate-san dns",
        "--certificate-san is for --auth-method tls_client_auth only"
      ),
      (
        "register --auth-method client_assertion",
        "--auth-method client_assertion is for a client that exists"
      ),
      (
        "register --assertion-file f",
        "an assertion is for a client that exists; name it with --client-id"
      ),
      (
        "register --client-id a --auth-method client_assertion",
        "--auth-method client_assertion needs --client-id and one of --assertion-file, "
      ),
      (
        "register --client-id a --auth-method tls_client_auth --client-key-file k",
        "--client-key-file needs --client-certificate with --auth-method tls_client_auth"
      ),
      (
        "login password a --password-file - --password-file f",
        "option '--password-file' may be given only once"
      ),
      ("login password a --device", "unknown option '--device'"),
      ("login assertion --sub a --audience b", "unknown option '--audience'"),
      ("login exchange --token-file - --no-browser", "unknown option '--no-browser'"),
      ("fetch --haeder a:b /x", "unknown option '--haeder'"),
    ])
  func refused(line: String, message: String) throws {
    let error = try #require(usageError(line.split(separator: " ").map(String.init)))
    #expect(error.hasPrefix(message), "\(error)")
  }

  @Test(
    "are read as help, version or another program",
    arguments: [
      (["--help"], "help [] long"), (["-h"], "help [] short"), (["--version"], "version"),
      (["fetch", "-h"], "help [\"fetch\"] short"),
      (["pin", "add", "--nope", "--help"], "help [\"pin\", \"add\"] long"),
      (["-p", "a", "sandbox", "start", "--x"], "external sandbox"),
    ])
  func others(words: [String], outcome: String) {
    let text =
      switch commandTable.read(words).outcome {
      case .run(let invocation): "run \(invocation.path)"
      case .help(let path, let length): "help \(path) \(length)"
      case .version: "version"
      case .external(let external): "external \(external.name)"
      case .usage(let error): "usage \(error.message)"
      case .failed(let error): "failed \(error)"
      }
    #expect(text == outcome)
  }
}
