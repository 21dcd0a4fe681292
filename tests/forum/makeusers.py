"""The users of the forum: their passwords are `Secret-NAME-1`. `createsuperuser` refuses without a terminal."""

import django

django.setup()

from django.contrib.auth import get_user_model
from misago.cache.versions import get_cache_versions
from misago.conf.dynamicsettings import DynamicSettings
from misago.users.setupnewuser import setup_new_user

settings = DynamicSettings(get_cache_versions())
for name, staff in (("Gamemaster", True), ("Cursus", False), ("Alice", False), ("Bob", False), ("Carol", False)):
    extra = {"is_staff": True, "is_superuser": True} if staff else {}
    user = get_user_model().objects.create_user(name, f"{name.lower()}@player.invalid", f"Secret-{name}-1", **extra)
    setup_new_user(settings, user)
