"""What strict servers refuse, so that a wrong client is not right here."""

import base64
import secrets
import time
import unittest

from browser import HTTP
from client import Client, Key, b64url, basic
from program import shared

REDIRECT = "https://app.test/cb"
EXCHANGE = "urn:ietf:params:oauth:grant-type:token-exchange"
ACCESS_TOKEN = "urn:ietf:params:oauth:token-type:access_token"
METADATA = {
    "redirect_uris": [REDIRECT], "token_endpoint_auth_method": "client_secret_post",
    "grant_types": ["authorization_code", "password", "refresh_token"]}
PRIVATE_KEY = {
    "kty": "EC", "crv": "P-256", "x": "f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU",
    "y": "x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0", "d": "AA"}
TLS_CLIENT = {"token_endpoint_auth_method": "tls_client_auth", "tls_client_auth_san_dns": "a"}


def changed(members, changes):
    """The members with others in place of theirs; None leaves one out."""
    return {name: value for name, value in {**members, **changes}.items() if value is not None}


class RefusalCase(unittest.TestCase):
    def setUp(self):
        self.http = HTTP(shared())
        self.client = self.registered()

    def registered(self, **metadata):
        return Client(shared(), **{**METADATA, **metadata})

    def form(self, target, form, client=None, **more):
        client = client or self.client
        own = {"client_id": client.id, "client_secret": client.secret}
        return self.http.post(target, form=changed(own, form), **more)

    def login(self, client=None, fields=None, **changes):
        """Asks for a token with alice's password."""
        login = {
            "grant_type": "password", "username": "alice", "password": "wonderland",
            "scope": "read"}
        return self.form("/token", login | changes, client, fields=fields)

    def nonce(self, key):
        proof = key.proof("POST", shared().issuer + "/token")
        return self.login(fields={"DPoP": proof}).field("DPoP-Nonce")

    def proof(self, key, typ="dpop+jwt", **changes):
        """The field of a proof for the token endpoint."""
        payload = {
            "htm": "POST", "htu": shared().issuer + "/token", "iat": int(time.time()),
            "nonce": self.nonce(key), "jti": secrets.token_hex(8)}
        head = {"typ": typ, "alg": "ES256", "jwk": key.jwk}
        return {"DPoP": key.sign(head, changed(payload, changes))}

    def refuses(self, answer, error, what=None):
        self.assertEqual(answer.json.get("error"), error, what)


