// What a browser keeps for its player. Where it keeps nothing, or has no room left, it is kept until the page is closed.

/** A storage that never refuses. `find` says which, and may fail itself: some browsers forbid even to ask. */
function keeper(find) {
  const memory = new Map();
  const real = () => {
    try {
      return find();
    } catch {
      return null;
    }
  };
  return {
    get(key) {
      if (memory.has(key)) return memory.get(key);
      try {
        return real()?.getItem(key) ?? null;
      } catch {
        return null;
      }
    },
    put(key, text) {
      memory.delete(key);
      try {
        find().setItem(key, text);
      } catch {
        memory.set(key, String(text));
      }
    },
    drop(key) {
      memory.delete(key);
      try {
        real()?.removeItem(key);
      } catch {
        // It is not kept anyway.
      }
    },
    /** The keys that begin so. */
    keys(start) {
      const own = (() => {
        try {
          return Object.keys(real() ?? {});
        } catch {
          return [];
        }
      })();
      return [...new Set([...memory.keys(), ...own])].filter((key) => key.startsWith(start));
    },
  };
}

/** As long as the browser likes. */
export const kept = keeper(() => localStorage);

/** As long as the tab is open. */
export const brief = keeper(() => sessionStorage);

/** Nothing of what begins so is kept any more. */
export function forget(start) {
  for (const one of [kept, brief]) for (const key of one.keys(start)) one.drop(key);
}
