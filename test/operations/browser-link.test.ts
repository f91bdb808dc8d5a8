/** `keepsake inspect` asks the server that runs for a link, and says what is wrong when there is none. */
import { expect, it, onTestFinished } from 'vitest';
import { browserLink } from '../../src/operations/browser-link.ts';
import { serve } from '../../src/surfaces/http/serve.ts';
import { testWorkspace } from '../fixtures/workspace.ts';

async function running() {
  const { folder, open } = testWorkspace();
  const server = await serve(await open().open(), { port: 0, version: '0.0.0' });
  onTestFinished(() => server.stop());
  return { folder, url: server.url };
}

it('gives a link that lets in once', async () => {
  const { folder, url } = await running();
  const link = await browserLink({ workspace: folder, url });
  expect((await fetch(link, { redirect: 'manual' })).status).toBe(303);
  expect((await fetch(link, { redirect: 'manual' })).status).toBe(401);
});

it('says when no server answers, when it serves another workspace, and when there never was one', async () => {
  const [one, other] = [await running(), await running()];
  await expect(browserLink({ workspace: one.folder, url: other.url })).rejects.toMatchObject({
    code: 'UNAUTHORIZED',
    hint: expect.stringContaining('another workspace'),
  });
  const { folder, open } = testWorkspace();
  await open().open();
  await expect(browserLink({ workspace: folder, url: one.url })).rejects.toMatchObject({ code: 'NOT_FOUND' });
  await expect(browserLink({ workspace: one.folder, url: 'http://127.0.0.1:1' })).rejects.toMatchObject({
    code: 'UNAVAILABLE',
    hint: expect.stringContaining('keepsake serve'),
  });
});
