import HTTP
import JSON
import POSIX
import Primitives
import SDKCore

/// The script and the configuration by which docker finds the helper.
struct DockerInstallation {
  private let context: Context
  /// `credHelpers` names the helper without `docker-credential-`.
  private let name: String
  private let script: String
  private let directory: String
  private let configuration: String
  private let registries: [String]

  init(_ arguments: CredentialDocker.Arguments, _ context: Context) throws {
    self.context = context
    let session = try context.session()
    let profile = session.profile.name
    var words = ["credential", "docker"] + arguments.selection.words
    if arguments.username != CredentialDocker.Arguments().username {
      words += ["--username", arguments.username]
    }
    let command = try HelperCommandLine(words, of: profile, in: context)
    name = "sdkctl-\(profile)"
    let store = command.store.map { "export SDKCTL_HOME=\(ShellWord.quoted($0))\n" } ?? ""
    let line = command.words.map { ShellWord.quoted($0) }.joined(separator: " ")
    script = "#!/bin/sh\n\(store)exec \(line) \"$@\"\n"
    registries = session.profile.credentialOrigins.compactMap { (try? HTTPURL($0))?.authority }
    let home = context.environment.home ?? ""
    directory = arguments.directory ?? home + "/.local/bin"
    let settings = context.environment["DOCKER_CONFIG"].flatMap { $0.isEmpty ? nil : $0 }
    configuration = (settings ?? home + "/.docker") + "/config.json"
    guard !registries.isEmpty else {
      throw Failure(
        .configuration, "invalid_configuration",
        "could not configure docker: '\(profile)' allows its credentials at no server",
        hints: ["sdkctl -p \(profile) profile set allowedHosts=HOST"])
    }
  }

  func run(writes: Bool) async throws {
    let path = "\(directory)/docker-credential-\(name)"
    guard writes else {
      context.note("the script \(path), with mode 0755:")
      context.write(document: script)
      context.note("in \(configuration):")
      context.output.write(JSON.object(["credHelpers": .object(helpers([:]))]).serialized(.pretty))
      context.output.write("\n")
      return
    }
    do throws(SystemError) {
      try Directory.create(directory, mode: 0o755)
      try AtomicFile.write(Array(script.utf8), to: path, mode: 0o755)
      try write(try document())
    } catch {
      throw Failure(.failure, "local_data", "could not write the configuration: \(error)")
    }
    context.note("wrote \(path) and \(configuration)")
    if Spawn.find("docker-credential-\(name)", in: context.environment) == nil {
      context.warn("\(directory) is not in PATH: docker does not find the helper")
    }
  }

  private func helpers(_ present: JSONObject) -> JSONObject {
    present.merging(
      JSONObject(registries.map { ($0, JSON.string(name)) }), uniquingKeysWith: { $1 })
  }

  /// Docker's configuration as it is; an empty object without one.
  private func document() throws(SystemError) -> JSONObject {
    guard FileStatus.exists(configuration) else { return [:] }
    let bytes = try FileReader.read(configuration, limit: 1 << 20)
    guard let document = try? JSON(parsing: bytes), let members = document.object else {
      throw SystemError("read", path: configuration, code: 0, message: "it is not a JSON object")
    }
    return members
  }

  private func write(_ members: JSONObject) throws(SystemError) {
    var members = members
    members["credHelpers"] = .object(helpers(members["credHelpers"]?.object ?? [:]))
    try Directory.create(Directory.parent(of: configuration), mode: 0o700)
    // The user's file: it may be a link into a directory that is kept in git.
    try AtomicFile.write(
      Array((JSON.object(members).serialized(.pretty) + "\n").utf8), to: configuration,
      .named(newMode: 0o600))
  }
}
