/** Connects a session to a swarm run: shared state, messages and usage of one participant. */
import type { ConversationMessage } from '../../conversation/index.ts';
import type { BusMessage } from '../../ports/message-bus.ts';
import type { ModelCall } from '../../ports/model-meter.ts';
import type { BusReading, SharedState } from '../../working/index.ts';
import type { Transcript } from '../transcript.ts';

export interface Participation {
  readonly run: string;
  /** Changes are made in the name of the agent, and judged by the guard. */
  state(session: string): SharedState;
  messages(query: BusReading): Promise<readonly BusMessage[]>;
  publish(message: ConversationMessage): Promise<void>;
  onCall(call: ModelCall): void;
  /** Throws when the run may spend no more: no further call of a model begins. */
  admit(): void;
}

/** The same transcript; whatever is said is also told to the run. */
export function sharedTranscript(transcript: Transcript, { publish }: Participation): Transcript {
  const shared = async (message: ConversationMessage): Promise<ConversationMessage> => {
    await publish(message);
    return message;
  };
  return {
    speaker: transcript.speaker,
    get said() {
      return transcript.said;
    },
    preamble: () => transcript.preamble(),
    turns: () => transcript.turns(),
    add: async (role, content, metadata) => shared(await transcript.add(role, content, metadata)),
    begin: async (prompt) => shared(await transcript.begin(prompt)),
    done: (id) => transcript.done(id),
  };
}
