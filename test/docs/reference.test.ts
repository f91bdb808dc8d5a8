/** The reference is what the program says about itself, and it leaves nothing out. */
import { describe, expect, it } from 'vitest';
import { PRESCRIBED_NAMES } from '../../scripts/api-docs/prescribed-names.ts';
import { generatedPages, readPage } from '../../scripts/generate-api-docs.ts';
import * as sdk from '../../src/client/sdk/index.ts';
import { Conversation } from '../../src/conversation/index.ts';
import { AgentHandle, Client, Runs, Swarm } from '../../src/index.ts';
import { VERBS } from '../../src/verbs.ts';

const pages = new Map(generatedPages().map(({ path, text }) => [path, text]));

describe('docs/reference', () => {
  it.each([...pages.keys()])('%s is up to date; else run "node scripts/generate-api-docs.ts"', (path) => {
    expect(readPage(path)).toBe(pages.get(path));
  });

  it('B-25 has every method of the SDK, each with its signature', () => {
    const page = pages.get('docs/reference/sdk.md')!;
    for (const method of [
      'add(memory: NewMemory): Promise<AddedMemory>',
      'search(query: string, options: SearchOptions = {}): Promise<FoundMemories>',
      'list(options: ListOptions = {}): Promise<readonly MemoryRecord[]>',
      'forget(id: string): Promise<ForgottenMemory>',
      'agent(options: AgentOptions): AgentHandle',
      'compact(options: CompactOptions): Promise<CompactResult>',
    ]) {
      expect(page).toContain(`\`\`\`ts signature\n${method}\n\`\`\``);
    }
    for (const { prototype } of [Client, AgentHandle, Swarm, Runs, ...Object.values(sdk)]) {
      for (const name of Object.getOwnPropertyNames(prototype).filter((each) => each !== 'constructor')) {
        expect(page).toMatch(new RegExp(`^(?:get |set )?${name}[(<]`, 'm'));
      }
    }
    for (const field of ['content', 'category', 'confidence', 'minRelevance', 'ifVersion']) {
      expect(page).toMatch(new RegExp(`^\\| \`${field}\``, 'm'));
    }
  });

  it('E-39 has every route of the server, with what it takes and what it answers', async () => {
    const { ROUTES } = await import('../../src/surfaces/http/routes.ts');
    const rest = pages.get('docs/reference/rest.md')!;
    expect(
      ROUTES.map(({ method, path }) => `${method} ${path}`).filter((route) => !rest.includes(`\`${route}\``)),
    ).toEqual([]);
    expect(rest).toMatch(
      /### memory\.search[\s\S]*?\| `query` \(required\) \| string \|[\s\S]*?Returns a list of `id`/,
    );
  });

  it('names that documents prescribe are what the page says: tools of verbs, and members of the SDK', () => {
    const tools = new Map(
      VERBS.flatMap((verb) => (verb.tools ?? []).map(({ name }) => [name as string, verb.name as string])),
    );
    const members = [AgentHandle.prototype, Conversation.prototype].flatMap(Object.getOwnPropertyNames);
    for (const { name, kind, means } of PRESCRIBED_NAMES) {
      if (kind === 'tool') expect([name, tools.get(name)]).toEqual([name, means]);
      // A field of the class, so not on its prototype; the type says that it exists.
      else if (name !== ('longTermMemory' satisfies keyof AgentHandle)) expect(members).toContain(name);
    }
  });

  it('B-36 tells of the four events of memory, and when each comes', () => {
    const events = pages.get('docs/reference/events.md')!;
    for (const type of ['memory.recalled', 'memory.extracted', 'memory.wrote', 'memory.blocked']) {
      expect(events).toMatch(new RegExp(`^\\| \`${type}\` \\| [A-Z].{10,} \\| \`\\w+`, 'm'));
    }
    expect(events).not.toMatch(/\| {2}\|/);
  });
});

it('B-25 B-43 the SDK reference has session.stream(), runs of swarms and their state', () => {
  const page = pages.get('docs/reference/sdk.md')!;
  const section = (name: string): string => page.split(`\n## ${name}\n`)[1]?.split('\n## ')[0] ?? '';
  expect(section('Session')).toContain('stream(prompt: string');
  expect(section('SwarmRun')).toContain('complete(');
  expect(section('RunHandle')).toContain('cancel(');
  for (const method of ['get', 'set', 'merge', 'patch', 'append', 'increment', 'watch']) {
    expect(section('RunState')).toContain(`\n${method}(`);
  }
});
