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
    "are refused with a reason",
    arguments: [
      ("profile", "'profile' needs a command"),
      ("pin nope", "unknown command 'pin nope'"),
      ("config set a", "invalid KEY=VALUE 'a': expected KEY=VALUE"),
      ("config get a.b", "invalid KEY 'a.b': expected alias.NAME or defaults.COMMAND.OPTION"),
      ("profile set a", "invalid KEY=VALUE 'a': expected KEY=VALUE"),
      ("profile set =b", "invalid KEY=VALUE '=b': expected KEY=VALUE"),
      ("profile store", "'profile store' needs a command: show, move or key"),
      (
        "profile store move x",
        "invalid PLACE 'x': expected files, helper:NAME or etcd:https://HOST:PORT/PREFIX"
      ),
      ("pin export --sign k --format curl", "only the format json can be signed"),
      ("pin remove h x", "invalid PIN 'x': not a pin such as sha256/BASE64"),
      ("completion tcsh", "invalid SHELL 'tcsh': expected bash, zsh or fish"),
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
      (
        "register update --auth-method tls_client_auth",
        "--auth-method tls_client_auth needs --client-certificate"
      ),
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
