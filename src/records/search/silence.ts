/** Thresholds below which evidence is noise. */

/** Below this a hit is noise: better to say nothing than to say anything. */
export const LEAST_RELEVANCE = 0.1;

/** Whether a hit reaches this relevance. A text without any relevance is not a hit. */
export const atLeast =
  (least: number) =>
  ({ relevance }: { readonly relevance: number }): boolean =>
    relevance > 0 && relevance >= least;
