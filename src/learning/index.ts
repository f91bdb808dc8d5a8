/** Learning from finished sessions: facts, and the outcomes of tasks. */
export { type LearnInput, learn } from './learn.ts';
export { plainLearn } from './plain-learn.ts';
export {
  DEFAULT_LEARNING,
  type LearningPolicy,
  type LearnReport,
  type OperationReport,
  type Outcome,
  type Problem,
} from './policy.ts';
export { rememberTask, type TaskInput, type TaskReport } from './remember-task.ts';
export { MOST_ATTEMPTS, type ReviewNote, ReviewNotes } from './review-notes.ts';
export { type ReviewServices, reviewSession } from './review-session.ts';
export { noteFailedReview, type SpokenMessage, type SpokenSession, sessionLearn } from './session-learn.ts';
