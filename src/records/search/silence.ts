/** Thresholds below which evidence is noise. */

/** Below this a hit is noise: better to say nothing than to say anything. */
export const LEAST_RELEVANCE = 0.1;

/** Whether a hit is as relevant as that. Without any relevance it is no hit. */
export const atLeast =
  (least: number) =>
  ({ relevance }: { readonly relevance: number }): boolean =>
    relevance > 0 && relevance >= least;
