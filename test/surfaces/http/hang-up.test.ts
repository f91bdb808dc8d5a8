/** A client that hangs up in the middle of a request or an answer is not a defect of the server. */
import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { expect, it, onTestFinished, vi } from 'vitest';
import { serve } from '../../../src/surfaces/http/serve.ts';
import { testWorkspace } from '../../fixtures/workspace.ts';

/** What the client sends before it hangs up, around the headers that all have. */
const CUT_OFF: readonly (readonly [line: string, rest: string])[] = [
  ['POST /v1/memory', 'content-length: 5000\r\n\r\n{"content":"half'],
  ['POST /v1/memory', 'transfer-encoding: chunked\r\n\r\n5\r\n{"con\r\n'],
  ['POST /v1/log/import', 'content-length: 900000\r\n\r\n{"text":"half'],
  ['POST /mcp', 'accept: application/json, text/event-stream\r\ncontent-length: 5000\r\n\r\n{"jsonrpc"'],
  ['GET /v1/events', '\r\n'],
  ['GET /v1/memory?limit=1000', '\r\n'],
];

it('leaves one line in the log, and no stack trace', async () => {
  const outputs = (['info', 'log', 'warn', 'error'] as const).map((name) =>
    vi.spyOn(console, name).mockImplementation(() => {}),
  );
  onTestFinished(() => {
    for (const output of outputs) output.mockRestore();
  });
  const client = testWorkspace().open();
  const { memory } = client.agent({ name: 'alice' });
  for (let i = 0; i < 20; i++) await memory.add({ content: `${i} ${'word '.repeat(3_000)}` });
  const lines: string[] = [];
  const running = await serve(await client.open(), {
    ...{ port: 0, version: '0', log: { level: 'info', format: 'json' } },
    writeLog: (line) => lines.push(line),
  });
  onTestFinished(() => running.stop());
  const key = readFileSync(running.serverKeyFile, 'utf8').trim();
  const head = `host: 127.0.0.1:${running.port}\r\nauthorization: Bearer ${key}\r\nkeepsake-agent: alice\r\n`;
  for (const [line, rest] of CUT_OFF) {
    lines.length = 0;
    const isAnswered = line.startsWith('GET');
    const socket = connect(running.port, '127.0.0.1');
    await new Promise<void>((resolve) => {
      socket.write(`${line} HTTP/1.1\r\n${head}content-type: application/json\r\n${rest}`, () => {
        if (!isAnswered) resolve();
      });
      socket.once('data', () => resolve());
    });
    // Answered after the server has begun to read the other request.
    await fetch(`${running.url}/healthz`);
    socket.resetAndDestroy();
    await vi.waitFor(() => expect(lines).not.toEqual([]), { timeout: 10_000 });
    const entries = lines.map((entry) => JSON.parse(entry) as Record<string, unknown>);
    expect(entries).toMatchObject([{ event: 'request', status: isAnswered ? 200 : 499 }]);
  }
  await running.stop();
  expect(outputs.flatMap((output) => output.mock.calls)).toEqual([]);
});
