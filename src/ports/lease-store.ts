/** Port: leases for background work, over all processes and machines that share a store. */

export interface Lease {
  readonly name: string;
  /** Null when it is free; the holder of one that has expired is still named. */
  readonly owner: string | null;
  readonly expiresAt: number;
  /** What the last holder wrote down for the next one. */
  readonly note: string | null;
}

export interface LeaseClaim {
  readonly owner: string;
  readonly now: number;
  readonly until: number;
}

export interface LeaseNote {
  readonly owner: string;
  readonly note: string;
  /** Nobody needs the note after this time. */
  readonly keepUntil: number;
}

export interface LeaseStore {
  /**
   * Takes what is free, has expired, or is the caller's own already; null when somebody else holds it. What is lent for
   * far longer than anybody asks for comes from a clock that was wrong, and holds nobody up.
   */
  take(name: string, claim: LeaseClaim): Promise<Lease | null>;
  /** Writes down what the next holder has to know; false when the lease is not the caller's any more. */
  note(name: string, note: LeaseNote): Promise<boolean>;
  /** Gives it back; its note stays. False when the lease is not the caller's any more. */
  release(name: string, owner: string): Promise<boolean>;
  /** Those whose name begins like this, in order of their names. */
  list(prefix: string): Promise<readonly Lease[]>;
}
