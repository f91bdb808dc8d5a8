/** Examples for swarms and their runs in docs/reference/sdk.md; test/docs/examples.test.ts runs them. */
import type { ChatModel, Client } from '../../../src/index.ts';

export async function swarms(client: Client, model: ChatModel): Promise<void> {
  // @example Client.swarm
  const swarm = client.swarm({
    name: 'market-research',
    agents: [
      { name: 'scout', model },
      { name: 'analyst', model },
    ],
    lead: { name: 'editor', model },
    budget: 2,
  });
  // @end

  // @example Swarm.run
  const outcome = await swarm.run('Who sells green hydrogen?');
  console.log(outcome.output, outcome.run.status); // On Friday. completed
  // @end

  // @example Swarm.start
  await using run = await swarm.start({ task: 'Compare the three vendors.', state: { vendors: [] } });
  // @end

  // @example SwarmRun.ask
  const found = await run.ask('scout', 'List the vendors.');
  console.log(found); // On Friday.
  // @end

  // @example RunState.set
  await run.state.set('/vendors', ['Acme']);
  // @end

  // @example RunState.append
  const { length } = await run.stateAs('scout').append('/vendors', 'Globex');
  console.log(length); // 2
  // @end

  // @example RunState.increment
  const { value } = await run.state.increment('/checked');
  console.log(value); // 1
  // @end

  // @example RunState.merge
  await run.state.merge({ status: 'research_complete', checked: null });
  // @end

  // @example RunState.patch
  await run.state.patch([
    { op: 'test', path: '/vendors/0', value: 'Acme' },
    { op: 'remove', path: '/vendors/0' },
  ]);
  // @end

  // @example RunState.get
  console.log(await run.state.get('/vendors')); // [ 'Globex' ]
  // @end

  // @example RunState.read
  const { version, document } = await run.state.read();
  console.log(version > 4, document.status); // true research_complete
  // @end

  // @example RunState.remove
  await run.state.remove('/vendors');
  // @end

  // @example RunState.changes
  const changes = await run.state.changes({ limit: 100 });
  console.log(changes.length > 5); // true
  // @end

  // @example RunHandle.messages
  const messages = await run.messages({ agent: 'scout' });
  console.log(messages.length > 0); // true
  // @end

  // @example SwarmRun.complete
  console.log(await run.complete('Globex is the cheapest vendor.')); // true
  // @end

  // @example Runs.list
  const runs = await client.runs.list({ swarm: 'market-research' });
  console.log(runs.map(({ status }) => status)); // [ 'completed', 'completed' ]
  // @end

  // @example Runs.get
  const handle = await client.runs.get(run.id);
  // @end

  // @example RunHandle.details
  console.log((await handle.details()).status); // completed
  // @end

  const second = await swarm.start({ task: 'Another task.' });

  // @example RunHandle.cancel
  console.log(await (await client.runs.get(second.id)).cancel('The question was wrong.')); // true
  // @end

  const third = await swarm.start({ task: 'A third task.' });

  // @example SwarmRun.fail
  console.log(await third.fail('The source is offline.')); // true
  // @end
}
