/** Spans and counts of what Keepsake does, for whoever listens; without a listener, nothing but the work itself. */

/** Names and numbers only: never a text that was stored or asked for. */
export type SpanAttributes = Readonly<Record<string, string | number | boolean>>;

export interface Tracing {
  /** Runs the work inside a span, which ends with it and knows how it ended. */
  span<T>(name: string, attributes: SpanAttributes, work: () => Promise<T>): Promise<T>;
  /** Runs the work as part of what another program began. */
  continued<T>(headers: Readonly<Record<string, string>>, work: () => Promise<T>): Promise<T>;
  /** Counts an operation and how long it took. */
  counted(verb: string, outcome: string, milliseconds: number): void;
}

let find: () => Tracing | undefined = () => undefined;

/** Set once by the composition root; asked at every call, because an SDK may be registered later. */
export function useTracing(finder: () => Tracing | undefined): void {
  find = finder;
}

export const tracing = (): Tracing | undefined => find();

export function traced<T>(name: string, attributes: SpanAttributes, work: () => Promise<T>): Promise<T> {
  const found = find();
  return found === undefined ? work() : found.span(name, attributes, work);
}
