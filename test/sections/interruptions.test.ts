/** A person saves, the disk fails or the process dies right before every single file operation: no section is lost. */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { nodeFiles } from '../../src/documents/index.ts';
import { KeepsakeError } from '../../src/kernel/errors.ts';
import { contentOf, parseSections } from '../../src/sections/format.ts';
import type { SectionsService } from '../../src/sections/index.ts';
import { Crash, type Fault, FaultyFiles } from '../../src/testing/faulty-files.ts';
import { asAgent, errorOf, makeLock, makeService, makeWorkspace } from './fixture.ts';

const OLD = 'Mine.\n\n# a\none\n\n# b\ntwo\n';
const BY_HAND = 'Mine.\n\n# a\none\n\n# b\ntwo\nby hand\n';
const caller = asAgent();

const verbs: Record<
  string,
  { act(service: SectionsService): Promise<unknown>; after: Record<string, string> }
> = {
  save: {
    act: (service) => service.save({ section: 'a', content: 'new' }, caller),
    after: { a: 'new', b: 'two' },
  },
  append: {
    act: (service) => service.append({ section: 'a', content: 'more' }, caller),
    after: { a: 'one\nmore', b: 'two' },
  },
  create: {
    act: (service) => service.save({ section: 'c', content: 'three' }, caller),
    after: { a: 'one', b: 'two', c: 'three' },
  },
  remove: {
    act: (service) => service.remove({ section: 'a' }, caller),
    after: { b: 'two' },
  },
};

interface Outcome {
  readonly operation: string;
  /** What the verb ended with: nothing, or the code of its error. */
  readonly ended: string | undefined;
  readonly text: string;
}

/** One outcome for each file operation of the verb. */
async function disturb(verb: string, makeFault: (path: string) => Fault): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  const { root, file } = makeWorkspace();
  const lock = makeLock();
  const path = file();
  mkdirSync(dirname(path));
  for (let at = 1; ; at++) {
    writeFileSync(path, OLD);
    const files = new FaultyFiles(nodeFiles, { at, fault: makeFault(path) });
    const ended = await verbs[verb]!.act(makeService({ root, lock, files })).then(
      () => undefined,
      (error: unknown) =>
        KeepsakeError.is(error) ? error.code : error instanceof Crash ? 'crash' : String(error),
    );
    if (files.failed.length === 0) return outcomes;
    outcomes.push({ operation: files.failed[0]!, ended, text: readFileSync(path, 'utf8') });
  }
}

function sectionsOf(text: string): Record<string, string> {
  return Object.fromEntries(
    parseSections(text).sections.map((section) => [section.name, contentOf(section)]),
  );
}

describe.each(Object.keys(verbs))('%s', (verb) => {
  const { after } = verbs[verb]!;

  it('never overwrites what a person saves meanwhile', async () => {
    const outcomes = await disturb(verb, (path) => ({
      kind: 'meanwhile',
      act: async () => writeFileSync(path, BY_HAND),
    }));
    expect(outcomes.length).toBeGreaterThan(10);
    const both = { ...after, b: 'two\nby hand' };
    for (const { operation, ended, text } of outcomes) {
      expect([operation, ended]).toEqual([operation, undefined]);
      expect(text.startsWith('Mine.\n\n# ')).toBe(true);
      // Whoever saves after our change is in place has replaced it, as they may.
      if (text !== BY_HAND) expect([operation, sectionsOf(text)]).toEqual([operation, both]);
    }
    expect(outcomes.filter(({ text }) => text !== BY_HAND).length).toBeGreaterThan(5);
  });

  it.each([
    ['the disk is full', { kind: 'error', errno: 'ENOSPC' }],
    ['the process dies', { kind: 'crash' }],
  ] as const)('leaves the old file or the new one when %s', async (_, fault) => {
    for (const { operation, ended, text } of await disturb(verb, () => fault)) {
      if (text === OLD) expect([operation, ended]).not.toEqual([operation, undefined]);
      else expect([operation, sectionsOf(text)]).toEqual([operation, after]);
    }
  });
});

it('the option readOnly refuses every write and no reading', async () => {
  const { root, file } = makeWorkspace();
  mkdirSync(dirname(file()));
  writeFileSync(file(), OLD);
  const service = makeService({ root, lock: makeLock(), readOnly: true });
  for (const { act } of Object.values(verbs)) expect((await errorOf(act(service))).code).toBe('READ_ONLY');
  expect((await service.get({ section: 'b' }, caller)).content).toBe('two');
  expect(await service.promptIndex(caller)).toContain('- b');
  expect(readdirSync(join(root, 'agents'))).toEqual(['assistant.memory.md']);
});
