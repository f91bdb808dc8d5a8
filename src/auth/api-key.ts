/** What an API key is: who holds it, what it may do, and how its secret is made and recognised. */
import { hash, randomBytes } from 'node:crypto';
import { z } from 'zod';
import { KeepsakeError } from '../kernel/errors.ts';
import { checkAgentName } from '../kernel/names.ts';
import { ROLES, type Role } from '../kernel/scope.ts';
import { checkUserId } from '../kernel/users.ts';
import { validate } from '../kernel/validate.ts';

/** What a key stands for; the secret itself is nowhere but with its holder. */
export interface ApiKey {
  readonly id: string;
  readonly name: string;
  readonly role: Role;
  /** The one agent that it speaks for; absent for keys that may name any. */
  readonly agent?: string;
  /** The one user that it speaks for. */
  readonly user?: string;
  /** It speaks only for users whose ids begin with this, such as those of one tenant. */
  readonly userPrefix?: string;
  readonly createdAt: number;
  readonly revokedAt?: number;
  /** From then on it opens nothing. */
  readonly expiresAt?: number;
  /** When a server last saw it, to the minute. */
  readonly lastUsedAt?: number;
}

export type KeyState = 'valid' | 'expired' | 'revoked';

export function keyState({ revokedAt, expiresAt }: ApiKey, now: number): KeyState {
  if (revokedAt !== undefined) return 'revoked';
  return expiresAt !== undefined && expiresAt <= now ? 'expired' : 'valid';
}

export const newKeyInput = z.strictObject({
  name: z.string().trim().min(1).max(64).describe('What the key is for, in your words.'),
  role: z.enum(ROLES).default('worker').describe('What it may do.'),
  agent: z.string().optional().describe('The one agent that it speaks for.'),
  user: z.string().optional().describe('The one user that it speaks for.'),
  userPrefix: z
    .string()
    .optional()
    .describe('It speaks only for users whose ids begin with this, for example "org/42/".'),
  expiresAt: z
    .int()
    .positive()
    .optional()
    .describe('When it stops being valid, in milliseconds since 1970; without it, when it is revoked.'),
});

export type NewKeyInput = z.input<typeof newKeyInput>;

const PREFIX = 'ksk';
const SHAPE = new RegExp(`^${PREFIX}_([0-9a-z]{12})_[A-Za-z0-9_-]{43}$`);

/** 256 random bits: nobody guesses them, so a fast hash protects them as well as a slow one would. */
export function makeSecret(id: string): string {
  return `${PREFIX}_${id}_${randomBytes(32).toString('base64url')}`;
}

export function makeKeyId(): string {
  return randomBytes(6).toString('hex');
}

/** The public part of a secret; undefined for a text that is none. */
export function idOfSecret(secret: string): string | undefined {
  return SHAPE.exec(secret)?.[1];
}

export function hashSecret(secret: string): Buffer {
  return hash('sha256', secret, 'buffer');
}

/** Workers and readers are one agent or one user each: a key that could name any would open every silo. */
export function checkNewKey(given: NewKeyInput): z.output<typeof newKeyInput> {
  const input = validate(newKeyInput, given, 'keys.create');
  const { role, agent, user, userPrefix } = input;
  if (agent !== undefined) checkAgentName(agent);
  if (user !== undefined) checkUserId(user);
  if (userPrefix !== undefined) checkUserId(userPrefix);
  if (user !== undefined && userPrefix !== undefined) {
    throw new KeepsakeError(
      'INVALID_INPUT',
      'A key speaks for one user or for those with a prefix, not both.',
      {
        hint: 'Leave out one of --user and --user-prefix.',
      },
    );
  }
  if (role === 'admin' && (user ?? userPrefix) !== undefined) {
    throw new KeepsakeError('INVALID_INPUT', 'A key with the role admin speaks for everybody.', {
      hint: 'Choose the role worker or reader for a key that is bound to a user.',
    });
  }
  if (agent === undefined && user === undefined && (role === 'worker' || role === 'reader')) {
    throw new KeepsakeError('INVALID_INPUT', `A key with the role ${role} needs the agent it is for.`, {
      hint: 'Name it with --agent, or one user with --user; only the keys of leads and admins may speak for several.',
    });
  }
  return input;
}
