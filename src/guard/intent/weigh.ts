/** The finding that the classifier adds to a scan. */
import { type IntentTable, intentOf } from './intent-model.ts';
import { shippedTable } from './shipped-table.ts';

/** Log-odds that weigh as much as the threshold of a page; docs/design/0026-a-guard-in-two-parts.md says how it was set. */
const MIDDLE = 0.8;
const WEIGHT_AT_MIDDLE = 0.56;
const PER_UNIT = 0.2;
/** A long text has more sentences, one of which may look like an order by chance. */
const SHORT = 150;
const PER_LENGTH = 2;
/** Never enough by itself against a person, who may give orders. */
const MOST = 0.85;
const LEAST = 0.1;

/** From 0 to 0.85; the text has been normalised. */
export function weighIntent(
  text: string,
  table: IntentTable | undefined = shippedTable(),
  middle: number = MIDDLE,
): number {
  if (table === undefined) return 0;
  const odds = intentOf(text, table) - PER_LENGTH * Math.log(Math.max(1, text.length / SHORT));
  const weight = Math.min(MOST, WEIGHT_AT_MIDDLE + PER_UNIT * (odds - middle));
  return weight < LEAST ? 0 : Math.round(weight * 100) / 100;
}
