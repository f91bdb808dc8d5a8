/** The router: fixed paths by lookup; of paths with parameters, the first match wins. */
import type { Result, Router } from 'hono/router';
import { TrieRouter } from 'hono/router/trie-router';

export class FixedFirst<T> implements Router<T> {
  readonly name = 'FixedFirst';
  readonly #fixed = new Map<string, Result<T>>();
  readonly #varying = new TrieRouter<T>();

  add(method: string, path: string, handler: T): void {
    const key = `${method} ${path}`;
    if (/[:*{]/.test(path)) this.#varying.add(method, path, handler);
    else if (!this.#fixed.has(key)) this.#fixed.set(key, [[[handler, {}]]]);
  }

  match(method: string, path: string): Result<T> {
    return this.#fixed.get(`${method} ${path}`) ?? this.#varying.match(method, path);
  }
}
