/** Every address finds the route that is meant for it, whether parts of it vary or not. */
import { expect, it } from 'vitest';
import { FixedFirst } from '../../../src/surfaces/http/fixed-first.ts';
import { ROUTES } from '../../../src/surfaces/http/routes.ts';

it('finds each route of the server by an address that fits it, and no other', () => {
  const router = new FixedFirst<string>();
  for (const { method, path } of ROUTES) router.add(method, path, `${method} ${path}`);
  for (const { method, path } of ROUTES) {
    const address = path.replaceAll(/:\w+/g, 'x');
    const [[found]] = router.match(method, address) as [[[string, object]]];
    expect(found[0]).toBe(`${method} ${path}`);
  }
  for (const [method, path] of [
    ['GET', '/v1/nothing'],
    ['PATCH', '/healthz'],
    ['GET', '/v1/memory/'],
    ['GET', '/V1/memory'],
  ] as const)
    expect(router.match(method, path)[0]).toEqual([]);
});
