/** Checks whether Redis is reachable, recent enough and persistent. Changes nothing. */
import { defined } from '../../kernel/defined.ts';
import { KeepsakeError, toKeepsakeError } from '../../kernel/errors.ts';
import type { Finding } from '../../ports/maintenance.ts';
import { RedisConnection } from './connection.ts';

/** From the first version with all that is asked of it here. */
const OLDEST = 7;

export async function examineRedis({ url }: { readonly url: string }): Promise<readonly Finding[]> {
  let connection: RedisConnection | undefined;
  try {
    connection = await RedisConnection.open(url);
    return await examine(connection);
  } catch (error) {
    const { message, hint } = toKeepsakeError(error);
    return [{ check: 'redis.server', severity: 'problem', message, ...defined({ hint }) }];
  } finally {
    connection?.close();
  }
}

async function examine(connection: RedisConnection): Promise<readonly Finding[]> {
  const place = `Redis at ${connection.place}`;
  await connection.command('PING');
  const about = await whatItSays(connection);
  if (about === undefined) {
    const message = `${place} answers. This user may not ask for its settings, so they were not looked at.`;
    return [{ check: 'redis.server', severity: 'ok', message }];
  }
  const version = about.get('redis_version') ?? 'of an unknown version';
  return [
    { check: 'redis.server', severity: 'ok', message: `${place} answers: version ${version}.` },
    ...examineVersion(version),
    examineMemory(about),
    examineDurability(about),
  ];
}

/** Name → value; undefined for a user who may not know. */
async function whatItSays(connection: RedisConnection): Promise<ReadonlyMap<string, string> | undefined> {
  try {
    const text = String(await connection.command('INFO'));
    const pairs = text.split('\r\n').map((line) => line.split(':', 2) as [string, string]);
    return new Map(pairs.filter(({ length }) => length === 2));
  } catch (error) {
    if (KeepsakeError.is(error) && error.code === 'PERMISSION') return undefined;
    throw error;
  }
}

function examineVersion(version: string): Finding[] {
  if (Number.parseInt(version, 10) >= OLDEST) return [];
  const message = `Redis ${version} is too old; ${OLDEST} or newer is needed.`;
  return [{ check: 'redis.version', severity: 'problem', message, hint: 'Upgrade it.' }];
}

function examineMemory(about: ReadonlyMap<string, string>): Finding {
  const policy = about.get('maxmemory_policy') ?? 'noeviction';
  if (policy === 'noeviction') {
    return {
      check: 'redis.memory',
      severity: 'ok',
      message: 'What is in Redis stays there until it expires.',
    };
  }
  return {
    check: 'redis.memory',
    severity: 'notice',
    message: `Redis throws keys away when its memory is full (${policy}): runs of swarms would go with them.`,
    hint: 'Set "maxmemory-policy noeviction" in its configuration.',
  };
}

function examineDurability(about: ReadonlyMap<string, string>): Finding {
  if (about.get('aof_enabled') === '1') {
    return { check: 'redis.durability', severity: 'ok', message: 'Redis writes what changes to its disk.' };
  }
  return {
    check: 'redis.durability',
    severity: 'notice',
    message:
      'Redis keeps what changes in its memory: runs lose what came after its last snapshot when it ends.',
    hint: 'Set "appendonly yes" in its configuration, and "appendfsync always" to lose nothing at all.',
  };
}
