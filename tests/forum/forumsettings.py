"""Settings of the Misago that a test starts for itself. The environment says where: FORUM_DIR, FORUM_DB_PORT."""

import os

from devproject.settings import *  # it comes with Misago

_dir = os.environ["FORUM_DIR"]

DATABASES = {
    "default": {
        "ENGINE": "django.db.backends.postgresql",
        "NAME": "misago",
        "USER": "misago",
        "PASSWORD": "",
        "HOST": "127.0.0.1",
        "PORT": int(os.environ["FORUM_DB_PORT"]),
    }
}
DEBUG = False
ALLOWED_HOSTS = ["127.0.0.1", "localhost"]
# No worker and no broker.
CELERY_TASK_ALWAYS_EAGER = True
CELERY_BROKER_URL = "memory://"
EMAIL_BACKEND = "django.core.mail.backends.locmem.EmailBackend"
MEDIA_ROOT = os.path.join(_dir, "media")
STATIC_ROOT = os.path.join(_dir, "static")
# Logins are many and short here.
PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
INSTALLED_APPS = [app for app in INSTALLED_APPS if "debug_toolbar" not in app]
MIDDLEWARE = [layer for layer in MIDDLEWARE if "debug_toolbar" not in layer]
