/** Tries to use a workspace as a user who may not: everything is loaded first, then the rights of root are given up. */
import '../../../../src/drivers/sqlite/index.ts';
import { createClient } from '../../../../src/index.ts';
import { type Failure, failureOf, report } from '../report.ts';

export interface NoRightsOptions {
  readonly workspace: string;
}

export interface NoRightsReport {
  readonly user: number;
  readonly add: Failure | 'done';
  readonly list: Failure | number;
}

/** The user "nobody" of every Linux. */
export const NOBODY = 65_534;

export async function run({ workspace }: NoRightsOptions): Promise<void> {
  if (process.getuid?.() === 0) {
    process.setgroups!([]);
    process.setgid!(NOBODY);
    process.setuid!(NOBODY);
  }
  const client = createClient({ workspace });
  const { memory } = client.agent({ name: 'writer' });
  const list = await memory.list().then((records) => records.length, failureOf);
  const add = await memory.add({ content: 'must not be stored' }).then(() => 'done' as const, failureOf);
  await client.close();
  const result: NoRightsReport = { user: process.getuid!(), add, list };
  report(result);
}
