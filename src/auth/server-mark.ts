/** A private file with the address of the running server of a workspace; it is removed when the server stops. */
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { z } from '../kernel/zod.ts';

const serverMark = z.object({
  url: z.url(),
  pid: z.int().positive(),
  /** A folder may be shared by machines and containers, whose processes have numbers of their own. */
  host: z.string(),
  startedAt: z.int(),
  /** Opens this very server as long as it runs, so that a stranger who later gets its port learns nothing of use. */
  secret: z.string(),
});

export type ServerMark = z.output<typeof serverMark>;

const NAME = /^server\.[0-9a-f]{12}\.json$/;

/** Whether a process of this machine still runs; one of another user does, too. */
function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

function readMark(path: string): ServerMark | undefined {
  try {
    return serverMark.parse(JSON.parse(readFileSync(path, 'utf8')));
  } catch {
    // Half written by a process that was killed, or gone by now.
    return undefined;
  }
}

interface Found {
  readonly path: string;
  readonly mark: ServerMark | undefined;
}

function marksIn(folder: string): Found[] {
  let names: string[];
  try {
    names = readdirSync(folder).filter((name) => NAME.test(name));
  } catch {
    return [];
  }
  return names.map((name) => ({ path: join(folder, name), mark: readMark(join(folder, name)) }));
}

const isHere = ({ host }: ServerMark): boolean => host === hostname();

/** Servers of this machine whose processes are there, the newest first. */
export function runningServers(folder: string): readonly ServerMark[] {
  return marksIn(folder)
    .flatMap(({ mark }) => (mark !== undefined && isHere(mark) && isAlive(mark.pid) ? [mark] : []))
    .sort((a, b) => b.startedAt - a.startedAt);
}

/**
 * Leaves the mark, and clears those of servers that had no time to. Returns what takes it away again. Where it cannot be written,
 * the server serves all the same, and whoever looks for it has to be told its address.
 */
export function leaveMark(folder: string, id: string, mark: Omit<ServerMark, 'pid' | 'host'>): () => void {
  for (const { path, mark: other } of marksIn(folder)) {
    if (other === undefined || (isHere(other) && !isAlive(other.pid))) rmSync(path, { force: true });
  }
  const path = join(folder, `server.${id}.json`);
  const clear = (): void => rmSync(path, { force: true });
  try {
    const text = `${JSON.stringify({ ...mark, pid: process.pid, host: hostname() })}\n`;
    writeFileSync(path, text, { flag: 'wx', mode: 0o600 });
  } catch {
    clear();
  }
  return clear;
}
