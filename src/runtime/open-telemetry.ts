/** Traces and metrics through `@opentelemetry/api`, an optional package: used only where a program has registered an SDK. */
import { KeepsakeError } from '../kernel/errors.ts';
import type { SpanAttributes, Tracing } from '../kernel/tracing.ts';
import { loadPackage } from './load-package.ts';

interface Span {
  setStatus(status: { code: number; message?: string }): unknown;
  setAttribute(name: string, value: string): unknown;
  end(): void;
}

/** The part of the package that is used. */
interface Api {
  readonly trace: {
    getTracer(name: string): {
      startActiveSpan<T>(name: string, options: object, work: (span: Span) => T): T;
    };
  };
  readonly metrics: {
    getMeter(name: string): {
      createCounter(name: string, options: object): { add(value: number, attributes: object): void };
      createHistogram(name: string, options: object): { record(value: number, attributes: object): void };
    };
  };
  readonly context: { active(): unknown; with<T>(context: unknown, work: () => T): T };
  readonly propagation: { extract(context: unknown, carrier: object): unknown };
}

const NAME = 'keepsake';
const FAILED = 2;
/** Where every copy of the package keeps what a program registered. */
const REGISTERED = Symbol.for('opentelemetry.js.api.1');

/** The code says enough: the message may hold what somebody wrote. */
const codeOf = (error: unknown): string => (KeepsakeError.is(error) ? error.code : 'INTERNAL');

function throughApi({ trace, metrics, context, propagation }: Api): Tracing {
  const instruments = () => {
    const meter = metrics.getMeter(NAME);
    return {
      calls: meter.createCounter('keepsake.operations', { description: 'Operations by verb and outcome.' }),
      durations: meter.createHistogram('keepsake.operation.duration', {
        description: 'How long operations took.',
        unit: 'ms',
      }),
    };
  };
  let made: ReturnType<typeof instruments> | undefined;
  return {
    span: <T>(name: string, attributes: SpanAttributes, work: () => Promise<T>): Promise<T> =>
      trace.getTracer(NAME).startActiveSpan(name, { attributes }, async (span) => {
        try {
          return await work();
        } catch (error) {
          span.setAttribute('error.type', codeOf(error));
          span.setStatus({ code: FAILED, message: codeOf(error) });
          throw error;
        } finally {
          span.end();
        }
      }),
    continued: (headers, work) => context.with(propagation.extract(context.active(), headers), work),
    counted: (verb, outcome, milliseconds) => {
      made ??= instruments();
      const attributes = { 'keepsake.verb': verb, 'keepsake.outcome': outcome };
      made.calls.add(1, attributes);
      made.durations.record(milliseconds, attributes);
    },
  };
}

let found: Tracing | undefined;
let isMissing = false;

/** Undefined until a program registers an SDK; until then nothing is loaded. */
export function openTelemetry(): Tracing | undefined {
  if (found !== undefined || isMissing || !(REGISTERED in globalThis)) return found;
  try {
    found = throughApi(loadPackage<Api>('@opentelemetry/api'));
  } catch {
    isMissing = true;
  }
  return found;
}