class TokenRequests(RefusalCase):
    def test_a_wrong_client_grant_or_scope(self):
        self.assertEqual(self.login().status, 200)
        for changes, error in (
            ({"client_id": None}, "invalid_client"), ({"client_id": "other"}, "invalid_client"),
            ({"client_secret": None}, "invalid_client"),
            ({"client_secret": "x"}, "invalid_client"),
            ({"client_assertion": "x"}, "invalid_request"),
            ({"client_assertion": "x", "client_secret": None}, "invalid_client"),
            ({"grant_type": None}, "invalid_request"),
            ({"grant_type": "x"}, "unsupported_grant_type"),
            ({"grant_type": "client_credentials"}, "unauthorized_client"),
            ({"grant_type": "authorization_code"}, "invalid_request"),
            ({"grant_type": "authorization_code", "code": "x"}, "invalid_grant"),
            ({"grant_type": "refresh_token", "refresh_token": "x"}, "invalid_grant"),
            ({"username": None}, "invalid_request"), ({"scope": "admin"}, "invalid_scope"),
        ):
            self.refuses(self.login(**changes), error, changes)
        self.refuses(self.form("/device_authorization", {"scope": "read"}), "unauthorized_client")
        reader = self.registered(scope="read")
        self.refuses(self.login(reader, scope="write"), "invalid_scope")
        token = self.login().json["refresh_token"]
        foreign = self.login(reader, grant_type="refresh_token", refresh_token=token)
        self.refuses(foreign, "invalid_grant")

    def test_a_client_that_authenticates_in_two_ways_or_in_none(self):
        both = self.login(fields={"Authorization": basic(self.client.id, self.client.secret)})
        self.refuses(both, "invalid_request")
        client = self.registered(token_endpoint_auth_method="client_secret_basic")
        own = basic(client.id, client.secret)
        bare = base64.b64encode(client.id.encode()).decode()
        for credential, changes, error in (
            (own, {}, None), (own, {"client_id": "other"}, "invalid_client"),
            (own, {"client_assertion": "x"}, "invalid_request"),
            ("Basic !", {}, "invalid_client"), (f"Basic {bare}", {}, "invalid_client"),
        ):
            answer = self.login(
                client, {"Authorization": credential}, client_secret=None, **changes)
            self.refuses(answer, error, (credential, changes))

    def test_a_form_that_is_none_or_too_large_or_has_a_field_twice(self):
        form = "application/x-www-form-urlencoded"
        for kind, body, status in (
            ("application/json", "{}", 400), (form, "scope=a&scope=b", 400),
            (form, "a" * ((64 << 10) + 1), 413),
        ):
            answer = self.http.post("/token", body=body, fields={"Content-Type": kind})
            self.assertEqual((answer.status, answer.json["error"]), (status, "invalid_request"))

    def test_what_is_no_access_token_of_this_client_for_an_exchange(self):
        self.client = self.registered(grant_types=["password", EXCHANGE])
        form = {
            "grant_type": EXCHANGE, "subject_token": self.login().json["access_token"],
            "scope": "read", "subject_token_type": ACCESS_TOKEN}
        self.assertEqual(self.form("/token", form).status, 200)
        bound = self.login(fields=self.proof(Key())).json["access_token"]
        for changes, error in (
            ({"subject_token": None}, "invalid_request"),
            ({"subject_token": "x"}, "invalid_request"),
            ({"subject_token_type": None}, "invalid_request"),
            ({"subject_token_type": "x"}, "invalid_request"),
            ({"requested_token_type": "x"}, "invalid_request"),
            ({"actor_token": "x"}, "invalid_request"), ({"scope": "write"}, "invalid_scope"),
            ({"subject_token": bound}, "invalid_dpop_proof"),
        ):
            self.refuses(self.form("/token", form | changes), error, changes)


class Proofs(RefusalCase):
    def test_a_proof_that_is_not_for_this_request(self):
        client, key, now = self.registered(dpop_bound_access_tokens=True), Key(), int(time.time())
        for changes, error in (
            ({"typ": "JWT"}, "invalid_dpop_proof"), ({"htm": "GET"}, "invalid_dpop_proof"),
            ({"htu": shared().issuer + "/par"}, "invalid_dpop_proof"),
            ({"htu": shared().issuer.replace("https", "http") + "/token"}, "invalid_dpop_proof"),
            ({"htu": None}, "invalid_dpop_proof"), ({"iat": now - 310}, "invalid_dpop_proof"),
            ({"iat": now + 600}, "invalid_dpop_proof"), ({"iat": -2**63}, "invalid_dpop_proof"),
            ({"jti": None}, "invalid_dpop_proof"),
            ({"jti": "a" * 257}, "invalid_dpop_proof"), ({"nonce": None}, "use_dpop_nonce"),
            ({"nonce": "x"}, "use_dpop_nonce"),
        ):
            self.refuses(self.login(client, self.proof(key, **changes)), error, changes)
        self.refuses(self.login(client), "invalid_dpop_proof")
        proof = self.proof(key)
        self.assertEqual(self.login(client, proof).json["token_type"], "DPoP")
        self.refuses(self.login(client, proof), "invalid_dpop_proof")
        signed = self.proof(key)["DPoP"].rpartition(".")[0]
        mixed = signed + "." + proof["DPoP"].rpartition(".")[2]
        self.refuses(self.login(client, {"DPoP": mixed}), "invalid_dpop_proof")
        signed, _, text = self.proof(key)["DPoP"].rpartition(".")
        signature = base64.urlsafe_b64decode(text + "==")
        longer = f"{signed}.{b64url(signature[:32] + b'x' + signature[32:])}"
        self.refuses(self.login(client, {"DPoP": longer}), "invalid_dpop_proof")
        self.refuses(self.login(client, self.proof(key) | {"dpop": "x"}), "invalid_dpop_proof")

    def test_a_refresh_token_that_is_bound_to_another_key(self):
        client, own = self.registered(token_endpoint_auth_method="none"), Key()
        refresh = self.login(client, self.proof(own)).json["refresh_token"]
        for key, scope, error in (
            (Key(), None, "invalid_dpop_proof"), (own, "write", "invalid_scope"),
            (own, None, None),
        ):
            answer = self.form("/token", {
                "grant_type": "refresh_token", "refresh_token": refresh, "scope": scope,
            }, client, fields=self.proof(key))
            self.refuses(answer, error, scope)
        # The secret of a client binds its refresh tokens, and no key does (RFC 9449 section 5).
        refresh = self.login(fields=self.proof(own)).json["refresh_token"]
        form = {"grant_type": "refresh_token", "refresh_token": refresh, "scope": "read"}
        self.refuses(self.form("/token", form, fields=self.proof(Key())), None)

    def test_a_bound_token_by_another_scheme(self):
        token = self.login().json["access_token"]
        bound = self.login(fields=self.proof(Key())).json["access_token"]
        for value in (f"Bearer {bound}", f"DPoP {token}", f"DPoP {bound}", f"Basic {token}"):
            for path in ("/resources/devices", "/userinfo"):
                answer = self.http.get(path, fields={"Authorization": value})
                self.assertEqual(answer.status, 401, (path, value.split()[0]))


