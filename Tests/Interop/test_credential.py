"""Credential helpers, run by the programs that they are for: git, kubectl, docker's client, aws, botocore."""

import json
import os
import shlex
import shutil
import subprocess
import tempfile
from pathlib import Path
from urllib.parse import parse_qs

from Servers.authority import run
from Servers.case import Case
from Servers.cluster import Cluster
from Servers.git_server import GitServer
from Servers.http_server import Handler, HTTPServer


class HelperCase(Case):
    """A logged-in profile, and a way to run another program in its environment."""

    def setUp(self):
        super().setUp()
        self.add_session()
        self.environment = self.home.environment | {
            "GIT_TERMINAL_PROMPT": "0", "GIT_CONFIG_NOSYSTEM": "1",
            "GIT_AUTHOR_NAME": "a", "GIT_AUTHOR_EMAIL": "a@x", "GIT_COMMITTER_NAME": "a",
            "GIT_COMMITTER_EMAIL": "a@x", "SSL_CERT_FILE": str(self.stand.ca_file)}

    def allow(self, url: str):
        self.ok("profile", "set", "allowedHosts=" + url.removeprefix("https://"))

    def program(self, *words, code=0, **environment) -> subprocess.CompletedProcess:
        done = subprocess.run([str(word) for word in words], env=self.environment | environment,
                              cwd=self.home.directory, stdin=subprocess.DEVNULL,
                              capture_output=True, text=True, timeout=60)
        if code is not None:
            self.assertEqual(done.returncode, code, done)
        return done

    def token(self) -> str:
        return self.ok("token").text.strip()


class GitTests(HelperCase):
    def setUp(self):
        super().setUp()
        directory = Path(tempfile.mkdtemp(prefix="sdkctl-git."))
        os.chmod(directory, 0o755)
        self.addCleanup(shutil.rmtree, directory, ignore_errors=True)
        self.server = GitServer(directory / "git", self.stand.authority,
                                self.stand.provider.introspect).start()
        self.addCleanup(self.server.stop)
        self.url = self.server.add("project")
        self.allow(self.server.url)
        self.program("sh", "-c", self.ok("credential", "git", "install").text)
        self.program("git", "config", "--global", "http.sslCAInfo", self.stand.ca_file)

    def commit(self, name: str):
        tree = self.home.directory / "tree"
        if not tree.exists():
            self.program("git", "clone", "-q", self.url, tree)
        (tree / name).write_text(name)
        self.program("git", "-C", tree, "add", name)
        self.program("git", "-C", tree, "commit", "-qm", name)
        return self.program("git", "-C", tree, "push", "-q", "origin", "HEAD:main", code=None)

    def test_git_clones_and_pushes_with_the_token(self):
        self.assertEqual(self.commit("one").returncode, 0)
        self.assertEqual(set(self.server.credentials()), {("oauth2", self.token())})
        copy = self.home.directory / "copy"
        self.program("git", "clone", "-q", self.url, copy)
        self.assertEqual((copy / "one").read_text(), "one")

    def test_an_expired_token_is_refreshed_before_git_gets_it(self):
        self.commit("one")
        old = self.token()
        self.home.expire()
        self.assertEqual(self.commit("two").returncode, 0)
        self.assertNotEqual(self.token(), old)
        self.assertIn(("oauth2", self.token()), self.server.credentials())

    def test_a_token_that_the_server_refuses_is_replaced_at_the_next_try(self):
        self.commit("one")
        old = self.token()
        self.server.check.introspect = lambda token: {"active": token != old}
        self.assertNotEqual(self.commit("two").returncode, 0)
        self.assertEqual(self.commit("three").returncode, 0)
        self.assertNotEqual(self.token(), old)

    def test_another_host_gets_no_token(self):
        self.ok("profile", "unset", "allowedHosts")
        self.program("git", "ls-remote", self.url, code=128)
        self.assertEqual(self.server.credentials(), [])

    def test_without_a_login_git_fails_at_once_and_asks_nobody(self):
        self.ok("logout", "--local")
        done = self.program("git", "ls-remote", self.url, code=128)
        self.assertIn("nobody is logged in", done.stderr)
        self.assertIn("sdkctl -p test login", done.stderr)


