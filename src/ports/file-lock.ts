/** Mutual exclusion around one file, over all tasks of this process and all processes of this machine. */

export interface HoldOptions {
  /** How long to wait for other holders before giving up with BUSY. */
  readonly timeoutMs?: number;
  /** Leaves the queue with ABORTED. Work that has begun is not interrupted. */
  readonly signal?: AbortSignal;
}

export interface FileLock {
  /**
   * Runs `work` while nobody else holds the lock of `path`, and hands back its result.
   *
   * The kernel frees the lock when a process dies, however it dies, so nobody ever has to guess whether a lock is stale.
   * Taking the same lock again inside `work` would wait for itself: that is an INTERNAL error at once.
   */
  hold<T>(path: string, work: () => Promise<T>, options?: HoldOptions): Promise<T>;

  /** Frees what the lock keeps open. Work that holds a lock continues; whoever still waits gets CLOSED. */
  close(): Promise<void>;
}
