/** The Postgres driver. */
export {
  examinePostgres,
  openPostgres,
  type PostgresOptions,
  restorePostgresFrom,
  setPostgresAside,
} from './storage.ts';
