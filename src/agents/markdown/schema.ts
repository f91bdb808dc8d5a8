/** The schema of the frontmatter of an agent file. */

import { nearestName } from '../../kernel/nearest.ts';
import { z } from '../../kernel/zod.ts';
import { AGENT_ROLES } from './agent-role.ts';
import { TOOL_NAMES } from './built-in-tools.ts';
import { TRIGGER_KEYS, trigger } from './trigger.ts';

const tool = z.string().superRefine((name, context) => {
  if (TOOL_NAMES.includes(name)) return;
  const near = nearestName(name, TOOL_NAMES);
  const help = near === undefined ? `the tools are ${TOOL_NAMES.join(', ')}` : `did you mean "${near}"?`;
  context.addIssue({ code: 'custom', message: `there is no tool ${JSON.stringify(name)}; ${help}` });
});

/** A file may come from somebody else: it cannot open more of the machine than the folder it lies in. */
const path = z
  .string()
  .min(1)
  .refine((text) => !/^[\\/~]|^[a-z]:|\0/i.test(text) && !text.split(/[\\/]/).includes('..'), {
    message: 'expected a path inside the workspace such as "output/"',
  });

const host = z.string().regex(/^[^\s/]+$/, 'expected a host such as "localhost:8080"');

/** One entry may stand without a list. */
const listOf = <T extends z.ZodType>(entry: T) =>
  z.preprocess((given) => (typeof given === 'string' ? [given] : given), z.array(entry));

export const frontmatterSchema = z.strictObject({
  name: z.string().optional(),
  description: z.string().optional(),
  /** `lead` may pass lessons on to others, `reader` changes no memory. */
  role: z.enum(AGENT_ROLES).optional(),
  // These five are checked by the schema of the configuration, where they mean the same.
  model: z.unknown().optional(),
  light: z.unknown().optional(),
  history: z.unknown().optional(),
  memory: z.unknown().optional(),
  persistentMemory: z.unknown().optional(),
  tools: listOf(tool).optional(),
  paths: listOf(path).default([]),
  allowHosts: listOf(host).default([]),
  trigger: trigger.default({ type: 'manual' }),
  maxLoops: z.union([z.int().min(1).max(1000), z.literal('auto')]).optional(),
  temperature: z.number().min(0).max(2).optional(),
  rules: z.string().optional(),
});

/** The names that may stand in the frontmatter itself, or in one of its blocks. */
export function knownKeys(block: PropertyKey | undefined): readonly string[] {
  return block === 'trigger' ? TRIGGER_KEYS : Object.keys(frontmatterSchema.shape);
}
