/** The schema's history. Forward only: a released migration never changes, a new one is appended. */
import { records } from './0001-records.ts';
import { log } from './0002-log.ts';
import { state } from './0003-state.ts';
import { events } from './0004-events.ts';

export const MIGRATIONS: readonly string[] = [records, log, state, events];
export const SCHEMA_VERSION = MIGRATIONS.length;
