/** One caller cannot stop the others: a server answers while it is sent the most expensive bodies that there are. */
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { pathOf } from '../../src/kernel/verb.ts';
import { VERBS } from '../../src/verbs.ts';
import { isCampaign } from '../fixtures/campaign.ts';
import { HealthProbe, percentile } from './support/health-probe.ts';
import { type Server, startServer } from './support/servers.ts';
import { worstInputs } from './support/worst-inputs.ts';

/** With a folder of its own, a server refuses sections and archives before it looks at them. */
const WITH_FILES = { KEEPSAKE_SERVER_FOLDERS: 'shared' };
const isOfFiles = ({ name }: { readonly name: string }): boolean =>
  /^(?:sections|archive|notes)\./.test(name);
/** The promise of the security guide. */
const LONGEST_MS = 250;
/** What one request may take of the thread that answers all others; time on the clock says little on a busy machine. */
const MOST_PROCESSOR_MS = 500;

/** Processor time of the main thread of a process so far, in milliseconds. */
function processorTime(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/task/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ');
  return (Number(fields[11]) + Number(fields[12])) * 10;
}

/** In every run: what once stopped a server, and what each kind of body costs on one route. */
const SAMPLE = [
  /^log\.import (?:folded YAML|YAML keys|nested JSON|many lists|many keys|nested lists)$/,
  /^memory\.add (?:many lists|nested lists|many keys|no end|not UTF-8|metadata of many values)$/,
  /^sections\.save content of (?:keys|blanks)$/,
  /^memory\.search query of (?:operators|letters|keys|tags|tabs)$/,
];

async function send({ url, key }: Server, path: string, body: Buffer, patience = 60_000): Promise<number> {
  const answer = await fetch(url + path, {
    method: 'POST',
    signal: AbortSignal.timeout(patience),
    headers: {
      ...{ authorization: `Bearer ${key}`, 'keepsake-agent': 'alice' },
      ...{ 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
    },
    body: new Uint8Array(body),
  });
  const text = await answer.text();
  expect(text.length, 'an answer to a wrong request is short').toBeLessThan(4_200_000);
  return answer.status;
}

function cases() {
  const ofVerbs = VERBS.flatMap((verb) =>
    worstInputs(verb).map((input) => ({ path: pathOf(verb), ...input, name: `${verb.name} ${input.name}` })),
  );
  const ofMcp = worstInputs(VERBS[0]!).map((input) => ({
    ...input,
    path: '/mcp',
    name: `mcp ${input.name}`,
  }));
  return [...ofVerbs, ...ofMcp];
}

it('no body keeps the thread that answers others for long', async () => {
  const [plain, withFiles] = [await startServer({}), await startServer(WITH_FILES)];
  const chosen = cases().filter(({ name }) => SAMPLE.some((one) => one.test(name)));
  expect(chosen.length).toBeGreaterThan(15);
  for (const each of chosen) {
    const { name, path, body } = each;
    const server = isOfFiles(each) ? withFiles : plain;
    const { pid = 0 } = server.child;
    const bytes = Buffer.from(body());
    const before = processorTime(pid);
    const status = await send(server, path, bytes);
    expect(status, name).toBeLessThan(500);
    expect(processorTime(pid) - before, `${name}, answered with ${status}`).toBeLessThan(MOST_PROCESSOR_MS);
  }
});

/** A request that is not answered by then is a defect of its own. */
const NO_ANSWER_MS = 120_000;

/** Time on the clock: meaningful on a machine that does nothing else. KEEPSAKE_WORST chooses bodies by their name. */
if (isCampaign)
  it('answers /healthz in time while every route gets its worst input', {
    timeout: 3 * 3_600_000,
  }, async () => {
    const only = new RegExp(process.env.KEEPSAKE_WORST ?? '');
    const chosen = cases().filter(({ name }) => only.test(name));
    // Those that need files come last, on a server that takes them.
    chosen.sort((a, b) => Number(isOfFiles(a)) - Number(isOfFiles(b)));
    let environment: Readonly<Record<string, string>> = {};
    let server = await startServer(environment);
    let probe = new HealthProbe(server.url);
    const all: number[] = [];
    const late: string[] = [];
    const wrong: string[] = [];
    const startAgain = async (): Promise<void> => {
      await probe.stop();
      server.child.kill('SIGKILL');
      server = await startServer(environment);
      probe = new HealthProbe(server.url);
    };
    for (const each of chosen) {
      const { name, path, body } = each;
      if (isOfFiles(each) && environment !== WITH_FILES) {
        environment = WITH_FILES;
        await startAgain();
      }
      const bytes = Buffer.from(body());
      await probe.take();
      const before = processorTime(server.child.pid!);
      try {
        const status = await send(server, path, bytes, NO_ANSWER_MS);
        if (status >= 500) wrong.push(`${name}: ${status}`);
      } catch (error) {
        wrong.push(`${name}: ${String(error)}`);
        await startAgain();
        continue;
      }
      const times = await probe.take();
      all.push(...times);
      const worst = Math.round(Math.max(0, ...times));
      const busy = processorTime(server.child.pid!) - before;
      if (worst > LONGEST_MS) late.push(`${name}: ${worst} ms, ${busy} ms of the processor`);
    }
    await probe.stop();
    const p99 = Math.round(percentile(all, 0.99));
    console.log(`worst-inputs: ${all.length} answers of /healthz, p99 ${p99} ms`);
    console.log(`worst-inputs: later than ${LONGEST_MS} ms during\n${late.join('\n')}`);
    expect(wrong).toEqual([]);
    expect(p99).toBeLessThanOrEqual(LONGEST_MS);
  });
