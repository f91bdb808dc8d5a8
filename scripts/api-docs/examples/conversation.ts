/** Examples for conversations and archives in docs/reference/sdk.md; test/docs/examples.test.ts runs them. */
import { join } from 'node:path';
import type { Client } from '../../../src/index.ts';

export async function conversations(client: Client, folder: string): Promise<void> {
  // @example AgentHandle.shortMemory
  const agent = client.agent({ name: 'my-agent' });
  const conversation = await agent.shortMemory;
  // @end

  // @example Conversation.add
  await conversation.add('User', 'We ship the auth module on Friday.');
  const { id } = await conversation.add('my-agent', 'Noted: Friday.');
  // @end

  // @example Conversation.messages
  const all = await conversation.messages();
  console.log(all.map(({ content }) => content)); // [ 'We ship the auth module on Friday.', 'Noted: Friday.' ]
  // @end

  // @example Conversation.turns
  console.log((await conversation.turns()).length); // 2
  // @end

  // @example Conversation.toMessages
  const forModel = await conversation.toMessages();
  console.log(forModel.map(({ role }) => role)); // [ 'user', 'assistant' ]
  // @end

  // @example Conversation.toDict
  console.log((await conversation.toDict())[0]?.role); // User
  // @end

  // @example Conversation.returnHistoryAsString
  const text = await conversation.returnHistoryAsString();
  console.log(text.includes('Friday')); // true
  // @end

  // @example Conversation.getFinalMessageContent
  console.log(await conversation.getFinalMessageContent()); // Noted: Friday.
  // @end

  // @example Conversation.search
  console.log((await conversation.search('auth friday')).length); // 1
  // @end

  // @example Conversation.searchKeyword
  console.log((await conversation.searchKeyword('FRIDAY')).length); // 2
  // @end

  // @example Conversation.update
  await conversation.update(id, 'Noted: the auth module ships on Friday.');
  // @end

  // @example Conversation.export
  const file = await conversation.export({ path: join(folder, 'conversation.json') });
  // @end

  // @example Conversation.saveAsYaml
  await conversation.saveAsYaml({ path: join(folder, 'conversation.yaml') });
  // @end

  // @example Conversation.saveAsJson
  await conversation.saveAsJson({ path: join(folder, 'copy.json') });
  // @end

  // @example Conversation.compact
  const compacted = await conversation.compact({ summary: 'The auth module ships on Friday.' });
  console.log(compacted.archive !== null); // true
  // @end

  // @example Conversation.moreContext
  const earlier = await conversation.moreContext({ query: 'auth module' });
  console.log(earlier.messages[0]?.content); // We ship the auth module on Friday.
  // @end

  // @example Archives.list
  const [archive] = await conversation.archives.list();
  // @end

  const name = archive!.name;

  // @example Archives.read
  const raw = await conversation.archives.read(name);
  console.log(raw.includes('We ship the auth module')); // true
  // @end

  // @example Archives.messages
  console.log((await conversation.archives.messages(name)).length); // 2
  // @end

  // @example Archives.search
  console.log((await conversation.archives.search('noted friday')).length); // 1
  // @end

  // @example Archives.restore
  await conversation.archives.restore(name);
  // @end

  // @example Conversation.load
  const other = await client.agent({ name: 'other-agent' }).shortMemory;
  console.log(await other.load(file)); // 2
  // @end

  // @example Conversation.delete
  const last = await other.add('User', 'Forget this.');
  await other.delete(last.id);
  // @end

  // @example Conversation.clear
  await conversation.clear();
  console.log((await conversation.turns()).length); // 0
  // @end

  // @example AgentHandle.compressIfNeeded
  const compression = await agent.compressIfNeeded();
  console.log(compression?.compressed); // false
  // @end
}
