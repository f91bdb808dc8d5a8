/** Browser script: the event stream, one for all parts of the page. Goes on where it broke off, so nothing is missed. */
export const FEED_JS = String.raw`
import { call, request } from './api.js';

/** Grows with what is asked for of the past. */
let kept = 2000;
const LOOK_BACK = 300;
/** The server gives a sign of life every 15 seconds. */
const SILENCE_MS = 40000;
const LONGEST_WAIT_MS = 15000;

const listeners = new Set();
const watchers = new Set();

/** The newest events, oldest first, and how the connection is doing. */
export const feed = { events: [], state: 'connecting', latest: undefined };

export function onEvent(listener) {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Called when the state changes, and when the past was read. */
export function onFeed(watcher) {
  watchers.add(watcher);
  watcher();
  return () => watchers.delete(watcher);
}

function say(state) {
  feed.state = state;
  for (const watcher of watchers) watcher();
}

function keep(events) {
  feed.events = [...feed.events, ...events].slice(-kept);
}

/** What happened shortly before the page was opened. */
async function readPast(latest) {
  const past = await call('GET /v1/events/read', {
    query: { after: Math.max(0, latest - LOOK_BACK), limit: LOOK_BACK },
  });
  const newer = feed.events;
  feed.events = past.filter(({ seq }) => seq <= latest);
  keep(newer);
  say(feed.state);
}

/** Whether something happened before what is known. The first event has number 1. */
export const hasEarlier = () => feed.events.length > 0 && feed.events[0].seq > 1;

export async function readEarlier() {
  const [{ seq: first }] = feed.events;
  const past = await call('GET /v1/events/read', { query: { after: Math.max(0, first - 1 - LOOK_BACK), limit: LOOK_BACK } });
  const known = new Set(feed.events.map(({ seq }) => seq));
  const earlier = past.filter(({ seq }) => seq < first && !known.has(seq));
  kept += earlier.length;
  feed.events = [...earlier, ...feed.events];
  say(feed.state);
  return earlier.length;
}

function hear(frame) {
  let id;
  let data;
  for (const line of frame.split('\n')) {
    if (line.startsWith('id: ')) id = Number(line.slice(4));
    else if (line.startsWith('data: ')) data = line.slice(6);
  }
  if (id === undefined) return;
  const isFirst = feed.latest === undefined;
  feed.latest = id;
  if (isFirst) readPast(id).catch(() => {});
  if (data === undefined) return;
  const event = JSON.parse(data);
  keep([event]);
  for (const listener of listeners) listener(event);
}

async function listen() {
  const gone = new AbortController();
  let alarm;
  const wait = () => {
    clearTimeout(alarm);
    alarm = setTimeout(() => gone.abort(), SILENCE_MS);
  };
  wait();
  try {
    const headers = feed.latest === undefined ? {} : { 'last-event-id': String(feed.latest) };
    const response = await request('GET /v1/events', { headers, signal: gone.signal });
    say('live');
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
    let text = '';
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      wait();
      const frames = (text + value).split('\n\n');
      text = frames.pop();
      frames.forEach(hear);
    }
  } finally {
    clearTimeout(alarm);
    gone.abort();
  }
}

/** Another tab of this browser that was let in by a new link, or the return to this one, may have brought a session. */
const tabs = new BroadcastChannel('keepsake');

function newChance() {
  return new Promise((resolve) => {
    tabs.addEventListener('message', resolve, { once: true });
    addEventListener('focus', resolve, { once: true });
  });
}

/** For ever: without a session it waits for one, and then goes on where it was. */
export async function follow() {
  let pause = 1000;
  tabs.postMessage('opened');
  for (;;) {
    try {
      await listen();
      pause = 1000;
    } catch (error) {
      if (feed.state === 'live') pause = 1000;
      if (error.status === 401) {
        say('no session');
        await newChance();
        continue;
      }
    }
    say('reconnecting');
    await new Promise((resolve) => setTimeout(resolve, pause));
    pause = Math.min(pause * 2, LONGEST_WAIT_MS);
  }
}
`;
