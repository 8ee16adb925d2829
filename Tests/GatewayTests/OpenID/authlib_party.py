"""A relying party with Authlib, as its documentation builds one. Reads answers of the browser from standard input.

Usage: authlib_party.py ISSUER ADDRESS CLIENT_ID SECRET REDIRECT_URI
ADDRESS is where the issuer listens in the test.
Prints the address of the request; then, for the address with which the browser came back, the claims as JSON.
"""

import json
import sys

import requests
from authlib.common.security import generate_token
from authlib.integrations.requests_client import OAuth2Session
from authlib.oidc.core import CodeIDToken
from joserfc import jwt
from joserfc.jwk import KeySet

issuer, address, client_id, secret, redirect_uri = sys.argv[1:6]
metadata = requests.get(address + "/.well-known/openid-configuration", timeout=10).json()
assert metadata["issuer"] == issuer, metadata["issuer"]
for name, value in metadata.items():
    if name != "issuer" and isinstance(value, str):
        metadata[name] = value.replace(issuer, address)

session = OAuth2Session(
    client_id, secret, redirect_uri=redirect_uri, scope="openid email offline_access", code_challenge_method="S256",
    token_endpoint=metadata["token_endpoint"])
verifier, nonce = generate_token(48), generate_token(20)
request, state = session.create_authorization_url(
    metadata["authorization_endpoint"], code_verifier=verifier, nonce=nonce)
print(request, flush=True)

answer = sys.stdin.readline().strip()
token = session.fetch_token(
    metadata["token_endpoint"], authorization_response=answer, state=state, code_verifier=verifier)
keys = KeySet.import_key_set(requests.get(metadata["jwks_uri"], timeout=10).json())
decoded = jwt.decode(token["id_token"], keys, algorithms=metadata["id_token_signing_alg_values_supported"])
claims = CodeIDToken(
    decoded.claims, decoded.header,
    {"iss": {"essential": True, "value": issuer}, "aud": {"essential": True, "value": client_id}},
    {"nonce": nonce, "client_id": client_id, "access_token": token["access_token"]})
claims.validate(leeway=60)
info = session.get(metadata["userinfo_endpoint"], timeout=10).json()
assert info["sub"] == claims["sub"], info
refreshed = session.refresh_token(metadata["token_endpoint"], refresh_token=token["refresh_token"])
revoked = session.revoke_token(metadata["revocation_endpoint"], token=refreshed["refresh_token"])
after = requests.get(
    metadata["userinfo_endpoint"], headers={"Authorization": "Bearer " + refreshed["access_token"]}, timeout=10)
print(json.dumps({
    "claims": dict(claims), "info": info, "refreshed": "access_token" in refreshed, "revoked": revoked.status_code,
    "after": after.status_code}), flush=True)
