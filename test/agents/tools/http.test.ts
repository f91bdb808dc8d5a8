/** http_request keeps out of the machine and its network; the servers here are let through by name. */
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import type { AddressInfo, LookupFunction } from 'node:net';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { expect, it, onTestFinished } from 'vitest';
import { type HttpToolOptions, httpTool } from '../../../src/agents/tools/http.ts';
import { isInternalAddress } from '../../../src/runtime/internal-addresses.ts';
import { call, scene, textOf } from '../fixture.ts';

async function webServer(
  answer: RequestListener,
): Promise<{ url: string; host: string; requests: IncomingMessage[] }> {
  const requests: IncomingMessage[] = [];
  const server = createServer((request, response) => {
    requests.push(request);
    answer(request, response);
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
  return { url: `http://${host}`, host, requests };
}

interface Asked {
  readonly status: number;
  readonly url: string;
  readonly body: string;
}

async function ask(
  options: HttpToolOptions,
  input: object,
  signal = new AbortController().signal,
): Promise<Asked> {
  const tool = httpTool(options);
  return (await tool.run(tool.input.parse(input) as never, { agent: null, session: 's', signal })) as Asked;
}

const redirect = (response: ServerResponse, location: string, status = 302): void => {
  response.writeHead(status, { location }).end();
};

it('knows internal addresses of every kind', () => {
  const internal = [
    ...['0.0.0.0', '10.1.2.3', '100.64.0.1', '127.0.0.1', '127.255.255.254', '169.254.169.254', '172.31.0.1'],
    ...['192.168.1.1', '192.0.0.192', '168.63.129.16', '198.18.0.1', '224.0.0.1', '255.255.255.255'],
    ...[
      '::',
      '::1',
      '::ffff:127.0.0.1',
      '::ffff:7f00:1',
      '::127.0.0.1',
      '64:ff9b::7f00:1',
      '64:ff9b:1::7f00:1',
    ],
    ...[
      'fc00::1',
      'fd00:ec2::254',
      'fe80::1',
      'fe80::1%eth0',
      'fec0::1',
      'ff02::1',
      '2001::1',
      '2002:7f00:1::',
    ],
    ...['2001:db8::1', '100::1', 'localhost', ''],
  ];
  for (const address of internal) expect(isInternalAddress(address), address).toBe(true);
  for (const address of [
    '1.1.1.1',
    '8.8.8.8',
    '172.32.0.1',
    '192.169.0.1',
    '2606:4700::1111',
    '2a00:1450::200e',
  ]) {
    expect(isInternalAddress(address), address).toBe(false);
  }
});

it('refuses them in an address, however they are written', async () => {
  const hosts = [
    ...[
      '127.0.0.1',
      'localhost',
      'LOCALHOST',
      '127.1',
      '2130706433',
      '0x7f000001',
      '0177.0.0.1',
      '0.0.0.0',
      '0',
    ],
    ...[
      '10.0.0.1',
      '192.168.0.1',
      '169.254.169.254',
      '[::1]',
      '[::]',
      '[::ffff:127.0.0.1]',
      '[0:0:0:0:0:0:0:1]',
    ],
    ...['[fd00::1]', '[fe80::1]', '[64:ff9b::127.0.0.1]', '１２７.0.0.1'],
  ];
  for (const host of hosts) {
    await expect(ask({}, { url: `http://${host}:9/` }), host).rejects.toMatchObject({ code: 'FORBIDDEN' });
  }
  await expect(ask({}, { url: 'http://user:word@127.0.0.1:9/' })).rejects.toMatchObject({
    code: 'FORBIDDEN',
  });
});

it('refuses a name that leads inside, at the moment of connecting', async () => {
  const inside = await webServer((_, response) => response.end('secret'));
  const port = inside.host.split(':')[1];
  const leadsTo =
    (...addresses: string[]): LookupFunction =>
    (_, options, callback) => {
      const found = addresses.map((address) => ({ address, family: 4 }));
      if (options.all === true) callback(null, found);
      else callback(null, found[0]!.address, 4);
    };
  for (const lookup of [
    leadsTo('127.0.0.1'),
    leadsTo('93.184.215.14', '127.0.0.1'),
    leadsTo('169.254.169.254'),
  ]) {
    await expect(ask({ lookup }, { url: `http://rebound.example:${port}/` })).rejects.toMatchObject({
      code: 'FORBIDDEN',
      message: 'rebound.example is an address of this machine or its private network.',
    });
  }
  expect(inside.requests).toEqual([]);
});

it('asks other things than the web for nothing', async () => {
  for (const url of ['file:///etc/passwd', 'ftp://example.com/', 'data:text/plain,hello']) {
    await expect(ask({}, { url }), url).rejects.toMatchObject({ code: 'FORBIDDEN' });
  }
});

it('allowHosts lets one host through, and that one only', async () => {
  const one = await webServer((_, response) => response.end('hello'));
  const other = await webServer((_, response) => response.end('secret'));
  expect(await ask({ allow: [one.host] }, { url: one.url })).toEqual({
    status: 200,
    url: `${one.url}/`,
    body: 'hello',
  });
  await expect(ask({ allow: [one.host] }, { url: other.url })).rejects.toMatchObject({ code: 'FORBIDDEN' });
  expect((await ask({ allow: ['LOCALHOST'] }, { url: one.url.replace('127.0.0.1', 'localhost') })).body).toBe(
    'hello',
  );
  expect(other.requests).toEqual([]);
});

it('follows redirects, and checks every host on the way', async () => {
  const inside = await webServer((_, response) => response.end('secret'));
  const outside = await webServer((request, response) => {
    if (request.url === '/moved') return redirect(response, '/here');
    if (request.url === '/inside') return redirect(response, inside.url);
    if (request.url === '/metadata') return redirect(response, 'http://169.254.169.254/latest/meta-data/');
    if (request.url === '/file') return redirect(response, 'file:///etc/passwd');
    if (request.url === '/round') return redirect(response, '/round');
    response.end('here');
  });
  const allow = [outside.host];
  expect(await ask({ allow }, { url: `${outside.url}/moved` })).toMatchObject({
    body: 'here',
    url: `${outside.url}/here`,
  });
  for (const path of ['/inside', '/metadata', '/file']) {
    await expect(ask({ allow }, { url: outside.url + path }), path).rejects.toMatchObject({
      code: 'FORBIDDEN',
    });
  }
  await expect(ask({ allow }, { url: `${outside.url}/round` })).rejects.toThrow(
    'redirects more than 5 times',
  );
  expect(inside.requests).toEqual([]);
});

it('what proves who one is does not follow to another host, and a form is not sent twice', async () => {
  const other = await webServer((_, response) => response.end('other'));
  const first = await webServer((request, response) =>
    redirect(response, other.url, request.url === '/303' ? 303 : 307),
  );
  const allow = ['127.0.0.1'];
  const headers = { Authorization: 'Bearer x', cookie: 'a=b', 'X-Other': 'c', host: 'evil.example' };
  await ask({ allow }, { url: `${first.url}/303`, method: 'POST', body: 'form', headers });
  await ask({ allow }, { url: `${first.url}/307`, method: 'POST', body: 'form', headers });
  expect(first.requests[0]!.headers).toMatchObject({
    authorization: 'Bearer x',
    host: first.host,
    'content-length': '4',
  });
  for (const request of other.requests) {
    expect(request.headers).toMatchObject({ 'x-other': 'c', host: other.host });
    expect(Object.keys(request.headers)).not.toContain('authorization');
    expect(Object.keys(request.headers)).not.toContain('cookie');
  }
  expect(other.requests.map(({ method }) => method)).toEqual(['GET', 'POST']);
});

it('sends what it is told to, and shows status and body', async () => {
  let body = '';
  const server = await webServer((request, response) => {
    request.on('data', (chunk) => {
      body += chunk;
    });
    request.on('end', () => response.writeHead(418).end('short and stout'));
  });
  const answer = await ask(
    { allow: [server.host] },
    { url: `${server.url}/pot`, method: 'PUT', body: 'tëa' },
  );
  expect(answer).toEqual({ status: 418, url: `${server.url}/pot`, body: 'short and stout' });
  expect(body).toBe('tëa');
  expect(server.requests[0]!.method).toBe('PUT');
});

it('reads packed bodies, and cuts large ones by what they unpack to', async () => {
  const server = await webServer((request, response) => {
    const text = 'x'.repeat(50_000);
    if (request.url === '/gzip')
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync('packed'));
    else if (request.url === '/br')
      response.writeHead(200, { 'content-encoding': 'br' }).end(brotliCompressSync(text));
    else if (request.url === '/broken')
      response.writeHead(200, { 'content-encoding': 'gzip' }).end('not packed');
    else response.end(text);
  });
  const options = { allow: [server.host], maxBytes: 1_000 };
  expect((await ask(options, { url: `${server.url}/gzip` })).body).toBe('packed');
  for (const path of ['/br', '/plain']) {
    expect((await ask(options, { url: server.url + path })).body).toBe(
      `${'x'.repeat(1_000)}\n… (cut after 1000 bytes)`,
    );
  }
  await expect(ask(options, { url: `${server.url}/broken` })).rejects.toThrow();
});

it('gives up on a server that is silent, before or in the middle of its answer', async () => {
  const server = await webServer((request, response) => {
    if (request.url === '/half') response.writeHead(200).write('half');
  });
  for (const path of ['/silent', '/half']) {
    await expect(
      ask({ allow: [server.host], timeoutMs: 60 }, { url: server.url + path }),
      path,
    ).rejects.toMatchObject({
      code: 'TIMEOUT',
      message: `${server.host} took longer than 0.06 seconds.`,
    });
  }
});

it('stops when the run is stopped', async () => {
  const stop = new AbortController();
  const server = await webServer(() => stop.abort());
  await expect(ask({ allow: [server.host] }, { url: server.url }, stop.signal)).rejects.toThrow();
  await expect.poll(() => server.requests[0]?.destroyed).toBe(true);
});

it('says who did not answer', async () => {
  const server = await webServer((request) => request.socket.destroy());
  await expect(ask({ allow: [server.host] }, { url: server.url })).rejects.toMatchObject({
    code: 'UNAVAILABLE',
    message: expect.stringContaining(`${server.host} did not answer`),
  });
});

it('an agent has it when it asks for the pack, and is told why not', async () => {
  const web = await webServer((_, response) => response.end('the news'));
  const { agent, server } = await scene([
    call('http_request', { url: web.url }),
    call('http_request', { url: web.url }),
    'Read.',
  ]);
  await agent({ packs: ['http'] }).run('Read the news.');
  expect(textOf(server.requests[1]!.messages.at(-1)!)).toBe(
    `http_request → ${web.host} is an address of this machine or its private network. Only public addresses can be requested.`,
  );
  server.script(call('http_request', { url: web.url }), 'Read.');
  await agent({ name: 'bob', packs: ['http'], allowHosts: [web.host] }).run('Read the news.');
  expect(textOf(server.requests.at(-1)!.messages.at(-1)!)).toContain('"body": "the news"');
});
