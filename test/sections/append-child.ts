/** The processes of the concurrency test: each appends its lines and saves a section of its own, over and over. */
import { once } from 'node:events';
import { createClient } from '../../src/index.ts';

export async function write(workspace: string, name: string, ready: () => Promise<unknown>): Promise<void> {
  const client = createClient({ workspace });
  await client.open();
  await ready();
  const { sections } = client.agent({ name: 'assistant' });
  for (let i = 0; i < 7; i++) {
    await sections.append('log', `${name} ${i}`);
    await sections.save(`own ${name}`, `${i}`);
  }
  await client.close();
}

if (import.meta.main) {
  const [workspace, name] = process.argv.slice(2);
  await write(workspace!, name!, () => {
    process.stdout.write('ready');
    process.stdin.resume();
    return once(process.stdin, 'end', { signal: AbortSignal.timeout(20_000) });
  });
}
