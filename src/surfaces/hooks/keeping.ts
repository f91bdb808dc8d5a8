/** Hooks that keep something: a note that was written, the summary of a compaction, what a session taught. */
import { createHash } from 'node:crypto';
import { realpathSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { LearningProblem } from '../../administration/learning-problem.ts';
import { noteFailedReview, plainLearn, sessionLearn } from '../../client/index.ts';
import { toKeepsakeError } from '../../kernel/errors.ts';
import { callVerb } from '../../kernel/verb.ts';
import { verbs } from '../../verbs.ts';
import type { Hook } from './hook.ts';
import { NOTHING } from './hook.ts';
import { modelOfClient } from './sampled-model.ts';
import { readTranscript } from './transcript.ts';

const WRITERS = ['Write', 'Edit', 'MultiEdit', 'NotebookEdit'];
/** The model's own digest, not the user's word. */
const SUMMARY_CONFIDENCE = 0.8;
const MOST_OF_A_SUMMARY = 100_000;

/** The agent in whose notes a file lies; undefined for any other file. Either path may lead over links. */
export function noteOwner(file: string, agentsFolder: string): string | undefined {
  const path = resolve(file);
  return (
    ownerBelow(agentsFolder, path) ??
    ownerBelow(real(agentsFolder), join(real(dirname(path)), basename(path)))
  );
}

/** Of what is not there, the path as it was given. */
function real(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

function ownerBelow(agentsFolder: string, file: string): string | undefined {
  const way = relative(agentsFolder, file);
  if (way === '' || way.startsWith('..') || isAbsolute(way)) return undefined;
  const [agent, folder, ...rest] = way.split(sep);
  const isNote = folder === 'notes' && rest.length > 0 && /\.(md|markdown)$/i.test(file);
  return isNote ? agent : undefined;
}

export const postToolUse: Hook = {
  budgetMs: 8_000,
  concerns: ({ tool_name = '', tool_input }, { paths }) =>
    WRITERS.includes(tool_name) && noteOwner(tool_input?.file_path ?? '', paths.agentsFolder) !== undefined,
  run: async ({ engine, caller, input }) => {
    const file = input.tool_input?.file_path ?? '';
    const agent = noteOwner(file, engine.paths.agentsFolder);
    if (agent === undefined) return NOTHING;
    // The folder says whose note it is, whoever wrote it.
    await engine.notes.indexFile(agent, resolve(file), { ...caller, viewer: { agent, role: 'worker' } });
    return NOTHING;
  },
};

/** Claude Code sends its thoughts before the summary; only the summary is worth keeping. */
export function summaryIn(text: string): string {
  const thought = text.replaceAll(/<analysis>[\s\S]*?<\/analysis>/gi, '');
  const inside = /<summary>([\s\S]*?)(?:<\/summary>|$)/i.exec(thought)?.[1];
  return (inside ?? thought).replaceAll(/<\/?(?:analysis|summary)>/gi, '').trim();
}

export const postCompact: Hook = {
  budgetMs: 8_000,
  concerns: ({ compact_summary = '' }) => summaryIn(compact_summary) !== '',
  run: async (call) => {
    const { engine, caller, input } = call;
    const content = summaryIn(input.compact_summary ?? '')
      .slice(0, MOST_OF_A_SUMMARY)
      .toWellFormed();
    const { thread } = call.session;
    const earlier = await callVerb(
      verbs.memoryList,
      engine,
      { source: 'session_summary', thread, tags: ['compaction'] },
      caller,
    );
    const [previous] = earlier;
    await callVerb(
      verbs.memoryAdd,
      engine,
      {
        content,
        thread,
        category: 'session_summary',
        source: 'session_summary',
        origin: 'agent',
        confidence: SUMMARY_CONFIDENCE,
        tags: ['compaction'],
        metadata: { program: 'claude-code' },
        // The hook may be called twice for one compaction.
        idempotencyKey: `${thread} compaction ${createHash('sha256').update(content).digest('hex')}`,
        // A later summary tells what the earlier one told.
        ...(previous === undefined ? {} : { supersedes: previous.id }),
      },
      caller,
    );
    return NOTHING;
  },
};

/** Reviews the session with a language model; without one that works, by rules. Doing it twice learns nothing twice. */
const learning: Hook = {
  budgetMs: 5_000,
  backgroundMs: 120_000,
  concerns: ({ transcript_path, session_id }) => transcript_path !== undefined && session_id !== undefined,
  run: async ({ engine, caller, input }) => {
    const messages = await readTranscript(input.transcript_path ?? '');
    const spoken = { session: input.session_id ?? '', messages };
    const problems = new LearningProblem(engine.paths.dataFolder);
    let isReviewed = false;
    try {
      const report = await sessionLearn(engine, spoken, caller, () => modelOfClient(engine, caller));
      isReviewed = report !== undefined && report.status !== 'failed';
      if (report?.status === 'failed') problems.note(report.problem?.message ?? 'The review failed.', engine);
      else problems.clear();
    } catch (error) {
      // A key or a package is missing: whoever configured the model wants to know.
      problems.note(toKeepsakeError(error).message, engine);
      await noteFailedReview(engine, toKeepsakeError(error), caller);
    }
    if (!isReviewed) await plainLearn(engine, spoken, caller);
    return NOTHING;
  },
};

export const preCompact = learning;
export const sessionEnd = learning;
