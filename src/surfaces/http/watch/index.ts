/** Observability of a server: log, backends, metrics and audit trail. */
export { type AuditEntry, AuditTrail } from './audit-trail.ts';
export { type BackendState, Backends } from './backends.ts';
export { Metrics } from './metrics.ts';
export { LOG_FORMATS, LOG_LEVELS, type LogFormat, type LogLevel, levelOf, ServerLog } from './server-log.ts';
