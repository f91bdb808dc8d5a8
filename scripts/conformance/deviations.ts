/** Where Keepsake does something else than a document says, and why. */
export const DEVIATIONS: Readonly<Record<string, string>> = {};
