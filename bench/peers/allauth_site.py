"""The settings of a website with django-allauth's headless API, as its documentation has them.

PEER_HASH=comparable hashes at the gateway's cost. Rate limits are off: one address sends everything.
"""

import os

# django-allauth 65.22.1 uses it without importing it.
import cryptography.hazmat.primitives.serialization  # noqa: F401
from django.contrib.auth.hashers import Argon2PasswordHasher


class ComparableHasher(Argon2PasswordHasher):
    memory_cost, time_cost, parallelism = 19456, 2, 1


SECRET_KEY = os.environ["PEER_SECRET"]
ALLOWED_HOSTS = ["localhost", "127.0.0.1"]
ROOT_URLCONF = "allauth_urls"
USE_TZ = True
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
INSTALLED_APPS = [
    "django.contrib.auth", "django.contrib.contenttypes", "django.contrib.sessions", "django.contrib.messages",
    "allauth", "allauth.account", "allauth.headless",
]
MIDDLEWARE = [
    "django.middleware.security.SecurityMiddleware", "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware", "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware", "django.contrib.messages.middleware.MessageMiddleware",
    "allauth.account.middleware.AccountMiddleware",
]
TEMPLATES = [{"BACKEND": "django.template.backends.django.DjangoTemplates", "APP_DIRS": True, "OPTIONS": {
    "context_processors": ["django.template.context_processors.request"]}}]
AUTHENTICATION_BACKENDS = ["allauth.account.auth_backends.AuthenticationBackend"]
DATABASES = {"default": {
    "ENGINE": "django.db.backends.postgresql", "HOST": os.environ["PEER_HOST"], "NAME": os.environ["PEER_DATABASE"],
    "USER": "peer", "CONN_MAX_AGE": None,
}}
if os.environ["PEER_HASH"] == "comparable":
    PASSWORD_HASHERS = ["allauth_site.ComparableHasher"]

HEADLESS_ONLY = True
HEADLESS_CLIENTS = ["app"]
HEADLESS_TOKEN_STRATEGY = "allauth.headless.tokens.strategies.jwt.JWTTokenStrategy"
HEADLESS_JWT_PRIVATE_KEY = os.environ["PEER_KEY"]
HEADLESS_JWT_ACCESS_TOKEN_EXPIRES_IN = 3600
ACCOUNT_LOGIN_METHODS = {"email"}
ACCOUNT_SIGNUP_FIELDS = ["email*", "password1*"]
ACCOUNT_EMAIL_VERIFICATION = "none"
ACCOUNT_RATE_LIMITS = False
