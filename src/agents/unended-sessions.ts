/** Ends open sessions when the program is about to exit, so that they are reviewed. */

interface Endable {
  end(): Promise<void>;
}

const unended = new Set<Endable>();

/** Node emits this when nothing is pending any more; what is begun here keeps the process alive until it is done. */
function endAll(): void {
  for (const session of unended) void session.end();
}

export function endBeforeExit(session: Endable): void {
  if (unended.size === 0) process.on('beforeExit', endAll);
  unended.add(session);
}

export function hasEnded(session: Endable): void {
  unended.delete(session);
  if (unended.size === 0) process.off('beforeExit', endAll);
}
