/** A storage whose calls are spans, for programs that have registered OpenTelemetry. */
import { traced, tracing } from '../kernel/tracing.ts';
import type { Storage } from '../ports/storage.ts';

const STORES = [
  'records',
  'copies',
  'tokens',
  'log',
  'state',
  'bus',
  'runs',
  'events',
  'quarantine',
  'items',
  'erasing',
] as const;

function tracedStore<Store extends object>(store: Store, name: string): Store {
  return new Proxy(store, {
    get(target, property) {
      const value: unknown = Reflect.get(target, property, target);
      if (typeof value !== 'function' || typeof property !== 'string') return value;
      return (...args: unknown[]): unknown => {
        // Streams and answers that are there at once are passed on as they are.
        let answer: unknown;
        const run = (): unknown => Reflect.apply(value, target, args);
        if (/^(follow|watch|subscribe)/.test(property)) return run();
        const span = traced(`keepsake.store.${name}.${property}`, { 'keepsake.store': name }, async () => {
          answer = run();
          return answer;
        });
        if (answer instanceof Promise) return span;
        span.catch(() => {});
        return answer;
      };
    },
  });
}

/** The same storage where nobody has registered anything. */
export function tracedStorage(storage: Storage): Storage {
  if (tracing() === undefined) return storage;
  const stores = STORES.flatMap((name) => {
    const store = storage[name];
    return store === undefined ? [] : [[name, tracedStore(store, name)]];
  });
  return { ...storage, ...Object.fromEntries(stores) };
}