class KubectlCase(HelperCase):
    """A cluster, and a kubeconfig for it."""

    kubectl = os.environ.get("KUBECTL", "kubectl")

    def setUp(self):
        super().setUp()
        self.cluster = self.new_cluster().start()
        self.addCleanup(self.cluster.stop)
        self.allow(self.cluster.url)
        tools = self.home.directory / "tools"
        tools.mkdir()
        (tools / "kubectl").symlink_to(shutil.which(self.kubectl))
        self.environment["PATH"] = f"{tools}:{self.environment['PATH']}"
        self.environment["KUBECONFIG"] = str(self.home.directory / "kubeconfig")
        self.configure()

    def new_cluster(self) -> Cluster:
        return Cluster(self.stand.authority, self.active)

    def active(self, token):
        return token and self.stand.provider.introspect(token).get("active")

    def configure(self, *options):
        """Makes a kubeconfig of what `install` prints: Debian's kubectl 1.20 crashes in `config`."""
        self.home.environment |= {name: self.environment[name] for name in ("PATH", "KUBECONFIG")}
        words = shlex.split(self.ok("credential", "kubectl", "install", *options).text)
        self.assertEqual(words[:4], ["kubectl", "config", "set-credentials", "sdkctl-test"])
        values = lambda name: [word.removeprefix(f"--exec-{name}=") for word in words
                               if word.startswith(f"--exec-{name}=")]
        self.write({
            "apiVersion": values("api-version")[0], "command": values("command")[0],
            "args": values("arg"), "provideClusterInfo": False,
            "env": [dict(zip(("name", "value"), pair.split("=", 1))) for pair in values("env")],
        })

    def write(self, command):
        """Writes a kubeconfig with that command, which gives the credentials."""
        self.command = command
        Path(self.environment["KUBECONFIG"]).write_text(json.dumps({
            "apiVersion": "v1", "kind": "Config", "current-context": "c",
            "clusters": [{"name": "c", "cluster": {
                "server": self.cluster.url, "certificate-authority": str(self.stand.ca_file)}}],
            "users": [{"name": "sdkctl-test", "user": {"exec": command}}],
            "contexts": [{"name": "c", "context": {"cluster": "c", "user": "sdkctl-test"}}],
        }))

    def get(self, **keywords):
        return self.program("kubectl", "get", "--raw", "/version", **keywords)


class KubectlTests(KubectlCase):
    def test_install_prints_a_command_that_configures_kubectl(self):
        path = Path(self.environment["KUBECONFIG"])
        path.unlink()
        probe = subprocess.run(
            ["kubectl", "config", "set-credentials", "probe", "--exec-command=x"],
            env=os.environ | self.environment | {"KUBECONFIG": str(path) + ".probe"},
            capture_output=True)
        if b"panic" in probe.stderr:
            self.skipTest("this kubectl crashes in `kubectl config set-credentials`")
        self.program("sh", "-c", self.ok("credential", "kubectl", "install").text)
        text = path.read_text()
        self.assertIn("name: sdkctl-test", text)
        for word in self.command["args"]:
            self.assertIn(f"- {word}", text)

    def test_kubectl_sends_the_token(self):
        self.assertIn("v1.0.0", self.get().stdout)
        # Some versions of kubectl ask first without a token.
        self.assertEqual(set(self.cluster.seen) - {""}, {"Bearer " + self.token()})

    def test_an_expired_token_is_refreshed(self):
        old = self.token()
        self.home.expire()
        self.get()
        self.assertNotIn("Bearer " + old, self.cluster.seen)

    def test_the_id_token_is_sent_if_the_cluster_wants_that(self):
        self.configure("--id-token")
        self.get(code=None)
        token = self.ok("token", "--id-token").text.strip()
        self.assertIn("Bearer " + token, self.cluster.seen)

    def test_a_cluster_that_the_profile_does_not_allow_gets_no_token(self):
        self.write(self.command | {"provideClusterInfo": True})
        self.get()
        self.cluster.seen.clear()
        self.ok("profile", "unset", "allowedHosts")
        done = self.get(code=1)
        self.assertIn("does not allow its credentials at localhost", done.stderr)
        self.assertEqual(self.cluster.seen, [])

    def test_without_a_login_kubectl_shows_the_hint(self):
        self.ok("logout", "--local")
        self.assertIn("sdkctl -p test login", self.get(code=1).stderr)


