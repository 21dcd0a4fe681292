// To the server and back. What is sent is kept until it was taken, and sent with the same id until then: it counts once.

import { kept } from './kept.js';

const { address, token } = document.body.dataset;
const AGAIN = 4000;
/** So long after it was ended a stream of news is opened again, longer each time. */
const SOON = 1000;
const LATE = 60_000;
/** What the server answers to a letter that it will never take. */
const NEVER = [400, 413, 414, 415, 422, 431];
/** So often a letter may bring the server to grief before it is given back. */
const TRIES = 5;

async function ask(path, options = {}) {
  const answer = await fetch(`${address}/${path}`, { credentials: 'same-origin', cache: 'no-store', ...options });
  if (answer.status === 304) return null;
  if (!answer.ok) throw Object.assign(new Error(String(answer.status)), { status: answer.status });
  return { status: answer.status, ...(await answer.json()) };
}

function tell(path, body, signal) {
  const headers = { 'content-type': 'application/json', 'x-cursus-token': token };
  return ask(path, { method: 'POST', headers, body: JSON.stringify(body), signal });
}

export const data = () => ask('data');

/** What would come of these lines. */
export const attempt = (lines, signal) => tell('try', { lines }, signal);

/** The page as the server would write it now, for what of it is not in the data. */
export async function page() {
  const answer = await fetch(address, { credentials: 'same-origin', cache: 'no-store' });
  if (!answer.ok) throw Object.assign(new Error(String(answer.status)), { status: answer.status });
  return new DOMParser().parseFromString(await answer.text(), 'text/html');
}

/** What the seat has behind it. */
export const past = () => ask('past');

/** The rules and the guide. */
export const book = () => ask('book');

/** The map of a turn, as text. */
export const mapThen = (era, turn) => drawing(`past/${era}.${turn}.svg`);

/** An old letter, as HTML. */
export async function letter(number) {
  const answer = await fetch(`${address}/letter/${number}`, { credentials: 'same-origin', cache: 'no-store' });
  if (!answer.ok) throw Object.assign(new Error(String(answer.status)), { status: answer.status });
  return answer.text();
}

/** The map, as text. */
export const map = (name) => drawing(`map/${name}.svg`);

async function drawing(path) {
  const answer = await fetch(`${address}/${path}`, { credentials: 'same-origin' });
  if (!answer.ok) throw Object.assign(new Error(String(answer.status)), { status: answer.status });
  return answer.text();
}

/** News of the game, without reloading. */
export function listen(news, reload) {
  let wait = SOON;
  const open = () => {
    const source = new EventSource(`${address}/events`);
    source.addEventListener('open', () => (wait = SOON));
    source.addEventListener('news', (event) => {
      const { revision, market } = read(event.data) ?? {};
      news(revision, market);
    });
    source.addEventListener('reload', () => reload());
    source.addEventListener('error', () => {
      // A line that breaks is mended by the browser; an answer that is no stream ends it for good.
      if (source.readyState !== EventSource.CLOSED) return;
      setTimeout(open, wait * (1 + Math.random()));
      wait = Math.min(wait * 2, LATE);
      reload();
    });
  };
  open();
}

function read(text) {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** An id that nobody else has made. */
export function mark() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** Letters that wait to be taken, kept in the browser. */
export class Outbox {
  /** `told` hears what came of a letter, `state` how it goes, `back` gets a letter that is never taken. */
  constructor(key, { told, state, back }) {
    this.key = key;
    this.told = told;
    this.state = state;
    this.back = back;
    this.busy = false;
    addEventListener('online', () => this.go());
    setInterval(() => this.go(), AGAIN);
  }

  waiting() {
    const letters = read(kept.get(this.key) ?? '[]');
    // Whatever else may stand there was not written here.
    const isLetter = (one) => typeof one?.id === 'string' && typeof one.lines === 'string';
    return Array.isArray(letters) ? letters.filter(isLetter) : [];
  }

  /** `from` is the view that wrote it, and hears what came of it. */
  put(lines, revision, from) {
    // A button that is tapped again while its letter is on the way writes no second one: the phase may be over by then.
    const same = this.waiting().find((other) => other.lines === lines);
    if (same) return same.id;
    const letter = { id: mark(), lines, revision, from };
    this.keep([...this.waiting(), letter]);
    this.go();
    return letter.id;
  }

  keep(letters) {
    if (letters.length) kept.put(this.key, JSON.stringify(letters));
    else kept.drop(this.key);
  }

  /** Sends what waits, one after another. */
  async go() {
    if (this.busy) return;
    this.busy = true;
    try {
      for (let letter = this.waiting()[0]; letter; letter = this.waiting()[0]) {
        this.state('sending');
        const answer = await this.carry(letter).catch((trouble) => this.failed(letter, trouble));
        this.keep(this.waiting().filter((other) => other.id !== letter.id));
        if (!answer) this.back(letter);
        // What the page makes of it keeps no other letter waiting.
        else Promise.resolve(this.told(letter, answer)).catch((trouble) => console.warn(trouble));
      }
      this.state('clear');
    } catch (trouble) {
      this.state(reason(trouble), trouble.status);
    } finally {
      this.busy = false;
    }
  }

  async carry(letter) {
    const { id, lines, revision } = letter;
    const send = () => tell('send', { id, lines, revision: typeof revision === 'string' ? revision : '' });
    let answer = await send();
    while (answer.status === 202 || answer.state === 'waiting') {
      await new Promise((wake) => setTimeout(wake, 500));
      // Where it is not known, a server that was just being ended has answered.
      answer = await ask(`sent/${id}`).catch((trouble) => (trouble.status === 404 ? send() : Promise.reject(trouble)));
    }
    return answer;
  }

  /** A letter that will never be taken is let go, so that those behind it arrive; any other waits. */
  failed(letter, trouble) {
    if (NEVER.includes(trouble.status)) return null;
    if (trouble.status === 500) {
      const tries = (letter.tries ?? 0) + 1;
      if (tries >= TRIES) return null;
      this.keep(this.waiting().map((other) => (other.id === letter.id ? { ...other, tries } : other)));
    }
    throw trouble;
  }
}

/** What a failure means to the reader. */
export function reason(trouble) {
  if (trouble.status === 401 || trouble.status === 403 || trouble.status === 404) return 'refused';
  if (trouble.status === 429 || trouble.status === 503) return 'too_much';
  return trouble.status ? 'trouble' : 'offline';
}
