/** Port: rate limits per key, counted over all servers that share a store. */

export interface Allowance {
  /** Whose requests are counted. */
  readonly key: string;
  readonly perSecond: number;
  /** How many may be made in one moment after a pause. */
  readonly most: number;
}

export interface RequestLimits {
  /** Takes one request, and resolves to 0; or takes none, and resolves to the milliseconds until there is one. */
  take(allowance: Allowance): Promise<number>;
}
