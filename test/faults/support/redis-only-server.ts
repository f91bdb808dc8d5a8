/** A server whose subscribers can be woken through Redis alone: the store neither tells by itself nor answers who asks it. */
import { createClient } from '../../../src/client/index.ts';
import { openPostgres } from '../../../src/drivers/postgres/index.ts';
import { openSqlite } from '../../../src/drivers/sqlite/index.ts';
import { serve } from '../../../src/surfaces/http/serve.ts';
import { onlyThroughRedis } from '../../drivers/redis/deaf.ts';

const [workspace, store, redis] = process.argv.slice(2) as [string, string, string];
const client = createClient({
  workspace,
  storage: async () =>
    onlyThroughRedis(
      store.startsWith('postgresql:')
        ? await openPostgres({ url: store })
        : await openSqlite({ file: store }),
      redis,
    ),
});
const { url, serverKeyFile } = await serve(await client.open(), { port: 0, version: '0' });
process.stdout.write(`${JSON.stringify({ url, serverKeyFile })}\n`);
