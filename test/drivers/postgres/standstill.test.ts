/** A process that stood still inside of a transaction has lost it, and runs it again, also when it was about to commit. */
import { expect, it } from 'vitest';
import { parseAddress } from '../../../src/drivers/postgres/address.ts';
import { Database } from '../../../src/drivers/postgres/database.ts';
import { sql } from '../../../src/drivers/postgres/sql.ts';
import { postgresForTests } from './server.ts';

/** Nothing of this process runs meanwhile, as under SIGSTOP. */
function standStill(milliseconds: number): void {
  const until = performance.now() + milliseconds;
  while (performance.now() < until);
}

it('repeats a transaction that the server ended before the commit reached it', async () => {
  const server = await postgresForTests();
  const database = await Database.open(parseAddress(server.url()));
  let runs = 0;
  const begin = 'BEGIN; SET LOCAL idle_in_transaction_session_timeout = 50';
  const result = await database.transaction(
    async (session) => {
      const { run } = (await session.row<{ run: number }>(sql`SELECT ${++runs}::int AS run`))!;
      // The commit follows at once: it is written to a connection that the server has closed already.
      if (run === 1) standStill(400);
      return run;
    },
    { begin },
  );
  expect(result).toBe(2);
  await database.close();
});
