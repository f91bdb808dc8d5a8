/** The pair of streams: answers after the end of the input, lines that are no messages, and the end itself. */
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { runStdio } from '../../../src/surfaces/mcp/index.ts';
import { ALICE, openWorkspace } from './support/connect.ts';

const HELLO = {
  method: 'initialize',
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 't', version: '1' } },
};
const line = (message: object): string => `${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`;
const remember = (id: number) =>
  line({
    id,
    method: 'tools/call',
    params: { name: 'remember', arguments: { content: `Fact number ${id}.` } },
  });

/** With `stop`, the input stays open and the server is told to stop as soon as it says something. */
async function converse(input: string, stop?: AbortController) {
  const { engine } = await openWorkspace();
  const [stdin, stdout] = [new PassThrough(), new PassThrough()];
  const errors: string[] = [];
  const said = text(stdout);
  const options = {
    input: stdin,
    output: stdout,
    onError: (error: Error) => void errors.push(error.message),
  };
  const served = runStdio(engine, ALICE, {
    ...options,
    ...(stop === undefined ? {} : { signal: stop.signal }),
  });
  stdin.write(input);
  if (stop === undefined) stdin.end();
  else stdout.once('data', () => stop.abort());
  await served;
  stdout.end();
  const answers = (await said)
    .split('\n')
    .filter((each) => each !== '')
    .map((each) => JSON.parse(each));
  return {
    engine,
    errors,
    answers: answers as { id: number; result?: { isError?: boolean }; error?: object }[],
  };
}

describe('MCP over a pair of streams', () => {
  it('answers everything that was asked before the input ended', async () => {
    const ids = Array.from({ length: 40 }, (_, i) => i + 2);
    const { engine, answers } = await converse(line({ id: 1, ...HELLO }) + ids.map(remember).join(''));
    expect(answers.map(({ id }) => id).sort((a, b) => a - b)).toEqual([1, ...ids]);
    expect(answers.every(({ error, result }) => error === undefined && result?.isError !== true)).toBe(true);
    expect(await engine.records.list({ limit: 100 }, { viewer: ALICE, via: 'sdk' })).toHaveLength(40);
  });

  it('goes on after lines that are no messages', async () => {
    const noise = 'hello\n{"jsonrpc":"2.0"}\n\n[1,2\n';
    const { answers, errors } = await converse(noise + line({ id: 1, ...HELLO }) + noise + remember(2));
    expect(answers.map(({ id }) => id)).toEqual([1, 2]);
    // Said in one line each, which is what a client shows.
    expect(errors).toEqual(Array(2).fill('Skipped a line that is not a JSON-RPC message.'));
  });

  it('ends at once when nobody ever says anything', async () => {
    expect((await converse('')).answers).toEqual([]);
  });

  it('does not wait for the answer to a question that was taken back', async () => {
    const cancelled = line({ method: 'notifications/cancelled', params: { requestId: 2 } });
    const { answers } = await converse(line({ id: 1, ...HELLO }) + remember(2) + cancelled);
    expect(answers[0]).toMatchObject({ id: 1 });
  });

  it('finishes what was asked when it is told to stop', async () => {
    const stop = new AbortController();
    // All three questions come in one piece, so with the first answer all have been read.
    const { answers } = await converse(line({ id: 1, ...HELLO }) + remember(2) + remember(3), stop);
    expect(answers.map(({ id }) => id).sort()).toEqual([1, 2, 3]);
  });
});
