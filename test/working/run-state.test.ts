/** The working memory of a run: every operation, its limits, and the feed of changes. */
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../src/kernel/json.ts';
import { codeOf, PLACES, RUN, stateScene } from './fixture.ts';

describe.each(PLACES)('%s', (place) => {
  const scene = (document?: JsonObject) => stateScene(document, place);

  it('C-07 C-08 C-11 every participant reads and writes one document', async () => {
    const { state } = await scene({ topic: 'Norwegian hydrogen economy', findings: [] });
    const [one, two] = [state('researcher-1'), state('researcher-2')];
    await one.append('findings', { source: 'researcher-1', claim: 'A', confidence: 0.9 });
    await two.append('/findings', { source: 'researcher-2', claim: 'B', confidence: 0.7 });
    await one.merge({ status: 'research_complete', next_step: 'fact_check' });
    expect(await two.get()).toEqual({
      topic: 'Norwegian hydrogen economy',
      findings: [
        { source: 'researcher-1', claim: 'A', confidence: 0.9 },
        { source: 'researcher-2', claim: 'B', confidence: 0.7 },
      ],
      status: 'research_complete',
      next_step: 'fact_check',
    });
    expect(await two.get('/findings/1/claim')).toBe('B');
    expect(await two.get(['findings', 0, 'confidence'])).toBe(0.9);
    expect(await two.get('nothing')).toBe(undefined);
    expect(await two.get('/findings/7')).toBe(undefined);
    expect((await two.read()).version).toBe(4);
  });

  it('C-10 set makes what leads there; delete, increment and append say what came of it', async () => {
    const { state } = await scene();
    const shared = state();
    expect(await shared.set('/plan/steps/first', 'read')).toEqual({ version: 2 });
    expect(await shared.append('log', 'a')).toEqual({ version: 3, length: 1 });
    expect(await shared.append('log', ['b'])).toEqual({ version: 4, length: 2 });
    expect(await shared.increment('/count/done')).toEqual({ version: 5, value: 1 });
    expect(await shared.increment('/count/done', -2.5)).toEqual({ version: 6, value: -1.5 });
    await shared.set('/log/0', 'A');
    await shared.set('/log/-', 'c');
    await shared.remove('/log/1');
    await shared.remove('/not/there');
    expect(await shared.get()).toEqual({
      plan: { steps: { first: 'read' } },
      log: ['A', 'c'],
      count: { done: -1.5 },
    });
    await shared.remove('plan');
    expect(await shared.get('plan')).toBe(undefined);
    await shared.set('', { again: true });
    expect(await shared.get()).toEqual({ again: true });
  });

  it('merges as RFC 7396 says', async () => {
    const { state } = await scene({ a: { b: 'c', d: 1 }, list: [1, 2] });
    const shared = state();
    await shared.merge({ a: { b: null, e: { f: null, g: 2 } }, list: [3] });
    expect(await shared.get()).toEqual({ a: { d: 1, e: { g: 2 } }, list: [3] });
    await shared.merge({ h: true }, { path: '/a/e' });
    await shared.merge('text', { path: '/a/d' });
    expect(await shared.get('a')).toEqual({ d: 'text', e: { g: 2, h: true } });
    expect(await codeOf(shared.merge('text'))).toBe('INVALID_INPUT');
  });

  it('a change is made to the version that it was meant for, or not at all', async () => {
    const { state } = await scene({ count: 0 });
    const shared = state();
    const { version } = await shared.read();
    await shared.set('count', 1, { ifVersion: version });
    for (const change of [
      () => shared.set('count', 2, { ifVersion: version }),
      () => shared.merge({ count: 2 }, { ifVersion: version }),
      () => shared.patch([{ op: 'replace', path: '/count', value: 2 }], { ifVersion: version }),
      () => shared.append('list', 2, { ifVersion: version }),
      () => shared.increment('count', 1, { ifVersion: version }),
      () => shared.remove('count', { ifVersion: version }),
    ]) {
      expect(await codeOf(change())).toBe('CONFLICT');
    }
    expect(await shared.get()).toEqual({ count: 1 });
  });

  it('refuses what would change the kind of an object, what is no JSON, and what is too deep or too large', async () => {
    const { state } = await scene({ list: [], text: 'x' });
    const shared = state();
    const nested = (levels: number): unknown => (levels === 0 ? 1 : { a: nested(levels - 1) });
    const refused: (() => Promise<unknown>)[] = [
      ...['__proto__', 'constructor', 'prototype'].flatMap((key) => [
        () => shared.set(key, 1),
        () => shared.set(`/a/${key}/polluted`, 1),
        () => shared.merge(JSON.parse(`{"a":{"${key}":{"polluted":true}}}`)),
        () => shared.patch([{ op: 'add', path: `/${key}`, value: 1 }]),
        () => shared.append('list', JSON.parse(`[{"${key}":1}]`)),
      ]),
      () => shared.set('a', Number.NaN),
      () => shared.set('a', () => 1),
      () => shared.set('a', new Date()),
      () => shared.set('a', new Map()),
      () => shared.set('a', undefined),
      () => shared.set('a', 1n),
      () => shared.set('a', nested(33)),
      () => shared.set('/a/b/c', nested(30)),
      () => shared.set('', ['no', 'object']),
      () => shared.set('/text/deeper', 1),
      () => shared.set('/list/5', 1),
      () => shared.append('text', 1),
      () => shared.increment('text'),
      () => shared.get('/a~2'),
      () => shared.get([1.5]),
    ];
    for (const [i, change] of refused.entries())
      expect([i, await codeOf(change())]).toEqual([i, 'INVALID_INPUT']);
    expect(await codeOf(shared.set('a', 'x'.repeat(1024 * 1024)))).toBe('TOO_LARGE');
    const cyclic: Record<string, unknown> = {};
    cyclic.self = cyclic;
    expect(await codeOf(shared.set('a', cyclic))).toBe('INVALID_INPUT');
    expect(await shared.read()).toMatchObject({ version: 1, document: { list: [], text: 'x' } });
    expect(({} as { polluted?: boolean }).polluted).toBe(undefined);
    await shared.set('a', nested(31));
    await shared.set('b', 'x'.repeat(1024 * 1024 - 1_000));
  });

  it('a change has at most 200,000 values', async () => {
    const { state } = await scene();
    // The list counts as one.
    await state().set('/list', Array(199_999).fill(1));
    expect(await codeOf(state().set('/list', Array(200_000).fill(1)))).toBe('TOO_LARGE');
    expect((await state().get('/list')) as number[]).toHaveLength(199_999);
  });

  it('depth is counted where things end up, not where they came from', async () => {
    const { state } = await scene();
    const shared = state();
    const nested = (levels: number): unknown => (levels === 0 ? 1 : { a: nested(levels - 1) });
    await shared.set('deep', nested(20));
    await shared.set('/x/x/x/x/x/x/x/x/x/x/x/x', {});
    const move = [{ op: 'copy', from: '/deep', path: '/x/x/x/x/x/x/x/x/x/x/x/x/here' }] as const;
    expect(await codeOf(shared.patch(move))).toBe('INVALID_INPUT');
  });

  it('keeps what was given, not what became of it later', async () => {
    const { state } = await scene();
    const given = { list: [1] };
    const writing = state().set('a', given);
    given.list.push(2);
    await writing;
    expect(await state().get('a')).toEqual({ list: [1] });
  });

  it('watch tells who changed what, and when, until the state is gone', async () => {
    const { state, store, clock } = await scene();
    const heard: unknown[] = [];
    const feed = state('bob').watch();
    const first = feed.next();
    const listening = (async () => {
      heard.push((await first).value);
      for await (const change of feed) heard.push(change);
    })();
    // The feed begins with the change after it was asked for.
    await state('bob').read();
    await state('alice').append('findings', 'one');
    clock.advance(5);
    await state('bob').increment('count');
    await store.remove(RUN);
    await listening;
    const at = Date.parse('2026-03-01T12:00:00Z');
    expect(heard).toEqual([
      { run: RUN, version: 2, at, by: 'alice', op: 'append', path: '/findings', value: 'one' },
      { run: RUN, version: 3, at: at + 5, by: 'bob', op: 'increment', path: '/count', value: 1 },
    ]);
    expect(await codeOf(state().get())).toBe('NOT_FOUND');
    expect(await codeOf(state().set('a', 1))).toBe('NOT_FOUND');
  });
});

it('what is judged is stored as it was judged, in the document and in the feed', async () => {
  const { store, clock } = await stateScene();
  const { RunState } = await import('../../src/working/index.ts');
  const judge = async (value: unknown) => JSON.parse(JSON.stringify(value).replaceAll('secret', '***'));
  const shared = new RunState({ store, clock, run: RUN, by: 'alice', judge });
  await shared.set('a', 'a secret');
  await shared.merge({ b: 'secret' });
  await shared.append('c', 'secret');
  await shared.patch([{ op: 'add', path: '/d', value: 'secret' }]);
  const everything = JSON.stringify([await shared.read(), await shared.changes()]);
  expect(everything).not.toContain('secret');
  expect(await shared.get()).toEqual({ a: 'a ***', b: '***', c: ['***'], d: '***' });
});
