/** How far what was stored without a thread still counts as beside something, the same for every driver. */

/** So many places in the order of storing, whoever stored what lies between: a bound on what is read. */
export const BESIDE = 50;
