/** The one error class of Keepsake, its closed set of codes, and the table that every surface reads. */
import { defined } from './defined.ts';

interface ErrorTrait {
  /** HTTP status that the server answers with. */
  readonly http: number;
  /** JSON-RPC code when the protocol itself must fail; tool calls answer with `isError` instead. */
  readonly mcp: number;
  /** Exit code of the command line, after sysexits.h where one fits. */
  readonly exit: number;
  /** Whether the same call may succeed when it is made again later. */
  readonly retry: boolean;
}

const INVALID_PARAMS = -32602;
const INTERNAL = -32603;

export const ERROR_TABLE = {
  INVALID_INPUT: { http: 400, mcp: INVALID_PARAMS, exit: 64, retry: false },
  INVALID_NAME: { http: 400, mcp: INVALID_PARAMS, exit: 64, retry: false },
  INVALID_CONFIG: { http: 500, mcp: INTERNAL, exit: 78, retry: false },
  UNAUTHORIZED: { http: 401, mcp: INVALID_PARAMS, exit: 77, retry: false },
  FORBIDDEN: { http: 403, mcp: INVALID_PARAMS, exit: 77, retry: false },
  NOT_FOUND: { http: 404, mcp: INVALID_PARAMS, exit: 66, retry: false },
  CONFLICT: { http: 409, mcp: INVALID_PARAMS, exit: 65, retry: false },
  FORGOTTEN: { http: 410, mcp: INVALID_PARAMS, exit: 66, retry: false },
  TOO_LARGE: { http: 413, mcp: INVALID_PARAMS, exit: 65, retry: false },
  BLOCKED: { http: 422, mcp: INVALID_PARAMS, exit: 65, retry: false },
  RATE_LIMITED: { http: 429, mcp: INVALID_PARAMS, exit: 75, retry: true },
  READ_ONLY: { http: 403, mcp: INVALID_PARAMS, exit: 77, retry: false },
  BUSY: { http: 503, mcp: INTERNAL, exit: 75, retry: true },
  UNAVAILABLE: { http: 503, mcp: INTERNAL, exit: 69, retry: true },
  TIMEOUT: { http: 504, mcp: INTERNAL, exit: 75, retry: true },
  ABORTED: { http: 499, mcp: INTERNAL, exit: 130, retry: false },
  CLOSED: { http: 503, mcp: INTERNAL, exit: 70, retry: false },
  STORAGE_FULL: { http: 507, mcp: INTERNAL, exit: 74, retry: true },
  STORAGE_FAILED: { http: 500, mcp: INTERNAL, exit: 74, retry: true },
  PERMISSION: { http: 500, mcp: INTERNAL, exit: 77, retry: false },
  CORRUPT: { http: 500, mcp: INTERNAL, exit: 74, retry: false },
  TOO_NEW: { http: 500, mcp: INTERNAL, exit: 78, retry: false },
  UNSUPPORTED: { http: 501, mcp: INTERNAL, exit: 69, retry: false },
  INTERNAL: { http: 500, mcp: INTERNAL, exit: 70, retry: false },
} as const satisfies Record<string, ErrorTrait>;

export type ErrorCode = keyof typeof ERROR_TABLE;

const marker = Symbol.for('keepsake.error');

export interface KeepsakeErrorOptions {
  /** One sentence that says what to do about it. */
  readonly hint?: string;
  readonly cause?: unknown;
  /** Machine-readable facts, e.g. `{ id, version }`. Never memory content. */
  readonly details?: Readonly<Record<string, unknown>>;
}

export class KeepsakeError extends Error {
  readonly code: ErrorCode;
  readonly hint: string | undefined;
  readonly details: Readonly<Record<string, unknown>>;

  constructor(code: ErrorCode, message: string, options: KeepsakeErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'KeepsakeError';
    this.code = code;
    this.hint = options.hint;
    this.details = options.details ?? {};
    Object.defineProperty(this, marker, { value: true });
  }

  get retryable(): boolean {
    return ERROR_TABLE[this.code].retry;
  }

  /** Works across two copies of the package in one process, where `instanceof` does not. */
  static is(value: unknown): value is KeepsakeError {
    return typeof value === 'object' && value !== null && marker in value;
  }

  toJSON(): { code: ErrorCode; message: string; hint?: string; details?: Record<string, unknown> } {
    return {
      code: this.code,
      message: this.message,
      ...defined({ hint: this.hint }),
      ...(Object.keys(this.details).length === 0 ? {} : { details: { ...this.details } }),
    };
  }
}

/** Turns anything thrown into a KeepsakeError, keeping the original as its cause. */
export function toKeepsakeError(thrown: unknown): KeepsakeError {
  if (KeepsakeError.is(thrown)) return thrown;
  const message = thrown instanceof Error ? thrown.message : String(thrown);
  return new KeepsakeError('INTERNAL', message, {
    cause: thrown,
    hint: 'This is a defect in Keepsake; please report it with the command that caused it.',
  });
}
