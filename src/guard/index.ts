/** The guard: scans writes, neutralizes text for prompts, and keeps refused writes in quarantine. */
export { foldLookAlikes } from './confusables.ts';
export { type Consent, Gate, type GateParts } from './gate.ts';
export { createGuard, type Examination, examine, type GuardOptions, noGuard } from './guard.ts';
export { listQuarantineInput, quarantineIdInput, scanInput } from './inputs.ts';
export { isTainted, neutralise } from './neutralise.ts';
export { fold } from './normalise.ts';
export { type DeletedEntry, Quarantine, type ReleasedWrite } from './quarantine.ts';
export { findSecrets } from './secrets.ts';
export type { ScannedText } from './verbs.ts';
