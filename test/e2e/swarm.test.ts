/** `keepsake swarm` in real processes: the research example, and a run that others look at, cancel, or find dead. */
import { once } from 'node:events';
import { expect, it } from 'vitest';
import { createClient } from '../../src/index.ts';
import { MINUTE } from '../../src/kernel/clock.ts';
import { fakeClock, type ScriptedReply, type ScriptedRequest } from '../../src/testing/index.ts';
import { agentsWorkspace, lastResult } from './support/agents-workspace.ts';

const TASK = 'How will Norway build its hydrogen economy?';
const MERGED = 'Norway will make hydrogen from hydropower at its coast.';

/** Behaves as the prompts of the example ask: shares a finding, then answers; the editor reads the state first. */
function researchers(request: ScriptedRequest): ScriptedReply {
  const { prompt } = request;
  const tool = (name: string, args: object): ScriptedReply => ({ toolCalls: [{ name, arguments: args }] });
  const done = lastResult(request) !== '';
  if (prompt.includes('the lead of the swarm'))
    return done ? MERGED : tool('state_get', { path: '/findings' });
  const claim = 'Electrolysers use surplus hydropower.';
  const value = { source: 'iea.org', claim, confidence: 0.9 };
  return done ? claim : tool('state_append', { path: '/findings', value });
}

it('C-01 C-07 C-08 C-12 C-19 C-23 the research example runs, is followed live, and builds on what it found before', async () => {
  const { keepsake, model } = await agentsWorkspace(researchers, 'research-swarm');
  expect((await keepsake('validate')).code).toBe(0);
  const first = await keepsake('swarm', 'run', 'market-research', TASK, '--watch');
  expect({ code: first.code, stdout: first.stdout }).toEqual({ code: 0, stdout: `${MERGED}\n` });
  expect(first.stderr).toMatch(/market-researcher append \/findings \{"source":"iea\.org"/);
  expect(first.stderr).toMatch(/technology-researcher ← User: How will Norway/);
  expect(first.stderr).toMatch(/· editor is done/);
  // The editor saw what both had shared.
  const seen = model.requests.map(lastResult).find((text) => text.includes('"version"'));
  expect(seen!.match(/iea\.org/g)).toHaveLength(2);

  const second = await keepsake('swarm', 'run', 'market-research', 'Hydrogen from Norway, again?', '--json');
  const { run, result, earlier } = JSON.parse(second.stdout);
  expect(second.stderr).toBe('');
  expect(result.links).toEqual([earlier[0].id]);
  expect(run).toMatchObject({ swarm: 'market-research', status: 'completed', result: result.id });
  const listed = JSON.parse((await keepsake('swarm', 'list', '--json')).stdout);
  expect(listed.map(({ task }: { task: string }) => task)).toEqual(['Hydrogen from Norway, again?', TASK]);
  const { stdout: words } = await keepsake('swarm', 'messages', run.id, '--from', 'editor');
  expect(words).toMatch(/^editor {2}today .*\n {2}Norway will make hydrogen/m);
});

it('C-09 a run is looked at and cancelled from other processes; what was said stays, the state does not', async () => {
  const asked = Promise.withResolvers<void>();
  const { keepsake, start, cwd } = await agentsWorkspace((request) => {
    if (lastResult(request) === '') return researchers(request);
    asked.resolve();
    return { hang: true };
  }, 'research-swarm');
  const running = start('swarm', 'run', 'market-research', TASK);
  let err = '';
  running.stderr!.on('data', (part: Buffer) => {
    err += String(part);
  });
  const ended = once(running, 'close');
  await asked.promise;
  const [{ id }] = JSON.parse((await keepsake('swarm', 'list', '--status', 'running', '--json')).stdout);
  const watcher = start('swarm', 'state', id, '/findings', '--watch', '--json');
  await using client = createClient({ workspace: cwd });
  const run = await client.runs.get(id);
  const changes: { path: string }[] = [];
  const watched = once(watcher, 'close');
  const seen = Promise.withResolvers<void>();
  watcher.stdout!.on('data', (part: Buffer) => {
    changes.push(
      ...String(part)
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line)),
    );
    seen.resolve();
  });
  // The watcher begins with the next change, whenever it has started.
  const poking = setInterval(() => void run.state.increment('/pokes').catch(() => {}), 50);
  await seen.promise;
  clearInterval(poking);
  expect(changes[0]).toMatchObject({ kind: 'change', by: '@program', op: 'increment', path: '/pokes' });

  const cancelled = await keepsake('swarm', 'cancel', id, '--reason', 'The question was wrong.');
  expect(cancelled).toMatchObject({ code: 0, stdout: expect.stringContaining(`Cancelled ${id}`) });
  expect((await ended)[0]).toBe(130);
  expect(err).toContain('The question was wrong.');
  expect((await watched)[0]).toBe(0);
  expect(await run.details()).toMatchObject({ status: 'cancelled', reason: 'The question was wrong.' });
  expect((await run.messages()).filter(({ role }) => role === 'Tool').length).toBeGreaterThan(0);
  const { code, stderr } = await keepsake('swarm', 'state', id);
  expect({ code, stderr }).toMatchObject({
    code: 66,
    stderr: expect.stringContaining('gone when a run ends'),
  });
  expect((await keepsake('swarm', 'cancel', id)).stdout).toContain('had ended before: it is cancelled');
});

it('C-09 a run whose process was killed is taken for dead a minute later, and its state goes with it', async () => {
  const asked = Promise.withResolvers<void>();
  const { start, cwd } = await agentsWorkspace(() => {
    asked.resolve();
    return { hang: true };
  }, 'research-swarm');
  const running = start('swarm', 'run', 'market-research', TASK);
  const ended = once(running, 'close');
  await asked.promise;
  running.kill('SIGKILL');
  await ended;
  const clock = fakeClock(new Date().toISOString());
  await using client = createClient({ workspace: cwd, clock });
  const [run] = await client.runs.list();
  expect(run).toMatchObject({ status: 'running' });
  expect(await (await client.runs.get(run!.id)).state.get('/status')).toBe('research');
  clock.advance(2 * MINUTE);
  expect(await client.runs.list()).toMatchObject([
    { id: run!.id, status: 'failed', reason: expect.stringContaining('the last sign of life came at') },
  ]);
  const { storage } = await client.open();
  expect(await storage.state.read(run!.id)).toBe(null);
});

it('says what is wrong, and what to do', async () => {
  const { keepsake, write } = await agentsWorkspace(() => 'x', 'research-swarm');
  expect(await keepsake('swarm', 'run', 'market-reserch', 'x')).toMatchObject({
    ...{ code: 66, stdout: '', stderr: expect.stringContaining('Did you mean "market-research"?') },
  });
  expect(await keepsake('swarm', 'get', 'run_none')).toMatchObject({
    ...{ code: 66, stderr: expect.stringContaining('keepsake swarm list') },
  });
  write('keepsake.jsonc', '{ "swarms": { "a": { "agents": ["nobody"], "lead": "editor" } } }');
  expect(await keepsake('swarm', 'run', 'a', 'x')).toMatchObject({
    ...{ code: 66, stderr: expect.stringContaining('No agent "nobody" is defined') },
  });
});