class KubectlCertificateTests(KubectlCase):
    """A cluster that lets nobody connect without a client certificate."""

    def new_cluster(self) -> Cluster:
        self.key, self.certificate = (self.home.directory / f"carol.{end}" for end in ("key", "crt"))
        run("openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256",
            "-nodes", "-keyout", self.key, "-out", self.certificate, "-subj", "/CN=carol",
            "-days", "3", "-addext", "extendedKeyUsage=clientAuth")
        self.tokenless = False
        return Cluster(self.stand.authority,
                       lambda token: self.tokenless or self.active(token), self.certificate)

    def test_kubectl_shows_the_certificate_with_the_token_and_without(self):
        self.ok("identity", "import", self.certificate, "--key-file", self.key, "--name", "carol")
        self.configure("--identity", "carol")
        self.assertIn("v1.0.0", self.get().stdout)
        self.assertEqual(set(self.cluster.subjects), {"carol"})
        self.assertIn("Bearer " + self.token(), self.cluster.seen)
        # A cluster that knows its users by their certificates needs no login.
        self.ok("logout", "--local")
        self.cluster.seen.clear()
        self.tokenless = True
        self.configure("--identity", "carol", "--no-token")
        self.assertIn("v1.0.0", self.get().stdout)
        self.assertEqual(set(self.cluster.seen), {""})
        self.ok("identity", "remove", "carol", "--yes")
        self.assertIn("could not find the identity 'carol'", self.get(code=1).stderr)


class DockerTests(HelperCase):
    CLIENT = """
import dockerpycreds, json, sys
store = dockerpycreds.Store("sdkctl-test")
try:
    print(json.dumps(store.get(sys.argv[1])))
    store.erase(sys.argv[1])
except dockerpycreds.CredentialsNotFound:
    print("not found")
except dockerpycreds.StoreError as error:
    print(error)
"""

    def setUp(self):
        super().setUp()
        self.allow("https://registry.test:5000")
        bin = self.home.directory / "bin"
        self.environment["PATH"] = f"{bin}:{self.environment['PATH']}"
        bin.mkdir(exist_ok=True)
        script, configuration = self.ok("credential", "docker", "install").text.split("{\n", 1)
        helper = bin / "docker-credential-sdkctl-test"
        helper.write_text(script)
        helper.chmod(0o755)
        self.helpers = json.loads("{\n" + configuration)["credHelpers"]

    def client(self, registry: str) -> str:
        return self.program("/usr/bin/python3", "-c", self.CLIENT, registry).stdout.strip()

    def test_dockers_client_gets_the_token(self):
        credential, erased = self.client("https://registry.test:5000").splitlines()
        self.assertEqual(json.loads(credential), {
            "ServerURL": "https://registry.test:5000", "Username": "oauth2",
            "Secret": self.token()})
        self.assertIn("sdkctl logout", erased)
        self.assertEqual(self.helpers["registry.test:5000"], "sdkctl-test")

    def test_another_registry_is_not_found(self):
        self.assertEqual(self.client("https://index.docker.io/v1/"), "not found")

    def test_without_a_login_the_error_says_so(self):
        self.ok("logout", "--local")
        self.assertIn("sdkctl -p test login", self.client("https://registry.test:5000"))


