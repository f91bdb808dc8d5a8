/** Thresholds below which evidence is noise. */

/** Below this a hit is noise: better to say nothing than to say anything. */
export const LEAST_RELEVANCE = 0.1;
