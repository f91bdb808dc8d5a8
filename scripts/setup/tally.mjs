// Turns the report of a test run into the two numbers that count, and a sentence for everything that is not a pass.

/**
 * Tests that may be skipped: full name → reason. A skip that is not listed here counts as a failure, because a
 * suite that did not run proves nothing.
 * @type {ReadonlyMap<string, string>}
 */
const ALLOWED_SKIPS = new Map();

/**
 * @param {import('./vitest-reporter.mjs').Report | undefined} report undefined when the runner died before writing it
 * @param {number} exitCode of the runner
 * @param {{ everyProject: boolean, allowedSkips?: ReadonlyMap<string, string> }} options
 */
export function tally(report, exitCode, { everyProject, allowedSkips = ALLOWED_SKIPS }) {
  if (report === undefined) {
    return {
      passed: 0,
      failed: 1,
      notes: [`The test runner ended with exit code ${exitCode} before it could report.`],
    };
  }
  const notes = [];
  let passed = 0;
  let failed = 0;
  for (const { name, state } of report.tests) {
    if (state === 'passed') {
      passed++;
      continue;
    }
    const reason = state === 'skipped' ? allowedSkips.get(name) : undefined;
    if (reason !== undefined) {
      notes.push(`Skipped, as agreed: ${name} (${reason})`);
      continue;
    }
    failed++;
    if (state === 'skipped') notes.push(`Skipped without an agreed reason, so it counts as failed: ${name}`);
    else notes.push(`${state === 'failed' ? 'Failed' : 'Did not finish'}: ${name}`);
  }
  for (const error of report.errors) {
    failed++;
    // The runner has shown the rest above.
    notes.push(`Error: ${error.split('\n')[0]}`);
  }
  for (const project of everyProject ? report.projects : []) {
    if (
      report.tests.some(
        (test) => test.project === project && (test.state === 'passed' || test.state === 'failed'),
      )
    )
      continue;
    failed++;
    notes.push(`The test group "${project}" ran no test, so it counts as failed.`);
  }
  if (passed + failed === 0) {
    failed++;
    notes.push('No test ran at all.');
  }
  if (failed === 0 && exitCode !== 0) {
    failed++;
    notes.push(`Every test passed and yet the runner ended with exit code ${exitCode}.`);
  }
  return { passed, failed, notes };
}
