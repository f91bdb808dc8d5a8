/** Everything about one user in a file, for an access request: all of it, and nothing about anybody else. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { testWorkspace } from '../fixtures/workspace.ts';

it('client.export(file, { user }) holds what is about the user in every layer, and can be imported', async () => {
  const { folder, open } = testWorkspace();
  const client = open();
  for (const user of ['dana', 'Dana', undefined]) {
    const word = `quokka of ${user ?? 'the agent'}`;
    const agent = client.agent({ name: 'support', ...(user === undefined ? {} : { user }) });
    const { id } = await agent.memory.add({ content: `Before: ${word}` });
    await agent.memory.update(id, { content: `Fact: ${word}` });
    if (user !== undefined) await client.user(user).memory.add({ content: `Everywhere: ${word}` });
    await agent.log.add('User', `Said: ${word}`);
    await agent.conversation('chat').log.add('User', `Thread: ${word}`);
    await agent.conversation('chat').log.archive();
    await agent.items.write([{ op: 'put', namespace: ['n'], key: 'k', value: { word }, texts: [] }]);
  }
  await client.agent({ name: 'support' }).sections.save('Notes', 'A quokka of the agent');
  const file = join(folder, 'dana.keepsake');
  const report = await client.export(file, { user: 'dana' });
  expect(report).toMatchObject({ records: 2, messages: 2, items: 1, files: 0 });
  const text = gunzipSync(readFileSync(file)).toString('utf8');
  for (const kind of ['Before', 'Fact', 'Everywhere', 'Said', 'Thread'])
    expect(text).toContain(`${kind}: quokka of dana`);
  expect(text).not.toMatch(/quokka of (Dana|the agent)/);

  const other = testWorkspace().open();
  await other.import(file);
  const dana = other.agent({ name: 'support', user: 'dana' });
  expect((await dana.memory.list()).map(({ content }) => content).toSorted()).toEqual([
    'Everywhere: quokka of dana',
    'Fact: quokka of dana',
  ]);
  expect(await dana.conversation('chat').log.get()).toMatchObject([{ content: 'Thread: quokka of dana' }]);
  const archived = (of: typeof dana) =>
    of.log.list().then((all) => all.map(({ thread, archivedAt }) => [thread, archivedAt]));
  const before = await archived(client.agent({ name: 'support', user: 'dana' }));
  expect(before).toContainEqual(['chat', expect.any(Number)]);
  expect(await archived(dana)).toEqual(before);
  const nobody = await client.export(join(folder, 'nobody.keepsake'), { user: 'nobody' });
  expect(nobody).toMatchObject({ records: 0, messages: 0, files: 0 });
  await expect(client.export(file, { user: '', force: true })).rejects.toMatchObject({
    code: 'INVALID_INPUT',
  });
});
