/** A workspace with one of everything, and every answer that a reader can get from it. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Client } from '../../src/index.ts';
import type { TestWorkspace } from '../fixtures/workspace.ts';

/** One of everything that memory knows. */
export async function fill(workspace: TestWorkspace): Promise<Client> {
  const { clock, folder } = workspace;
  writeFileSync(join(folder, 'keepsake.jsonc'), '{ "memory": { "maxEntries": 4 } } // ours\n');
  const client = workspace.open();
  const alice = client.agent({ name: 'alice' });
  const lead = client.agent({ name: 'lead', role: 'lead' });
  const changed = await alice.memory.add({
    ...{ category: 'preference', content: 'Prefers tea.', tags: ['drinks'], confidence: 0.7 },
    metadata: { from: { nested: [1, null, 'ü'] } },
  });
  clock.advance(1_000);
  await alice.memory.update(changed.id, { content: 'Prefers green tea.', pinned: true });
  clock.advance(1_000);
  await alice.memory.undo(changed.id);
  const old = await alice.memory.add({ content: 'Lives in Oslo.', validFrom: clock.now() - 5_000 });
  clock.advance(1_000);
  await alice.memory.add({ content: 'Lives in Bergen.', supersedes: old.id });
  await alice.memory.add({ content: 'Leaves soon.', expiresAt: clock.now() + 50 });
  const gone = await alice.memory.add({ content: 'Never mind this secret plan.' });
  await alice.memory.forget(gone.id);
  await lead.memory.add({ content: 'The team ships on Fridays.', scope: 'swarm', origin: 'agent' });
  for (let i = 0; i < 4; i++) await alice.memory.add({ content: `Fact number ${i}`, source: 'extracted' });
  await alice.memory.get(changed.id);
  await alice.longTermMemory!.add('# Guide\n\nBearer prefixes are needed.', { title: 'guide' });
  const conversation = await alice.shortMemory;
  await conversation.add('User', 'We ship the auth module on Friday.');
  await conversation.add('alice', 'Noted: Friday, ünïcode 🎉.');
  await conversation.compact({ summary: 'The auth module ships on Friday.' });
  await conversation.add('User', 'And Bob helps.');
  const chat = alice.conversation('chat-7');
  await chat.log.add('User', 'My printer prints blank pages.');
  await chat.log.archive();
  await alice.sections.save('projects', 'Phoenix: an ETL pipeline.');
  mkdirSync(join(folder, 'agents/alice/notes'), { recursive: true });
  writeFileSync(join(folder, 'agents/alice/notes/bytes.bin'), Buffer.from([0, 255, 10, 13, 128]));
  clock.advance(60_000);
  return client;
}

/** Every answer that a reader can get. */
export async function answers(client: Client): Promise<unknown> {
  const { storage, conversations } = await client.open();
  const owner = { viewer: { role: 'admin' as const }, via: 'sdk' as const };
  const records = await client.memory.list({ state: 'any', limit: 1_000 });
  const alice = { ...owner, viewer: { role: 'worker' as const, agent: 'alice' } };
  const agent = client.agent({ name: 'alice' });
  const inOrder = async (question: string) =>
    (await agent.memory.search(question, { limit: 20 })).map(({ id, relevance, score }) => [
      id,
      relevance,
      score,
    ]);
  return {
    agents: await storage.records.agents(),
    records,
    histories: await Promise.all(
      records.map(({ id }) => client.memory.history(id).catch((error: { code: string }) => error.code)),
    ),
    searches: await Promise.all(['tea', 'where does the user live', 'fact', 'ship'].map(inOrder)),
    recalled: await agent.memory.recall('which tea, and when do we ship?'),
    log: (await conversations.messages({ limit: 100 }, alice)).map(({ seq: _, ...message }) => message),
    found: (await conversations.search({ query: 'auth' }, alice)).map(({ id }) => id),
    threads: (await agent.log.list()).map(({ thread, archivedAt }) => [thread, archivedAt]),
    archives: await conversations.archives(alice).list(),
    sections: await agent.sections.list(),
    knowledge: (await agent.knowledge.search('bearer')).map(({ content, citation }) => [content, citation]),
    start: (await (await agent.shortMemory).messages()).map(({ seq: _, ...message }) => message),
  };
}
