"""A relying party with idpyoidc, as its documentation builds one.

Usage: idpyoidc_party.py ISSUER CLIENT_ID SECRET REDIRECT_URI POST_LOGOUT_URI
Twice it prints the address of a request, and reads the address with which the browser came back. It gives the library
the first answer with another issuer, and then with another state; the second one as it is.
Then it prints what the library verified, as JSON, and the address of the sign-out.
"""

import json
import sys
from urllib.parse import parse_qsl, urlsplit

from idpyoidc.client.defaults import DEFAULT_CLIENT_CONFIGS, DEFAULT_KEY_DEFS, DEFAULT_OIDC_SERVICES
from idpyoidc.client.rp_handler import RPHandler

issuer, client_id, secret, redirect_uri, post_logout_uri = sys.argv[1:6]
services = DEFAULT_OIDC_SERVICES | {"end_session": {"class": "idpyoidc.client.oidc.end_session.EndSession"}}
handler = RPHandler(
    # With the default it would write keys into the working folder.
    base_url=redirect_uri.rsplit("/", 1)[0], key_conf={"key_defs": DEFAULT_KEY_DEFS},
    client_configs={"gateway": {
        "issuer": issuer, "client_id": client_id, "client_secret": secret, "client_type": "oidc",
        "redirect_uris": [redirect_uri], "post_logout_redirect_uris": [post_logout_uri],
        # Without it the library can't prove itself when it refreshes.
        "client_authn_methods": ["client_secret_basic"],
        "preference": {
            "response_types": ["code"], "scopes_supported": ["openid", "profile", "email"],
            "token_endpoint_auth_method": "client_secret_basic"},
        "add_ons": DEFAULT_CLIENT_CONFIGS[""]["add_ons"], "services": services}})


def ask():
    """Prints where the library sends the browser, and returns the parameters of the gateway's answer."""
    print(handler.begin("gateway"), flush=True)
    return dict(parse_qsl(urlsplit(sys.stdin.readline().strip()).query))


def refusal(answer, **changes):
    """What the library says to a changed answer of the gateway."""
    try:
        finished = handler.finalize(issuer, answer | changes)
    except Exception as error:
        return f"{type(error).__name__}: {error}"
    assert "error" in finished, finished
    return finished["error"]


answer = ask()
refused = [refusal(answer, iss="https://other.example"), refusal(answer, state="another")]
finished = handler.finalize(issuer, ask())
state, token = finished["state"], finished["token"]
renewed = handler.refresh_access_token(state)
info = handler.get_user_info(state, access_token=renewed["access_token"])
print(json.dumps({
    "claims": finished["id_token"].to_dict(), "info": info.to_dict(), "refreshed": renewed["access_token"] != token,
    "refused": refused}), flush=True)
print(handler.logout(state)["url"], flush=True)
