/** A participant of a run on a server: its model runs in this process; state, messages and memory are on the server. */
import {
  admitted,
  Instructions,
  type Member,
  ModelLoop,
  type Participation,
  PromptSource,
  passingTranscript,
  runTools,
  sharedTranscript,
  untilStopped,
} from '../agents/index.ts';
import { loadConfig, readEnvironment } from '../config/index.ts';
import { systemClock } from '../kernel/clock.ts';
import { createIds } from '../kernel/ids.ts';
import { verbs } from '../verbs.ts';
import { findWorkspace } from '../workspace/index.ts';
import type { AgentOptions } from './agent-handle.ts';
import { modelsToRun } from './agent-models.ts';
import type { Call } from './call.ts';

/** Models and their keys are those of this machine; a folder without a configuration will do. */
async function place() {
  const env = readEnvironment();
  const { root, configFile } = findWorkspace({ cwd: process.cwd(), env });
  const { config } = await loadConfig({ workspace: root, env, file: configFile });
  return { config, env };
}

/** Nothing of what was said is kept here; the server keeps it as long as the run continues. */
export function remoteMember(options: AgentOptions, participation: Participation, call: Call): Member {
  const { name, instructions, systemPrompt = instructions, rules, customRulesPrompt } = options;
  const { memory, tools = [] } = options;
  const ids = createIds(systemClock);
  const own = { ...passingTranscript(systemClock, ids), speaker: name };
  const transcript = sharedTranscript(own, participation);
  const session = ids('ses');
  return {
    name,
    run: async (prompt, { signal = new AbortController().signal, onText }) => {
      const models = await modelsToRun({ name, settings: options }, await place());
      const { main, meter } = admitted(models.fork(participation.onCall), participation.admit);
      const prompts = new PromptSource(
        {
          ...{ session, model: main.id, agent: name },
          instructions: new Instructions({
            ...{ instructions: systemPrompt, rules, customRules: customRulesPrompt },
          }),
          memory:
            memory?.enabled === true
              ? { budgets: { maxCharsInjected: memory.maxCharsInjected ?? 2_000 } }
              : null,
          knowledge: null,
        },
        {
          records: { recall: (input) => call(verbs.memoryRecall, input) },
          log: null,
          sections: { promptIndex: async () => '' },
          caller: { viewer: { agent: name, role: options.role ?? 'worker' }, via: 'sdk' },
          transcript,
          room: null,
          canReadOn: false,
          receipts: null,
        },
      );
      prompts.placed((await transcript.add('User', prompt)).id);
      await untilStopped(prompts.begin(prompt, systemClock.now()), signal);
      let answer = '';
      const loop = new ModelLoop({
        ...{ models: { main, meter }, prompts, transcript, maxLoops: options.maxLoops ?? 'auto' },
        tools: [...runTools(participation), ...tools],
        temperature: options.temperature,
        context: { agent: name, session, signal },
      });
      for await (const event of loop.run()) {
        if (event.type === 'text') onText?.(event.text);
        if (event.type === 'done') answer = event.answer.text;
      }
      return answer;
    },
    settled: async () => {},
  };
}
