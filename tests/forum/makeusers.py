"""The users of the forum: their passwords are `Secret-NAME-1`. `createsuperuser` refuses without a terminal.

Everybody may delete their own posts and threads here, as in most forums.
"""

import django

django.setup()

from django.contrib.auth import get_user_model
from misago.cache.versions import get_cache_versions
from misago.categories.models import CategoryRole
from misago.conf.dynamicsettings import DynamicSettings
from misago.users.setupnewuser import setup_new_user

settings = DynamicSettings(get_cache_versions())
for name, staff in (("Gamemaster", True), ("Cursus", False), ("Alice", False), ("Bob", False), ("Carol", False)):
    extra = {"is_staff": True, "is_superuser": True} if staff else {}
    user = get_user_model().objects.create_user(name, f"{name.lower()}@player.invalid", f"Secret-{name}-1", **extra)
    setup_new_user(settings, user)

for role in CategoryRole.objects.all():
    threads = role.permissions.get("misago.threads.permissions.threads")
    if threads and threads.get("can_start_threads"):
        threads.update({"can_hide_own_posts": 2, "can_hide_own_threads": 2})
        role.save()
