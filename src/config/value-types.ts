/** The small value types of the configuration: durations, model ids, URLs, paths and agent names. */

import { DAY, HOUR, MINUTE } from '../kernel/clock.ts';
import { KeepsakeError } from '../kernel/errors.ts';
import { checkAgentName, MAX_NAME_LENGTH } from '../kernel/names.ts';
import { z } from '../kernel/zod.ts';

const UNITS = { ms: 1, s: 1000, m: MINUTE, h: HOUR, d: DAY, w: 7 * DAY } as const;
const DURATION = /^(\d{1,9}(?:\.\d{1,6})?)(ms|s|m|h|d|w)$/;
/** A hundred years: far enough for anyone, and `now + duration` stays a valid date. */
const LONGEST = 36_500 * DAY;

/** "7d" → milliseconds, or undefined when the text is not a duration from 1 ms to 100 years. */
export function parseDuration(text: string): number | undefined {
  const match = DURATION.exec(text);
  if (match === null) return undefined;
  const milliseconds = Math.round(Number(match[1]) * UNITS[match[2] as keyof typeof UNITS]);
  return milliseconds >= 1 && milliseconds <= LONGEST ? milliseconds : undefined;
}

const durationText = z
  .string()
  .regex(DURATION)
  .refine((text) => parseDuration(text) !== undefined)
  .meta({ title: 'duration', examples: ['7d', '36h', '90m'] });

/** A duration or null, which means "never"; milliseconds once it is read. */
export const durationOrNever = z
  .union([durationText, z.null()])
  .transform((text) => (text === null ? null : (parseDuration(text) as number)));

export const modelId = z
  .string()
  .regex(/^(?:none|[a-z0-9][a-z0-9._-]*\/\S+)$/)
  .meta({ title: 'model id', examples: ['openai/gpt-5-mini', 'none'] });

/** Which providers there are is the knowledge of embedding.ts; here only the form is checked. */
export const embeddingId = z
  .string()
  .regex(/^(?:static|none|openai|bge-small|minilm|[a-z0-9][a-z0-9._-]*\/\S+)$/)
  .meta({
    title: 'embedding model id',
    examples: ['static', 'none', 'bge-small', 'minilm', 'openai', 'openai/text-embedding-3-small@512'],
  });

/** Which providers there are is the knowledge of reranker.ts; here only the form is checked. */
export const rerankerId = z
  .string()
  .regex(/^(?:none|[a-z0-9][a-z0-9._-]*\/\S+)$/)
  .meta({
    title: 'reranker id',
    examples: ['none', 'cohere/rerank-v3.5', 'server/bge-reranker-v2-m3'],
  });

export const httpUrl = z
  .string()
  .regex(/^https?:\/\/\S+$/)
  .meta({ title: 'HTTP address', examples: ['http://localhost:1234/v1'] });

export const urlLike = (example: string) =>
  z
    .string()
    .regex(/^[A-Za-z][A-Za-z0-9+.-]*:\/\/\S+$/)
    .meta({ title: 'URL', examples: [example] });

function isFilePath(path: string): boolean {
  // SQLite's own ":memory:" and "file:" forms, joined to a folder, would silently become odd file names.
  return path !== '' && !/^:|^file:|\0/.test(path) && !path.split(/[\\/]/).includes('..');
}

/** Absolute, or relative to the workspace without climbing out of it. */
export const filePath = z
  .string()
  .refine(isFilePath)
  .meta({ title: 'file path inside the workspace or absolute file path', examples: ['data/keepsake.db'] });

/** Length limits are for editors only: the check itself counts characters, where zod would count UTF-16 units. */
export const agentName = z
  .string()
  .superRefine((text, context) => {
    try {
      checkAgentName(text);
    } catch (error) {
      if (!KeepsakeError.is(error)) throw error;
      context.addIssue({ code: 'custom', message: error.message });
    }
  })
  .meta({ title: 'agent name', examples: ['research-agent'], minLength: 1, maxLength: MAX_NAME_LENGTH });
