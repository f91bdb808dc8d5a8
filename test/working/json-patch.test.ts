/** RFC 6902 on the working memory: each operation, and all of a patch or nothing. */
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../src/kernel/json.ts';
import type { PatchOperation } from '../../src/working/index.ts';
import { codeOf, PLACES, stateScene } from './fixture.ts';

describe.each(PLACES)('%s', (place) => {
  const scene = (document?: JsonObject) => stateScene(document, place);

  it('applies each operation as the standard says', async () => {
    const { state } = await scene();
    const patched = async (document: JsonObject, ...operations: PatchOperation[]) => {
      await state().set('', document);
      await state().patch(operations);
      return state().get();
    };
    expect(await patched({ a: 1 }, { op: 'add', path: '/b', value: 2 })).toEqual({ a: 1, b: 2 });
    expect(await patched({ a: 1 }, { op: 'add', path: '/a', value: 2 })).toEqual({ a: 2 });
    expect(await patched({ l: [1, 3] }, { op: 'add', path: '/l/1', value: 2 })).toEqual({ l: [1, 2, 3] });
    expect(await patched({ l: [1] }, { op: 'add', path: '/l/-', value: [2] })).toEqual({ l: [1, [2]] });
    expect(await patched({ l: [1, 2, 3] }, { op: 'remove', path: '/l/1' })).toEqual({ l: [1, 3] });
    expect(await patched({ a: { b: 1 } }, { op: 'remove', path: '/a/b' })).toEqual({ a: {} });
    expect(await patched({ l: [1, 2] }, { op: 'replace', path: '/l/1', value: 9 })).toEqual({ l: [1, 9] });
    expect(await patched({ a: { x: 1 }, b: {} }, { op: 'move', from: '/a/x', path: '/b/y' })).toEqual({
      a: {},
      b: { y: 1 },
    });
    expect(await patched({ l: [1, 2, 3, 4] }, { op: 'move', from: '/l/1', path: '/l/3' })).toEqual({
      l: [1, 3, 4, 2],
    });
    expect(await patched({ a: [1] }, { op: 'copy', from: '/a', path: '/b' })).toEqual({ a: [1], b: [1] });
    expect(await patched({ a: 1 }, { op: 'add', path: '', value: { z: 1 } })).toEqual({ z: 1 });
    expect(await patched({ 'a/b': { 'm~n': 1 } }, { op: 'replace', path: '/a~1b/m~0n', value: 2 })).toEqual({
      'a/b': { 'm~n': 2 },
    });
    expect(
      await patched(
        { a: { x: [1], y: null } },
        { op: 'test', path: '/a', value: { y: null, x: [1] } },
        { op: 'add', path: '/ok', value: true },
      ),
    ).toEqual({ a: { x: [1], y: null }, ok: true });
  });

  it('reaches through lists, and changes one entry of them only', async () => {
    const { state } = await scene();
    const given = { l: [{ a: 1 }, { a: 2, b: [10, 20, 30] }, { a: 3 }] };
    const patched = async (...operations: PatchOperation[]) => {
      await state().set('', given);
      await state().patch(operations);
      return ((await state().get()) as typeof given).l;
    };
    expect(await patched({ op: 'replace', path: '/l/1/a', value: 9 })).toEqual([
      { a: 1 },
      { a: 9, b: [10, 20, 30] },
      { a: 3 },
    ]);
    expect(await patched({ op: 'add', path: '/l/0/b', value: 5 })).toEqual([
      { a: 1, b: 5 },
      given.l[1],
      { a: 3 },
    ]);
    expect(await patched({ op: 'replace', path: '/l/1/b/1', value: 9 })).toMatchObject([
      {},
      { b: [10, 9, 30] },
      {},
    ]);
    expect(await patched({ op: 'replace', path: '/l/0', value: {} })).toEqual([{}, given.l[1], { a: 3 }]);
    expect(await patched({ op: 'remove', path: '/l/1/b/0' })).toMatchObject([{}, { b: [20, 30] }, {}]);
    expect(await patched({ op: 'add', path: '/l/1/b/-', value: 40 })).toMatchObject([
      {},
      { b: [10, 20, 30, 40] },
      {},
    ]);
    expect(await patched({ op: 'add', path: '/l/3', value: {} })).toHaveLength(4);
    for (const path of ['/l/3/a', '/l/-/a', '/l/1/b/3', '/l/1/b/x']) {
      expect(await codeOf(patched({ op: 'replace', path, value: 1 }))).toBe('INVALID_INPUT');
    }
  });

  it('does all of it or nothing', async () => {
    const { state } = await scene({ a: 1, list: [1] });
    const add = { op: 'add', path: '/b', value: 2 } as const;
    const wrong: unknown[] = [
      { op: 'remove', path: '/missing' },
      { op: 'replace', path: '/missing', value: 1 },
      { op: 'add', path: '/missing/child', value: 1 },
      { op: 'add', path: '/list/2', value: 1 },
      { op: 'add', path: '/list/01', value: 1 },
      { op: 'remove', path: '/list/-' },
      { op: 'move', from: '/missing', path: '/c' },
      { op: 'move', from: '/list', path: '/list/0' },
      { op: 'remove', path: '' },
      { op: 'replace', path: '', value: 'no object' },
      { op: 'add', path: 'a', value: 1 },
      { op: 'add', path: '/c' },
      { op: 'jump', path: '/a' },
      null,
    ];
    for (const operation of wrong) {
      const code = await codeOf(state().patch([add, operation as PatchOperation]));
      expect([operation, code]).toEqual([operation, 'INVALID_INPUT']);
    }
    expect(await codeOf(state().patch([add, { op: 'test', path: '/a', value: 2 }]))).toBe('CONFLICT');
    expect(await codeOf(state().patch('add' as never))).toBe('INVALID_INPUT');
    expect(await state().read()).toMatchObject({ version: 1, document: { a: 1, list: [1] } });
  });
});
