"""The mcp package as an agent and as a server, both unmodified, against a gateway.

Usage: mcp_agent.py PORT DOCUMENT [CLIENT SECRET ISSUER]
Reads the server's code of docs/start/mcp-server.md from standard input up to a line "#end", then the address with which the
browser comes back. DOCUMENT is the address of the agent's document, or empty for dynamic registration.
Prints the address of the request; then the answer of the tool as JSON.
With CLIENT it is a company's agent: it prints what an identity assertion must be for, and reads one in place of the address.
"""

import asyncio
import json
import sys
import threading
from urllib.parse import parse_qs, urlparse

import httpx2
import uvicorn
from mcp import Client
from mcp.client.auth import AuthorizationCodeResult, OAuthClientProvider
from mcp.client.auth.extensions.identity_assertion import IdentityAssertionOAuthProvider
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.auth import OAuthClientMetadata

port, document = int(sys.argv[1]), sys.argv[2] or None
code = "".join(iter(sys.stdin.readline, "#end\n"))
space = {}
exec(compile(code, "mcp-server.md", "exec"), space)
server = space["server"]


@server.tool()
def read(name: str) -> str:
    return f"contents of {name}"


app = server.streamable_http_app()
runner = uvicorn.Server(uvicorn.Config(app, host="127.0.0.1", port=port, log_level="error"))
threading.Thread(target=runner.run, daemon=True).start()


class Memory:
    tokens = client = None

    async def get_tokens(self):
        return self.tokens

    async def set_tokens(self, tokens):
        self.tokens = tokens

    async def get_client_info(self):
        return self.client

    async def set_client_info(self, client):
        self.client = client


async def show(address):
    print(address, flush=True)


async def answer():
    line = await asyncio.get_running_loop().run_in_executor(None, sys.stdin.readline)
    query = parse_qs(urlparse(line.strip()).query)
    return AuthorizationCodeResult(code=query["code"][0], state=query["state"][0], iss=query["iss"][0])


async def assertion(audience, resource):
    await show(json.dumps({"audience": audience, "resource": resource}))
    return (await asyncio.get_running_loop().run_in_executor(None, sys.stdin.readline)).strip()


async def main():
    while not runner.started:
        await asyncio.sleep(0.05)
    url = f"http://127.0.0.1:{port}/mcp"
    memory = Memory()
    metadata = OAuthClientMetadata(
        client_name="Test agent", redirect_uris=["http://localhost:53682/callback"],
        grant_types=["authorization_code", "refresh_token"], response_types=["code"])
    provider = OAuthClientProvider(url, metadata, memory, show, answer, client_metadata_url=document)
    if len(sys.argv) > 3:
        client, secret, issuer = sys.argv[3:]
        provider = IdentityAssertionOAuthProvider(
            url, memory, client, secret, issuer, assertion, scope="files:read", token_endpoint_auth_method="client_secret_basic")
    async with httpx2.AsyncClient(auth=provider, timeout=30) as http:
        async with Client(streamable_http_client(url, http_client=http)) as client:
            result = await client.call_tool("read", {"name": "a.txt"})
            text = result.content[0].text
    print(json.dumps({
        "text": text, "client": memory.client and memory.client.client_id, "scope": memory.tokens.scope,
        "refresh": memory.tokens.refresh_token is not None}), flush=True)


asyncio.run(main())
