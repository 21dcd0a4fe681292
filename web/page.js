// The page works without scripts; they make the map touchable.
