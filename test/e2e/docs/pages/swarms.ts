/** Pages on swarms, and the examples to copy. */
import { cpSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { createClient } from '../../../../src/index.ts';
import type { ScriptedReply, ScriptedRequest } from '../../../../src/testing/index.ts';
import { comparable } from '../../../docs/support/comparable.ts';
import { playModels } from '../../../docs/support/models.ts';
import type { Page, Pages } from '../../../docs/support/page.ts';
import type { World } from '../../../docs/support/world.ts';
import { lastResult } from '../../support/agents-workspace.ts';
import { onRedis } from './engines.ts';

const root = join(import.meta.dirname, '../../../..');
const copy = (world: World, ...path: string[]): void =>
  cpSync(join(root, 'examples', ...path), join(world.cwd, ...path.slice(1)), { recursive: true });

/** One researcher shares a finding and then answers, the other one answers at once; the editor reads before it writes. */
function swarm(request: ScriptedRequest): ScriptedReply {
  const tool = (name: string, args: object): ScriptedReply => ({ toolCalls: [{ name, arguments: args }] });
  const system = JSON.stringify(request.messages);
  const isDone = lastResult(request) !== '';
  if (system.includes('You write the report'))
    return isDone ? 'Norway sells hydrogen made from hydropower.' : tool('state_get', { path: '/findings' });
  if (system.includes('You research technology') || isDone) return 'Done.';
  return tool('state_append', { path: '/findings', value: { source: 'iea.org', claim: 'Hydropower.' } });
}

const SWARMS: Page = {
  proves: 'C-01 C-25',
  // The feed has no end while the run goes on, and the run goes on until it is complete.
  change: (text) =>
    text.startsWith('const { state } = run;')
      ? `setTimeout(() => run.state.set('heard', true), 100);\n${text.replace(
          'console.log(by, op, path, at);',
          '{ console.log(by, op, path, typeof at); break; }',
        )}\nawait run.complete();\nif (run.status !== 'completed') throw new Error(run.status);\n`
      : text.replace('await run.complete(report);', ''),
  before: {
    'sh 2': async (world, blocks) => {
      await playModels(world, swarm);
      copy(world, 'research-swarm', 'agents');
      world.write('keepsake.jsonc', blocks('jsonc')[0]!);
    },
  },
  looks: {
    text: [
      undefined,
      (text, world) => {
        const { stderr, stdout } = world.said.at(-1)!;
        expect(stdout).toBe('Norway sells hydrogen made from hydropower.\n');
        // The page shows some of the lines, in the order in which they come.
        // Both researchers write at once, so whose change gets which number is chance.
        const plain = (words: string): string[] =>
          comparable(words, world.cwd)
            .trim()
            .replaceAll(/ v\d+$/gm, ' v0')
            .split('\n');
        const [lines, shown] = [plain(stderr), plain(text)];
        const places = shown.map((line) => lines.indexOf(line));
        expect({ missing: shown.filter((_, i) => places[i] === -1), lines }).toEqual({ missing: [], lines });
        expect(places).toEqual(places.toSorted((a, b) => a - b));
      },
    ],
    jsonc: [undefined, onRedis],
  },
};

/** The reader has copied an example and stands in it. */
const example = (name: string, page: Page = {}): Page => ({
  ...page,
  answers: { 'keepsake chat': 'We ship on Friday.\n/exit\n' },
  ready: async (world) => {
    await playModels(world, name === 'research-swarm' ? swarm : () => ({ text: 'Noted.' }));
    for (const part of ['agents', 'keepsake.jsonc']) copy(world, name, part);
  },
});

const RESEARCH: Page = example('research-swarm', {
  before: {
    // A run that goes on, with the working memory that the page shows.
    'sh 2': async ({ cwd }, blocks) => {
      const client = createClient({ workspace: cwd });
      onTestFinished(() => client.close());
      const agents = [{ name: 'market-researcher' }, { name: 'technology-researcher' }];
      const run = await client
        .swarm({ name: 'market-research', agents, lead: { name: 'editor' } })
        .start({ task: 'x' });
      await run.state.merge(JSON.parse(blocks('json')[0]!));
    },
  },
  idFor: async (_, { cwd }) => {
    await using client = createClient({ workspace: cwd });
    return (await client.runs.list({ status: 'running' }))[0]!.id;
  },
});

export const SWARM_PAGES: Pages = {
  'docs/guides/swarms.md': SWARMS,
  'examples/assistant/README.md': example('assistant'),
  'examples/news-curator/README.md': example('news-curator'),
  'examples/research-swarm/README.md': RESEARCH,
  'examples/researcher/README.md': example('researcher'),
  'integrations/claude-code/README.md': {
    looks: {
      '': [
        (text) => {
          // Commands of Claude Code, not of a shell: what they name is there.
          const marketplace = JSON.parse(
            readFileSync(join(root, '.claude-plugin/marketplace.json'), 'utf8'),
          ) as { name: string; plugins: { name: string; source: string }[] };
          const [, plugin, from] = /^\/plugin install (\S+)@(\S+)$/m.exec(text)!;
          expect(marketplace.name).toBe(from);
          const { source } = marketplace.plugins.find(({ name }) => name === plugin)!;
          expect(existsSync(join(root, source, '.claude-plugin/plugin.json'))).toBe(true);
        },
      ],
    },
  },
};
