"""The OpenID provider of django-allauth: `allauth_site.py DIR PORT CHAIN KEY`.

Pages, endpoints and registration are allauth's own; alice is its user.
"""

import sys
from pathlib import Path

from wsgi_server import serve

DIRECTORY, PORT, CHAIN, KEY = Path(sys.argv[1]), *sys.argv[2:]

import django
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import rsa
from django.conf import settings

DJANGO = "django.contrib."
settings.configure(
    SECRET_KEY="only for this run", ALLOWED_HOSTS=["localhost"], ROOT_URLCONF=__name__, DEBUG=False,
    DATABASES={"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": str(DIRECTORY / "db"),
                           "OPTIONS": {"timeout": 30}}},
    DEFAULT_AUTO_FIELD="django.db.models.AutoField", USE_TZ=True, STATIC_URL="/static/",
    SESSION_COOKIE_SECURE=True, CSRF_COOKIE_SECURE=True,
    INSTALLED_APPS=[DJANGO + "auth", DJANGO + "contenttypes", DJANGO + "sessions", DJANGO + "messages",
                    "allauth", "allauth.account", "allauth.idp.oidc"],
    MIDDLEWARE=["django.middleware.common.CommonMiddleware",
                DJANGO + "sessions.middleware.SessionMiddleware",
                "django.middleware.csrf.CsrfViewMiddleware",
                DJANGO + "auth.middleware.AuthenticationMiddleware",
                DJANGO + "messages.middleware.MessageMiddleware",
                "allauth.account.middleware.AccountMiddleware"],
    AUTHENTICATION_BACKENDS=["allauth.account.auth_backends.AuthenticationBackend"],
    ACCOUNT_EMAIL_VERIFICATION="none", ACCOUNT_LOGIN_METHODS={"username"}, ACCOUNT_RATE_LIMITS=False,
    IDP_OIDC_DCR_ENABLED=True, IDP_OIDC_DCR_REQUIRES_INITIAL_ACCESS_TOKEN=False,
    IDP_OIDC_RATE_LIMITS=False,
    IDP_OIDC_PRIVATE_KEY=rsa.generate_private_key(65537, 2048).private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8,
        serialization.NoEncryption()).decode(),
    TEMPLATES=[{"BACKEND": "django.template.backends.django.DjangoTemplates", "APP_DIRS": True,
                "OPTIONS": {"context_processors": [
                    "django.template.context_processors.request",
                    DJANGO + "auth.context_processors.auth",
                    DJANGO + "messages.context_processors.messages"]}}])
django.setup()

from django.contrib.auth.models import User
from django.core.management import call_command
from django.core.wsgi import get_wsgi_application
from django.urls import include, path

urlpatterns = [path("accounts/", include("allauth.urls")), path("", include("allauth.idp.urls"))]

if __name__ == "__main__":
    call_command("migrate", verbosity=0)
    User.objects.create_user("alice", "alice@example.com", "wonderland-1865")
    serve(get_wsgi_application(), PORT, CHAIN, KEY)
