/** What `keepsake import --learn` says: the budget before the review of the chats, and what came of it. */
import type { LearnedChats, LearnPlan } from '../../../../administration/transfer.ts';
import { counted } from '../../terminal/sizes.ts';

const number = (value: number): string => value.toLocaleString('en');

/** Small sums need more digits than cents. */
function dollars(cost: number | null): string {
  if (cost === null) return 'price unknown';
  if (cost === 0) return 'free of charge';
  return `$${cost.toFixed(cost < 0.1 ? 4 : 2)}`;
}

export function planLines({ model, calls, inputTokens, outputTokens, cost, ...rest }: LearnPlan): string[] {
  const left: string[] = [
    ...(rest.reviewed === 0 ? [] : [`${counted(rest.reviewed, 'chat')} reviewed before`]),
    ...(rest.short === 0 ? [] : [`${counted(rest.short, 'chat')} too short`]),
    ...(rest.later === 0 ? [] : [`${counted(rest.later, 'chat')} left for a later run`]),
  ];
  return [
    `Review by ${model}: ${counted(calls, 'call')}, about ${number(inputTokens)} tokens read and ${number(outputTokens)} written, ${dollars(cost)}.`,
    ...(left.length === 0 ? [] : [`Not included: ${left.join(', ')}.`]),
  ];
}

export function learnedLines(learned: LearnedChats, dryRun: boolean, again: string): string[] {
  const { plan, reviewed, memories, failed, left, inputTokens, outputTokens, cost, stopped } = learned;
  if (dryRun) return planLines(plan).map((line) => `  ${line}`);
  if (plan.calls === 0)
    return [
      `  learned   nothing new: ${counted(plan.reviewed, 'chat')} reviewed before, ${plan.short} too short`,
    ];
  return [
    `  learned   ${counted(memories, 'memory', 'memories')} from ${counted(reviewed, 'chat')}, ${number(inputTokens + outputTokens)} tokens, ${dollars(cost)}`,
    ...(failed === 0 ? [] : [`  failed    ${counted(failed, 'review')}`]),
    ...(stopped === null ? [] : [`  stopped   ${stopped}`]),
    ...(left === 0 ? [] : [`  To continue with the other ${counted(left, 'chat')}:`, `    ${again}`]),
  ];
}