class AWSTests(HelperCase):
    CLIENT = """
import botocore.session
credentials = botocore.session.Session(profile="sdkctl-test").get_credentials()
frozen = credentials.get_frozen_credentials()
print(frozen.access_key, frozen.secret_key, frozen.token)
"""

    def setUp(self):
        super().setUp()
        self.service = SecurityTokenService(self.stand.authority).start()
        self.addCleanup(self.service.stop)
        self.allow(self.service.url)
        line = self.ok("credential", "aws", "install", "--role-arn", "arn:aws:iam::1:role/r",
                       "--id-token", "--sts-url", self.service.url).text
        tools = self.home.directory / "bin"
        tools.mkdir()
        (tools / "aws").symlink_to("/usr/bin/aws")
        self.environment["PATH"] = f"{tools}:{self.environment['PATH']}"
        self.program("sh", "-c", line)

    def test_the_aws_command_signs_requests_with_the_credentials(self):
        done = self.program(
            "aws", "--profile", "sdkctl-test", "--region", "eu-central-1", "--no-cli-pager",
            "--output", "json", "sts", "get-caller-identity", "--endpoint-url", self.service.url,
            AWS_CA_BUNDLE=str(self.stand.ca_file))
        self.assertEqual(json.loads(done.stdout)["Arn"], "arn:aws:sts::1:assumed-role/r/alice")
        self.assertEqual([form["Action"] for form in self.service.requests],
                         [["AssumeRoleWithWebIdentity"], ["GetCallerIdentity"]])
        signature, session = self.service.signatures[-1]
        self.assertIn("Credential=ASIATEST/", signature)
        self.assertEqual(session, "session")

    def test_without_a_login_the_aws_command_shows_the_hint(self):
        self.ok("logout", "--local")
        done = self.program(
            "aws", "--profile", "sdkctl-test", "--region", "eu-central-1", "sts",
            "get-caller-identity", "--endpoint-url", self.service.url, code=None,
            AWS_CA_BUNDLE=str(self.stand.ca_file))
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("sdkctl -p test login", done.stderr)
        self.assertEqual(self.service.requests, [])

    def test_botocore_gets_credentials_for_the_id_token_once(self):
        for _ in range(2):
            done = self.program("/usr/bin/python3", "-c", self.CLIENT)
            self.assertEqual(done.stdout.split(), ["ASIATEST", "secret/+=", "session"])
        self.assertEqual(len(self.service.requests), 1)
        form = self.service.requests[0]
        self.assertEqual(form["Action"], ["AssumeRoleWithWebIdentity"])
        self.assertEqual(form["WebIdentityToken"], [self.ok("token", "--id-token").text.strip()])
        self.assertEqual(self.home.unsafe_modes(), [])


class SecurityTokenService(HTTPServer):
    """Answers AssumeRoleWithWebIdentity and GetCallerIdentity as the AWS documentation has it."""

    def __init__(self, authority):
        super().__init__(_SecurityTokenHandler, authority.files("good"))
        self.requests = []
        #: The fields Authorization and X-Amz-Security-Token of each request.
        self.signatures = []


class _SecurityTokenHandler(Handler):
    def do_POST(self):
        form = parse_qs(self.body().decode())
        self.server.requests.append(form)
        self.server.signatures.append(
            (self.headers["Authorization"], self.headers["X-Amz-Security-Token"]))
        if form["Action"] == ["GetCallerIdentity"]:
            return self.respond(200, media_type="text/xml", body=b"""<GetCallerIdentityResponse
                xmlns="https://sts.amazonaws.com/doc/2011-06-15/"><GetCallerIdentityResult>
              <Arn>arn:aws:sts::1:assumed-role/r/alice</Arn><UserId>A:alice</UserId>
              <Account>1</Account></GetCallerIdentityResult></GetCallerIdentityResponse>""")
        self.respond(200, media_type="text/xml", body=b"""<AssumeRoleWithWebIdentityResponse
            xmlns="https://sts.amazonaws.com/doc/2011-06-15/"><AssumeRoleWithWebIdentityResult>
          <SubjectFromWebIdentityToken>alice</SubjectFromWebIdentityToken>
          <Credentials><SessionToken>session</SessionToken>
            <SecretAccessKey>secret/+=</SecretAccessKey>
            <Expiration>2099-10-24T23:00:23Z</Expiration><AccessKeyId>ASIATEST</AccessKeyId>
          </Credentials></AssumeRoleWithWebIdentityResult></AssumeRoleWithWebIdentityResponse>""")
