/** What an operator sees of a server: its log, its backends, its metrics and its audit trail. */
export { type AuditEntry, AuditTrail } from './audit-trail.ts';
export { type BackendState, Backends } from './backends.ts';
export { Metrics } from './metrics.ts';
export { LOG_FORMATS, LOG_LEVELS, type LogFormat, type LogLevel, levelOf, ServerLog } from './server-log.ts';
