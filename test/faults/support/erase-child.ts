/** A process that erases users and is killed before or after one step: `node erase-child.ts <workspace> <user prefix> <step>`. */
import { createClient } from '../../../src/index.ts';

const [workspace = '', userPrefix = '', step = ''] = process.argv.slice(2);
const client = createClient({ workspace });
const { storage } = await client.open();
const [when, part = '', method = ''] = step.split(/[ .]/);
const owner = Reflect.get(storage, part) as Record<string, (...args: unknown[]) => Promise<unknown>>;
const work = owner[method]!.bind(owner);
owner[method] = async (...args) => {
  if (when === 'after') await work(...args);
  process.kill(process.pid, 'SIGKILL');
  return new Promise(() => {});
};
await client.erase({ userPrefix });
