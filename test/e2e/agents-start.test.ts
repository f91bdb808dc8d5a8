/** `keepsake start` in real processes. */
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import SqliteDatabase from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { runCli, temporaryFolder } from '../surfaces/cli/support/run-cli.ts';
import { agentsWorkspace, turnsOf } from './support/agents-workspace.ts';

const scheduled = (every: string) => `---\ntrigger:\n  type: schedule\n  every: ${every}\n---\nYou watch.\n`;

describe('keepsake start', () => {
  it('D-11 runs again and again in one thread, survives failures, and stops when told to', async () => {
    const { start, write, keepsake, model } = await agentsWorkspace((_, index) =>
      index === 1 ? { status: 500, message: 'out of order' } : `seen ${index}`,
    );
    write('agents/monitor.md', scheduled('1s'));
    write('agents/wrong.md', '---\nhistroy: low\n---\nx\n');
    const child = start('start');
    let out = '';
    let err = '';
    child.stderr!.on('data', (part: Buffer) => (err += part));
    child.stdout!.on('data', (part: Buffer) => {
      out += part;
      if (out.split('✓').length > 3) child.kill('SIGTERM');
    });
    const [code] = await once(child, 'close');
    expect(code).toBe(0);
    expect(out).toMatch(/^monitor schedule \(every 1s\), next now\nmonitor started today/);
    expect(out).toMatch(/monitor ✓ \d+\.\d s: seen 0/);
    expect(out).toMatch(/monitor ✗ \d+\.\d s: .*out of order/);
    expect(err).toContain('left out, because something is wrong with them: wrong');
    expect(turnsOf(model.requests[2]!).slice(0, 2)).toEqual(['user: Begin.', 'assistant: seen 0']);
    expect(JSON.parse((await keepsake('start', '--once', '--json')).stdout.split('\n')[0]!)).toMatchObject({
      type: 'schedule',
      agents: [{ name: 'monitor', lastOutcome: 'completed', lastStarted: expect.any(Number) }],
    });
  });

  it('once runs what is due, reports what was missed, and fails when a run does', async () => {
    const { keepsake, write, cwd } = await agentsWorkspace(['first', 'second', { status: 500 }]);
    write('agents/monitor.md', scheduled('1h'));
    expect((await keepsake('start', '--once')).stdout).toContain('first');
    expect((await keepsake('start', '--once')).stdout).not.toContain('started');
    const back = (hours: number): void => {
      const database = new SqliteDatabase(join(cwd, 'data/keepsake.db'));
      database
        .prepare(
          "UPDATE leases SET note = json_set(note, '$.started', note ->> '$.started' - ?) WHERE name = 'schedule:monitor'",
        )
        .run(hours * 3_600_000);
      database.close();
    };
    back(5.5);
    const late = await keepsake('start', '--once');
    expect(late.code).toBe(0);
    expect(late.stdout).toMatch(/monitor missed 4 runs since .*; one run makes up for it\nmonitor started/);
    expect(late.stdout).toContain('second');
    back(1);
    expect(await keepsake('start', '--once')).toMatchObject({
      code: 69,
      stdout: expect.stringContaining('✗'),
    });
  });

  it('once repeats at once what a killed process was at', async () => {
    const { start, keepsake, write, model } = await agentsWorkspace([{ hang: true }, 'after all']);
    write('agents/monitor.md', scheduled('1h'));
    const child = start('start', '--once');
    await expect.poll(() => model.requests.length).toBe(1);
    child.kill('SIGKILL');
    await once(child, 'close');
    const { code, stdout } = await keepsake('start', '--once');
    expect(stdout).toMatch(/monitor was interrupted .*; it is run again\nmonitor started/);
    expect(stdout).toContain('after all');
    expect(code).toBe(0);
  });

  it('is alone in its workspace', async () => {
    const { start, keepsake, write } = await agentsWorkspace(['once']);
    write('agents/monitor.md', scheduled('1h'));
    const child = start('start');
    await once(child.stdout!, 'data');
    const second = await keepsake('start', '--once');
    child.kill('SIGINT');
    await once(child, 'close');
    expect(second).toMatchObject({ code: 75, stderr: expect.stringContaining('Another "keepsake start"') });
  });

  it('begins no workspace where there is none', async () => {
    const cwd = temporaryFolder();
    for (const args of [['start'], ['why'], ['run', 'x'], ['chat', 'x']]) {
      expect(await runCli(args, { cwd })).toMatchObject({ code: 66, stdout: '' });
    }
    // Node keeps compiled code there.
    expect(readdirSync(cwd).filter((name) => name !== 'node-compile-cache')).toEqual([]);
  });
});
