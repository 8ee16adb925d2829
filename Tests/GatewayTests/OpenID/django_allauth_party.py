"""A website with django-allauth as a relying party, as its documentation configures one.

Usage: django_allauth_party.py ISSUER CLIENT_ID SECRET PKCE
PKCE is True or False. The website is http://localhost: Django's own test client is the browser.
Three times it prints the address of a request, and reads the address with which the browser came back. It gives the
website the first answer with another state. Then it prints what the website knows, as JSON.
"""

import json
import sys

import django
from django.conf import settings
from django.core.management import call_command
from django.test import Client
from django.urls import include, path

issuer, client_id, secret, pkce = sys.argv[1:5]
settings.configure(
    SECRET_KEY="a secret of the website", ROOT_URLCONF=__name__, USE_TZ=True, ALLOWED_HOSTS=["localhost"],
    DATABASES={"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": ":memory:"}},
    INSTALLED_APPS=[
        "django.contrib.auth", "django.contrib.contenttypes", "django.contrib.messages", "django.contrib.sessions",
        "allauth", "allauth.account", "allauth.socialaccount", "allauth.socialaccount.providers.openid_connect"],
    MIDDLEWARE=[
        "django.contrib.sessions.middleware.SessionMiddleware", "django.middleware.csrf.CsrfViewMiddleware",
        "django.contrib.auth.middleware.AuthenticationMiddleware",
        "django.contrib.messages.middleware.MessageMiddleware", "allauth.account.middleware.AccountMiddleware"],
    TEMPLATES=[{
        "BACKEND": "django.template.backends.django.DjangoTemplates", "APP_DIRS": True,
        "OPTIONS": {"context_processors": [
            "django.template.context_processors.request", "django.contrib.auth.context_processors.auth",
            "django.contrib.messages.context_processors.messages"]}}],
    AUTHENTICATION_BACKENDS=["allauth.account.auth_backends.AuthenticationBackend"],
    LOGIN_REDIRECT_URL="/inside/", SOCIALACCOUNT_STORE_TOKENS=True,
    SOCIALACCOUNT_PROVIDERS={"openid_connect": {"OAUTH_PKCE_ENABLED": pkce == "True", "APPS": [{
        "provider_id": "gateway", "name": "Gateway", "client_id": client_id, "secret": secret,
        "settings": {"server_url": issuer}}]}})
django.setup()

from allauth.account.models import EmailAddress  # noqa: E402
from allauth.socialaccount.models import SocialAccount, SocialToken  # noqa: E402

urlpatterns = [path("accounts/", include("allauth.urls"))]
call_command("migrate", verbosity=0)


def ask(browser):
    """Prints where the website sends the browser, and returns the answer of the gateway as a path of the website."""
    print(browser.post("/accounts/oidc/gateway/login/")["Location"], flush=True)
    return sys.stdin.readline().strip().removeprefix("http://localhost")


browser = Client(SERVER_NAME="localhost")
wrong = browser.get(ask(browser).replace("state=", "state=A"))
assert "_auth_user_id" not in browser.session, wrong.content
for browser in [Client(SERVER_NAME="localhost"), Client(SERVER_NAME="localhost")]:
    answer = browser.get(ask(browser))
    assert answer.status_code == 302 and answer["Location"] == "/inside/", (answer.status_code, answer.content)
account, token, address = SocialAccount.objects.get(), SocialToken.objects.get(), EmailAddress.objects.get()
assert str(account.user_id) == browser.session["_auth_user_id"]
print(json.dumps({
    "uid": account.uid, "claims": account.extra_data["id_token"], "info": account.extra_data["userinfo"],
    "email": address.email, "verified": address.verified, "refreshable": token.token_secret != ""}), flush=True)
