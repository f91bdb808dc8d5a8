/** Pages for those who come from another system. */
import { expect } from 'vitest';
import { parseAgent } from '../../../../src/agents/index.ts';
import { idsIn } from '../../../docs/support/comparable.ts';
import { playModels } from '../../../docs/support/models.ts';
import type { Page, Pages } from '../../../docs/support/page.ts';
import { MEM0, onRedis } from './engines.ts';

const GRAPH = [
  { type: 'entity', name: 'Ada', entityType: 'person', observations: ['speaks French'] },
  { type: 'relation', from: 'Ada', to: 'Phoenix', relationType: 'leads' },
];
const MEMORY_MD =
  '# Agent Memory\n\n**Conversation:** x_conversation\n**Created:** 2026-01-01T00:00:00\n\n---\n\n## Interaction Log\n\n### User - 2026-01-01T00:00:01\nHello.\n\n---\n\n';

/** With what the reader brings along. */
const bringing = (name: string, text: string, page: Page = {}): Page => ({
  ...page,
  ready: async (world) => {
    await playModels(world);
    world.write(name, text);
    world.write('knowledge_base/energy.md', '# Storage\n\nBatteries store energy for hours.\n');
  },
});

export const MOVING_IN: Pages = {
  'docs/guides/coming-from/agent-swarm.md': {
    proves: 'E-09 E-12 E-28 E-32',
    before: {
      'ts 1': ({ said }) => expect(said.at(-1)!.stdout).toContain('misleading 403'),
    },
    looks: { md: [(text, world) => world.write('agents/worker-1/notes/auth-header-fix.md', text)] },
  },
  'docs/guides/coming-from/agentmd.md': {
    proves: 'D-03 D-12 D-13 D-27',
    ready: (world) => playModels(world),
    answers: { 'keepsake chat': 'We need to ship the new auth module by Friday\n/exit\n' },
    looks: {
      md: ['daily-monitor', 'project-assistant'].map((name) => (text, world) => {
        expect(parseAgent(`agents/${name}.md`, name, text).name).toBe(name);
        world.write(`agents/${name}.md`, text);
      }),
      text: [
        (text, world) => {
          const validated = world.said.find(({ stdout }) => stdout.includes('✓ daily-monitor'))!;
          expect(validated.stdout).toContain(text.trim());
        },
      ],
    },
  },
  'docs/guides/coming-from/mcp-server-memory.md': bringing(
    'memory.jsonl',
    GRAPH.map((line) => JSON.stringify(line)).join('\n'),
  ),
  'docs/guides/coming-from/mem0.md': bringing('mem0.json', MEM0),
  'docs/guides/coming-from/sverm.md': {
    proves: 'C-07 C-08 C-15 C-19',
    ready: (world) => playModels(world),
    looks: { jsonc: [onRedis] },
  },
  'docs/guides/coming-from/swarmlord.md': {
    proves: 'B-19 B-20 B-21 B-22 B-23 B-24 B-37 B-38 B-39 B-40 B-42',
    ready: (world) => playModels(world),
    // The id is another one each time.
    change: (text, { said }) => {
      const [theirs] = idsIn(text);
      const [ours] = said.flatMap(({ stdout }) => idsIn(stdout));
      return theirs === undefined || ours === undefined ? text : text.replace(theirs, ours);
    },
  },
  'docs/guides/coming-from/swarms.md': bringing('agent_workspace/agents/Researcher/MEMORY.md', MEMORY_MD, {
    proves: 'A-11 A-50 A-52 A-53 A-54 A-55 A-56 A-57 A-58 A-59 A-60 A-61 A-62 A-63',
  }),
};
