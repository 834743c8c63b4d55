"""An authorization server on the MCP SDK: `mcp_server.py ORIGIN PORT CHAIN KEY`.

Its endpoints are the SDK's. What it stores is in memory, and everybody is alice.
"""

import secrets
import sys
import time

import uvicorn
from mcp.server.auth import provider as sdk
from mcp.server.auth.routes import create_auth_routes
from mcp.server.auth.settings import ClientRegistrationOptions, RevocationOptions
from mcp.shared.auth import OAuthToken
from pydantic import AnyHttpUrl
from starlette.applications import Starlette
from starlette.responses import JSONResponse
from starlette.routing import Route

SCOPES = ["notes", "profile"]


class Provider(sdk.OAuthAuthorizationServerProvider):
    def __init__(self):
        self.clients, self.codes, self.access, self.refresh = {}, {}, {}, {}

    async def get_client(self, client_id):
        return self.clients.get(client_id)

    async def register_client(self, client):
        self.clients[client.client_id] = client

    async def authorize(self, client, asked):
        code = secrets.token_urlsafe(32)
        self.codes[code] = sdk.AuthorizationCode(
            code=code, scopes=asked.scopes or [], expires_at=time.time() + 60,
            client_id=client.client_id, code_challenge=asked.code_challenge,
            redirect_uri=asked.redirect_uri,
            redirect_uri_provided_explicitly=asked.redirect_uri_provided_explicitly)
        return sdk.construct_redirect_uri(str(asked.redirect_uri), code=code, state=asked.state)

    async def load_authorization_code(self, client, code):
        return self.codes.get(code)

    async def exchange_authorization_code(self, client, code):
        del self.codes[code.code]
        return self.issue(client, code.scopes)

    async def load_refresh_token(self, client, token):
        return self.refresh.get(token)

    async def exchange_refresh_token(self, client, token, scopes):
        del self.refresh[token.token]
        return self.issue(client, scopes)

    async def load_access_token(self, token):
        return self.access.get(token)

    async def revoke_token(self, token):
        for tokens in (self.access, self.refresh):
            for text in [text for text, one in tokens.items() if one.client_id == token.client_id]:
                del tokens[text]

    def issue(self, client, scopes):
        access, refresh = secrets.token_urlsafe(32), secrets.token_urlsafe(32)
        self.access[access] = sdk.AccessToken(
            token=access, client_id=client.client_id, scopes=scopes, subject="alice")
        self.refresh[refresh] = sdk.RefreshToken(
            token=refresh, client_id=client.client_id, scopes=scopes)
        return OAuthToken(access_token=access, refresh_token=refresh, expires_in=3600,
                          scope=" ".join(scopes))


def main():
    origin, port, chain, key = sys.argv[1:]
    provider = Provider()

    async def introspect(request):
        token = provider.access.get(request.query_params["token"])
        return JSONResponse({"active": token is not None} | ({"sub": "alice"} if token else {}))

    routes = create_auth_routes(
        provider, AnyHttpUrl(origin), revocation_options=RevocationOptions(enabled=True),
        client_registration_options=ClientRegistrationOptions(
            enabled=True, valid_scopes=SCOPES, default_scopes=SCOPES))
    uvicorn.run(Starlette(routes=[*routes, Route("/tests/token", introspect)]), host="127.0.0.1",
                port=int(port), ssl_certfile=chain, ssl_keyfile=key)


if __name__ == "__main__":
    main()
