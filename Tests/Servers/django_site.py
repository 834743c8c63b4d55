"""A site on Django of Debian, with its admin pages as login: `python3 django_site.py DIR PORT CHAIN KEY`.

Sessions, CSRF tokens, redirects and pages are Django's own.
"""

import sys
from pathlib import Path

from wsgi_server import serve

DIRECTORY = Path(sys.argv[1])
USER, PASSWORD = "alice", "wonder land-1865"

MULTIPART = """<!doctype html><base href="/multipart/"><form method="post" enctype="multipart/form-data"
action="./">{% csrf_token %}{{ form.as_p }}<input type="hidden" name="next" value="/me">
<button name="go" value="1">Log in</button><button name="cancel" value="1">Cancel</button></form>"""

import django
from django.conf import settings

settings.configure(
    SECRET_KEY="only for this run", ALLOWED_HOSTS=["localhost"], ROOT_URLCONF=__name__, DEBUG=False,
    DATABASES={"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": str(DIRECTORY / "db")}},
    DEFAULT_AUTO_FIELD="django.db.models.AutoField", LOGIN_URL="/admin/login/",
    SESSION_COOKIE_SECURE=True, CSRF_COOKIE_SECURE=True, STATIC_URL="/static/", USE_TZ=True,
    INSTALLED_APPS=["django.contrib.admin", "django.contrib.auth", "django.contrib.contenttypes",
                    "django.contrib.sessions", "django.contrib.messages"],
    MIDDLEWARE=["django.middleware.security.SecurityMiddleware",
                # It adds Content-Length: the connections of this server end without a close_notify.
                "django.middleware.common.CommonMiddleware",
                "django.contrib.sessions.middleware.SessionMiddleware",
                "django.middleware.csrf.CsrfViewMiddleware",
                "django.contrib.auth.middleware.AuthenticationMiddleware",
                "django.contrib.messages.middleware.MessageMiddleware"],
    TEMPLATES=[{"BACKEND": "django.template.backends.django.DjangoTemplates", "APP_DIRS": True,
                "OPTIONS": {
                    "loaders": [("django.template.loaders.locmem.Loader", {"multipart": MULTIPART}),
                                "django.template.loaders.app_directories.Loader"],
                    "context_processors": ["django.template.context_processors.request",
                                           "django.contrib.auth.context_processors.auth",
                                           "django.contrib.messages.context_processors.messages"]}}])
settings.TEMPLATES[0].pop("APP_DIRS")
django.setup()

from django.contrib import admin
from django.contrib.auth.decorators import login_required
from django.contrib.auth.models import User
from django.contrib.auth.views import LoginView
from django.contrib.sessions.models import Session
from django.core.management import call_command
from django.core.wsgi import get_wsgi_application
from django.http import JsonResponse
from django.urls import path


@login_required
def me(request):
    return JsonResponse({"user": request.user.username, "method": request.method,
                         "body": request.body.decode()})


def page(request):
    """The resource, or the page of the login in its place, with status 200."""
    if request.user.is_authenticated:
        return JsonResponse({"user": request.user.username})
    return admin.site.login(request)


def end_sessions(_):
    Session.objects.all().delete()
    return JsonResponse({"sessions": 0})


def sessions(_):
    return JsonResponse({"sessions": Session.objects.count()})


urlpatterns = [
    path("admin/", admin.site.urls), path("me", me), path("page", page), path("sessions", sessions),
    path("end-sessions", end_sessions),
    path("multipart/", LoginView.as_view(template_name="multipart"))]


def main():
    port, chain, key = sys.argv[2:]
    call_command("migrate", verbosity=0)
    User.objects.create_superuser(USER, "alice@example.com", PASSWORD)
    serve(get_wsgi_application(), port, chain, key)


if __name__ == "__main__":
    main()
