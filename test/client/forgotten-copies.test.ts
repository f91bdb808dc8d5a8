/** Decision 24: forgetting a memory reaches the copies that Keepsake made of it, and the answer names what is left. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { call, scene } from '../agents/fixture.ts';

const CANARY = 'The vault of the zebra "Quillon" opens with the word xylotrope';

/** Files of the workspace that hold the canary, in any of the forms in which it is stored. */
function holders(folder: string): string[] {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  );
  return files
    .map(({ parentPath, name }) => join(parentPath, name))
    .filter((file) => readFileSync(file).includes('xylotrope'))
    .map((file) => file.slice(folder.length + 1));
}

describe('a memory that was recalled through a tool and then forgotten', () => {
  it('is in no tool result, summary, receipt or event, and in no file', async () => {
    const { agent, client, folder, server } = await scene([
      call('recall', { query: 'How does the vault of the zebra open?' }),
      'I looked it up.',
      'Nothing else.',
    ]);
    const memory = await client.agent({ name: 'alice' }).memory.add({ content: CANARY });
    const alice = agent({ name: 'alice', packs: ['facts'] });
    await alice.run('How does the vault open?');
    expect(JSON.stringify(server.requests[1]!.messages)).toContain('xylotrope');
    expect(holders(folder).length).toBeGreaterThan(0);

    const forgotten = await client.agent({ name: 'alice' }).memory.forget(memory.id);
    expect(forgotten.copiesRedacted).toBeGreaterThan(0);
    expect(forgotten.remains).toEqual([]);
    await alice.run('And now?');
    expect(JSON.stringify(server.requests.at(-1)!.messages)).not.toContain('xylotrope');
    await client.close();
    expect(holders(folder)).toEqual([]);
  });

  it('stays where a person said it, and the answer says where', async () => {
    const { agent, client, folder } = await scene([`Noted: ${CANARY}.`]);
    const memory = await client.agent({ name: 'alice' }).memory.add({ content: CANARY });
    await agent({ name: 'alice', packs: ['facts'] }).run(`Did you know? ${CANARY}`);
    const { remains } = await client.agent({ name: 'alice' }).memory.forget(memory.id);
    expect(remains).toContain('agents/alice/MEMORY.md');
    expect(remains.filter((place) => /^message msg_\w+ of alice$/.test(place))).toHaveLength(2);
    expect(readFileSync(join(folder, 'agents/alice/MEMORY.md'), 'utf8')).toContain('xylotrope');
  });
});
