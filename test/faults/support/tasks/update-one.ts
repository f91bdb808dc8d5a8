/** Raises a counter in the metadata of one record, which others raise as well: read, write if unchanged, else again. */
import { createClient, KeepsakeError } from '../../../../src/index.ts';
import { report, waitForStart } from '../report.ts';

export interface UpdateOneOptions {
  readonly workspace: string;
  readonly agent: string;
  readonly id: string;
  readonly times: number;
}

export interface UpdateOneMessage {
  readonly type: 'ready' | 'updated' | 'conflict';
  readonly version?: number;
}

const say = (message: UpdateOneMessage): void => report(message);

export async function run({ workspace, agent, id, times }: UpdateOneOptions): Promise<void> {
  const client = createClient({ workspace });
  const { memory } = client.agent({ name: agent });
  await waitForStart();
  for (let done = 0; done < times; ) {
    const present = (await memory.history(id)).at(-1)!;
    const count = Number(present.metadata.count) + 1;
    try {
      const { version } = await memory.update(id, { metadata: { count }, ifVersion: present.version });
      say({ type: 'updated', version });
      done++;
    } catch (error) {
      if (!KeepsakeError.is(error) || error.code !== 'CONFLICT') throw error;
      say({ type: 'conflict' });
    }
  }
  await client.close();
}