class AuthorizationRequests(RefusalCase):
    REQUEST = {
        "response_type": "code", "redirect_uri": REDIRECT, "scope": "read",
        "code_challenge": "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM",
        "code_challenge_method": "S256"}

    def test_one_without_pkce_or_with_what_the_client_did_not_register(self):
        self.assertEqual(self.form("/par", self.REQUEST).status, 201)
        for changes, error in (
            ({"redirect_uri": "https://app.test/x"}, "invalid_request"),
            ({"response_type": None}, "invalid_request"),
            ({"response_mode": "fragment"}, "invalid_request"),
            ({"code_challenge": "a"}, "invalid_request"),
            ({"code_challenge_method": None}, "invalid_request"),
            ({"request_uri": "x"}, "invalid_request"), ({"prompt": "x"}, "invalid_request"),
            ({"max_age": "-1"}, "invalid_request"), ({"id_token_hint": "x"}, "invalid_request"),
        ):
            self.refuses(self.form("/par", self.REQUEST | changes), error, changes)
        codeless = self.registered(grant_types=["password"])
        self.refuses(self.form("/par", self.REQUEST, codeless), "unauthorized_client")
        proof = self.proof(Key(), htu=shared().issuer + "/par")
        bound = self.form("/par", self.REQUEST | {"dpop_jkt": "x"}, fields=proof)
        self.refuses(bound, "invalid_dpop_proof")


class ClientMetadata(RefusalCase):
    def test_metadata_that_is_not_supported(self):
        for changes, error in (
            ({"token_endpoint_auth_method": "x"}, None), ({"grant_types": ["x"]}, None),
            ({"grant_types": "password"}, None), ({"response_types": ["token"]}, None),
            *(({"redirect_uris": addresses}, "invalid_redirect_uri") for addresses in (
                None, ["http://app.test/"], ["javascript:x"], ["https://app.test/#here"])),
            ({"redirect_uris": "https://app.test/"}, None),
            ({"redirect_uris": [REDIRECT] * 51}, None),
            ({"post_logout_redirect_uris": ["http://app.test/"]}, "invalid_redirect_uri"),
            ({"scope": "read admin"}, None), ({"jwks_uri": "https://app.test/keys"}, None),
            ({"jwks": {"keys": []}}, None), ({"jwks": {"keys": [PRIVATE_KEY]}}, None),
            ({"token_endpoint_auth_method": "private_key_jwt"}, None),
            ({"token_endpoint_auth_method": "tls_client_auth"}, None),
            ({"token_endpoint_auth_method": "self_signed_tls_client_auth"}, None),
            (TLS_CLIENT | {"tls_client_auth_subject_dn": "CN=a"}, None),
            (TLS_CLIENT | {"tls_client_auth_san_dns": 1}, None),
            ({"tls_client_certificate_bound_access_tokens": "yes"}, None),
            ({"id_token_signed_response_alg": "none"}, None), ({"access_token_format": "x"}, None),
            ({"access_token_lifetime": 0}, None), ({"access_token_lifetime": 86_401}, None),
            ({"software_statement": "x"}, "invalid_software_statement"),
        ):
            answer = self.http.post("/register", document=changed(METADATA, changes))
            self.refuses(answer, error or "invalid_client_metadata", changes)
