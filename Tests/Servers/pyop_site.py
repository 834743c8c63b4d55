"""An OpenID provider on pyop: `pyop_site.py ORIGIN PORT CHAIN KEY`.

Its rules are pyop's, which has no pages of its own: everybody is alice.
"""

import json
import sys
from http import HTTPStatus

from Cryptodome.PublicKey import RSA
from jwkest.jwk import RSAKey
from pyop.authz_state import AuthorizationState
from pyop.exceptions import (InvalidAccessToken, InvalidAuthenticationRequest, InvalidClientAuthentication,
                             InvalidClientRegistrationRequest, OAuthError)
from pyop.provider import Provider
from pyop.subject_identifier import HashBasedSubjectIdentifierFactory
from pyop.userinfo import Userinfo
from wsgi_server import serve

ORIGIN, PORT, CHAIN, KEY = sys.argv[1:]

provider = Provider(
    RSAKey(key=RSA.generate(2048), alg="RS256", kid="1"),
    {"issuer": ORIGIN, "response_types_supported": ["code"], "subject_types_supported": ["public"],
     "token_endpoint_auth_methods_supported": ["client_secret_basic", "client_secret_post"],
     "scopes_supported": ["openid", "profile"],
     "grant_types_supported": ["authorization_code", "refresh_token"], "jwks_uri": f"{ORIGIN}/jwks"}
    | {f"{name}_endpoint": f"{ORIGIN}/{name}"
       for name in ("authorization", "token", "registration", "userinfo")},
    AuthorizationState(HashBasedSubjectIdentifierFactory("salt"), refresh_token_lifetime=3600), {},
    Userinfo({"alice": {"name": "Alice"}}))


def respond(path, query, body, fields):
    """A status, and what is sent with it: a document, or an address to go to."""
    match path:
        case "/.well-known/openid-configuration":
            return 200, provider.provider_configuration.to_dict()
        case "/jwks":
            return 200, provider.jwks
        case "/registration":
            return 201, provider.handle_client_registration_request(body, fields).to_dict()
        case "/authorization":
            request = provider.parse_authentication_request(query, fields)
            return 303, provider.authorize(request, "alice").request(request["redirect_uri"])
        case "/token":
            return 200, provider.handle_token_request(body, fields).to_dict()
        case "/userinfo":
            return 200, provider.handle_userinfo_request(body, fields).to_dict()
    return 404, {"error": "not_found"}


def application(environment, start):
    body = environment["wsgi.input"].read(int(environment.get("CONTENT_LENGTH") or 0)).decode()
    fields = {"Authorization": environment["HTTP_AUTHORIZATION"]} \
        if "HTTP_AUTHORIZATION" in environment else {}
    try:
        status, content = respond(environment["PATH_INFO"], environment["QUERY_STRING"], body, fields)
    except (InvalidClientAuthentication, InvalidAccessToken) as error:
        status, content = 401, {"error": "invalid_client", "error_description": str(error)}
    except (OAuthError, InvalidAuthenticationRequest, InvalidClientRegistrationRequest) as error:
        status = 400
        content = {"error": getattr(error, "oauth_error", "invalid_request"), "error_description": str(error)}
    line = f"{status} {HTTPStatus(status).phrase}"
    if status == 303:
        start(line, [("Location", content)])
        return []
    start(line, [("Content-Type", "application/json")])
    return [json.dumps(content).encode()]


if __name__ == "__main__":
    serve(application, PORT, CHAIN, KEY)
