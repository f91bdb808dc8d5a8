/** Pages of the web and patterns as documents: fetched safely, kept in step, and stored as what somebody else wrote. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { knowledgeWorkspace } from './support/fixture.ts';
import { makePdf } from './support/make-pdf.ts';

interface Page {
  readonly body: string | Uint8Array;
  readonly type?: string;
  readonly status?: number;
  readonly location?: string;
}

/** A site whose pages a test may change. */
async function site(pages: Record<string, Page>) {
  const server = createServer(({ url }, response) => {
    const {
      body,
      type = 'text/html',
      status = 200,
      location,
    } = pages[url ?? ''] ?? { body: '', status: 404 };
    response.writeHead(status, { 'content-type': type, ...(location === undefined ? {} : { location }) });
    response.end(body);
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  onTestFinished(
    () =>
      new Promise((closed) => {
        server.close(() => closed());
        server.closeAllConnections();
      }),
  );
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { host, url: `http://${host}`, pages };
}

const at = (host: string) => knowledgeWorkspace({ config: { knowledge: { allowHosts: [host] } } });

describe('a page of the web', () => {
  it('is read as a document of origin web, cited by its address, and follows what it says', async () => {
    const { host, url, pages } = await site({
      '/zoo': { body: '<h1>Zoo</h1><script>x()</script><p>Zebras sleep standing.</p>' },
      '/book.bin': { body: makePdf(['Cover.', 'Whales sing at night.']), type: 'application/pdf' },
    });
    const { knowledge, chunks } = at(host);
    expect(await knowledge.add(`${url}/zoo#animals`)).toMatchObject({ files: 1, added: 1, skipped: [] });
    await knowledge.add(`${url}/book.bin`);
    expect((await chunks()).map(({ origin }) => origin)).toEqual(['web', 'web']);
    expect((await knowledge.search('how do zebras sleep'))[0]).toMatchObject({ citation: `${url}/zoo` });
    expect((await knowledge.search('whales'))[0]?.citation).toBe(`${url}/book.bin#page=1-2`);
    expect(await knowledge.refresh()).toMatchObject({ files: 2, added: 0, updated: 0 });

    pages['/zoo'] = { body: '<h1>Zoo</h1><p>Giraffes sleep standing, too.</p>' };
    expect(await knowledge.refresh()).toMatchObject({ updated: 1, skipped: [] });
    expect((await knowledge.search('giraffes'))[0]?.citation).toBe(`${url}/zoo`);

    // A server that is down may come back; a page that it says is gone will not.
    pages['/zoo'] = { body: '', status: 503 };
    expect(await knowledge.refresh()).toMatchObject({ removed: 0, skipped: [{ path: `${url}/zoo` }] });
    delete pages['/zoo'];
    expect(await knowledge.refresh()).toMatchObject({ removed: 1 });
    expect((await knowledge.list()).map(({ root }) => root)).toEqual([`${url}/book.bin`]);
    expect(await knowledge.remove(`${url}/book.bin`)).toEqual({ files: 1, removed: 1 });
  });

  it('is not touched when a folder around the workspace is indexed', async () => {
    const { host, url } = await site({ '/zoo': { body: '<p>Zebras sleep standing.</p>' } });
    const { knowledge, folder, write } = at(host);
    await knowledge.add(`${url}/zoo`);
    write('a.md', 'About apples.');
    expect(await knowledge.add(folder)).toMatchObject({ removed: 0 });
    expect(await knowledge.search('zebras')).toHaveLength(1);
  });

  it('is never asked for on this machine or its network, also not through a redirect', async () => {
    const { url, host } = await site({
      '/inside': { body: '<p>Secret.</p>' },
      '/to-metadata': { body: '', status: 302, location: 'http://169.254.169.254/latest/meta-data/' },
      '/to-file': { body: '', status: 302, location: 'file:///etc/hostname' },
    });
    const { knowledge } = knowledgeWorkspace();
    await expect(knowledge.add(`${url}/inside`)).rejects.toMatchObject({
      message: expect.stringContaining('address of this machine or its'),
    });
    const allowed = at(host).knowledge;
    for (const [path, reason] of [
      ['/to-metadata', 'address of this machine or its'],
      ['/to-file', 'not a protocol of the web'],
      ['/none', 'status 404'],
    ])
      await expect(allowed.add(url + path)).rejects.toMatchObject({
        code: 'INVALID_INPUT',
        message: expect.stringContaining(reason!),
      });
    await expect(allowed.add('https://user:secret@example.org/')).rejects.toMatchObject({
      code: 'INVALID_INPUT',
    });
  });

  it('is refused when it is larger than a file may be', async () => {
    const { host, url } = await site({
      '/large': { body: 'x'.repeat(10 * 1024 * 1024 + 1), type: 'text/plain' },
    });
    await expect(at(host).knowledge.add(`${url}/large`)).rejects.toMatchObject({
      message: expect.stringContaining('10 MB'),
    });
  });
});

describe('a pattern', () => {
  it('adds what it fits, and follows files that come and go', async () => {
    const { knowledge, write, erase, path } = knowledgeWorkspace();
    for (const name of ['docs/a.md', 'docs/deep/b.md', 'docs/c.txt', 'other/d.md'])
      write(name, `About ${name}.`);
    expect(await knowledge.add(path('docs/**/*.md'))).toMatchObject({ files: 2, added: 2 });
    const files = async () => (await knowledge.list()).flatMap((each) => each.files.map((file) => file.path));
    expect(await files()).toEqual(['docs/a.md', 'docs/deep/b.md']);
    expect((await knowledge.list()).map(({ root }) => root)).toEqual(['docs/**/*.md']);
    write('docs/new/e.md', 'About the new one.');
    write('docs/new/f.txt', 'About no one.');
    erase('docs/a.md');
    expect(await knowledge.refresh()).toMatchObject({ added: 1, removed: 1 });
    expect(await files()).toEqual(['docs/deep/b.md', 'docs/new/e.md']);
  });

  it('is not one where a file has such a name', async () => {
    const { knowledge, write, path } = knowledgeWorkspace();
    write('app/[id].md', 'About one id.');
    write('app/i.md', 'About i.');
    await knowledge.add(path('app/[id].md'));
    expect((await knowledge.list())[0]?.files.map((file) => file.path)).toEqual(['app/[id].md']);
    expect(await knowledge.refresh()).toMatchObject({ files: 1, removed: 0 });
  });

  it('leads nobody out of the workspace who is not at this machine', async () => {
    const { client } = knowledgeWorkspace();
    const { knowledge } = await client.open();
    const remote = { viewer: { agent: 'alice', role: 'worker' }, via: 'http' } as const;
    for (const pattern of ['/etc/*', '../*', 'docs/../../*'])
      await expect(knowledge.add({ path: pattern }, remote)).rejects.toMatchObject({
        code: expect.stringMatching(/FORBIDDEN|NOT_FOUND/),
      });
  });
});
