/** The Postgres driver. */
export { examinePostgres, openPostgres, type PostgresOptions } from './storage.ts';
