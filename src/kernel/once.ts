/** Defers work of a module until its result is needed: a short command uses a few of the modules that are loaded with it. */
export function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
