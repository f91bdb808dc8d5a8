/** Examples for the methods of long-term memory in docs/reference/sdk.md; test/docs/examples.test.ts runs them. */
import type { Client } from '../../../src/index.ts';

export async function memory(client: Client): Promise<void> {
  const agent = client.agent({ name: 'memory-agent' });

  // @example AgentMemory.add
  const added = await agent.memory.add({
    content: 'The user prefers Python 3.12.',
    category: 'preference',
    tags: ['python'],
  });
  console.log(added.outcome); // added
  // @end

  await agent.memory.add({ content: 'The staging database runs on Postgres 17.', category: 'fact' });
  const { id } = added;

  // @example Memory.search
  const hits = await agent.memory.search('Which python version does the user prefer?', { limit: 3 });
  console.log(hits[0]?.content); // The user prefers Python 3.12.
  console.log(hits[0]!.relevance > 0.5); // true
  // @end

  // @example Memory.recall
  const { standing, relevant } = await agent.memory.recall('Set up the staging database', { maxChars: 800 });
  console.log(standing.map(({ content }) => content)); // [ 'The user prefers Python 3.12.' ]
  console.log(relevant.map(({ content }) => content)); // [ 'The staging database runs on Postgres 17.' ]
  // @end

  // @example AgentMemory.context
  const { text } = await agent.memory.context('Set up the staging database');
  console.log(text.includes('Postgres 17')); // true
  // @end

  // @example Memory.standing
  const always = await agent.memory.standing();
  console.log(always.memories.map(({ content }) => content)); // [ 'The user prefers Python 3.12.' ]
  // @end

  // @example Memory.get
  const one = await agent.memory.get(id, { peek: true });
  console.log(one.category, one.tags); // preference [ 'python' ]
  // @end

  // @example Memory.list
  const preferences = await agent.memory.list({ category: 'preference', limit: 10 });
  console.log(preferences.length); // 1
  // @end

  // @example Memory.outline
  const outline = await agent.memory.outline({ category: 'preference' });
  console.log(outline.total); // 1
  // @end

  // @example Memory.update
  const { version } = await agent.memory.update(id, { content: 'The user prefers Python 3.13.' });
  console.log(version); // 2
  // @end

  // @example Memory.history
  const versions = await agent.memory.history(id);
  console.log(versions.map(({ content }) => content)); // [ 'The user prefers Python 3.12.', 'The user prefers Python 3.13.' ]
  // @end

  // @example Memory.undo
  await agent.memory.undo(id);
  console.log((await agent.memory.get(id)).content); // The user prefers Python 3.12.
  // @end

  // @example Memory.promote
  await agent.memory.promote(id);
  console.log((await agent.memory.get(id)).scope); // swarm
  // @end

  // @example AgentMemory.teach
  await client.agent({ name: 'lead', role: 'lead' }).memory.teach({
    learning: 'Run the linter before every commit.',
    category: 'best-practice',
  });
  const known = await agent.memory.search('What should run before every commit?');
  console.log(known[0]?.content); // Run the linter before every commit.
  // @end

  // @example Memory.profile
  const dana = client.agent({ name: 'support', user: 'dana' });
  await dana.memory.add({ content: 'Dana prefers e-mail to phone calls.', category: 'preference' });
  const profile = await client.user('dana').profile();
  console.log(profile.text.includes('prefers e-mail')); // true
  // @end

  // @example Memory.forget
  const forgotten = await agent.memory.forget(id);
  console.log(forgotten.versions); // 4
  // @end

  // @example Memory.forgetExpired
  const expired = await agent.memory.forgetExpired({ dryRun: true });
  console.log(expired.expired.length, expired.erased); // 0 0
  // @end

  // @example OwnerMemory.stats
  const stats = await client.memory.stats({ days: 7 });
  console.log(stats.days.length); // 7
  // @end
}
