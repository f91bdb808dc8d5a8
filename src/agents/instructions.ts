/** Builds the instructions of a session: system prompt, rules, and the current SOUL.md. */
import { readFile } from 'node:fs/promises';

export interface InstructionTexts {
  readonly instructions?: string | undefined;
  readonly rules?: string | undefined;
  readonly customRules?: string | undefined;
  /** Path of SOUL.md; the file need not exist. */
  readonly soulFile?: string | undefined;
}

export class Instructions {
  readonly instructions: string | undefined;
  readonly rules: string | undefined;
  readonly customRules: string | undefined;
  readonly #soulFile: string | undefined;

  constructor({ instructions, rules, customRules, soulFile }: InstructionTexts = {}) {
    this.instructions = instructions;
    this.rules = rules;
    this.customRules = customRules;
    this.#soulFile = soulFile;
  }

  async soul(): Promise<string | undefined> {
    if (this.#soulFile === undefined) return undefined;
    try {
      return await readFile(this.#soulFile, 'utf8');
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
      throw error;
    }
  }

  /** All of it, for the review of a session: what the agent is told anyway need not be learned. */
  async all(): Promise<string[]> {
    // The answer was given before the review: a SOUL.md that cannot be read now must not prevent it.
    const soul = await this.soul().catch(() => undefined);
    return [this.instructions, this.rules, this.customRules, soul].filter((text) => text !== undefined);
  }
}
