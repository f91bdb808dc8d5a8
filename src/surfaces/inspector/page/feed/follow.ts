/** Follows the event stream of the server; after an interruption it continues where it stopped, so no event is missed. */
import { ApiError, request } from '../call.ts';
import { feed, receive, setState } from './feed.ts';

/** The server gives a sign of life every 15 seconds. */
const SILENCE_MS = 40_000;
const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 15_000;

function read(frame: string): void {
  let id: number | undefined;
  let data: string | undefined;
  for (const line of frame.split('\n')) {
    if (line.startsWith('id: ')) id = Number(line.slice(4));
    else if (line.startsWith('data: ')) data = line.slice(6);
  }
  if (id !== undefined) receive(id, data === undefined ? undefined : JSON.parse(data));
}

/** Reads one connection to its end. */
async function listen(): Promise<void> {
  const gone = new AbortController();
  let alarm: ReturnType<typeof setTimeout> | undefined;
  const wait = () => {
    clearTimeout(alarm);
    alarm = setTimeout(() => gone.abort(), SILENCE_MS);
  };
  // The stream of the key before would end sooner or later.
  const restart = () => gone.abort();
  addEventListener('keepsake:signed-in', restart);
  wait();
  try {
    const headers: Record<string, string> =
      feed.latest === undefined ? {} : { 'last-event-id': String(feed.latest) };
    const { body } = await request('GET /v1/events', { headers, signal: gone.signal });
    setState('live');
    const reader = body!.pipeThrough(new TextDecoderStream()).getReader();
    let text = '';
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      wait();
      const frames = (text + value).split('\n\n');
      text = frames.pop() ?? '';
      frames.forEach(read);
    }
  } finally {
    clearTimeout(alarm);
    removeEventListener('keepsake:signed-in', restart);
    gone.abort();
  }
}

const tabs = new BroadcastChannel('keepsake');

/** Somebody signs in here; or another tab of this browser opened a new link, or the user did before returning to this one. */
function newChance(): Promise<unknown> {
  return new Promise((resolve) => {
    tabs.addEventListener('message', resolve, { once: true });
    addEventListener('focus', resolve, { once: true });
    addEventListener('keepsake:signed-in', resolve, { once: true });
  });
}

/** Never ends: without a session it waits for one. */
export async function follow(): Promise<never> {
  let pause = FIRST_PAUSE_MS;
  tabs.postMessage('opened');
  for (;;) {
    try {
      await listen();
      pause = FIRST_PAUSE_MS;
    } catch (error) {
      if (feed.state === 'live') pause = FIRST_PAUSE_MS;
      if (error instanceof ApiError && error.status === 401) {
        setState('no session');
        await newChance();
        continue;
      }
    }
    setState('reconnecting');
    await new Promise((resolve) => setTimeout(resolve, pause));
    pause = Math.min(pause * 2, LONGEST_PAUSE_MS);
  }
}
