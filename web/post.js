// To the server and back. What is sent is kept until it was taken, and sent with the same id until then: it counts once.

const { address, token } = document.body.dataset;
const AGAIN = 4000;

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
  const source = new EventSource(`${address}/events`);
  source.addEventListener('news', (event) => {
    const { revision, market } = read(event.data);
    news(revision, market);
  });
  source.addEventListener('reload', () => reload());
  return source;
}

function read(text) {
  try {
    return JSON.parse(text);
  } catch {
    return {};
  }
}

/** An id that nobody else has made. */
export function mark() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** Letters that wait to be taken, kept in the browser. */
export class Outbox {
  constructor(key, told, state) {
    this.key = key;
    this.told = told;
    this.state = state;
    this.busy = false;
    addEventListener('online', () => this.go());
    setInterval(() => this.go(), AGAIN);
  }

  waiting() {
    const letters = read(localStorage.getItem(this.key) ?? '[]');
    return Array.isArray(letters) ? letters : [];
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
    if (letters.length) localStorage.setItem(this.key, JSON.stringify(letters));
    else localStorage.removeItem(this.key);
  }

  /** Sends what waits, one after another. */
  async go() {
    if (this.busy) return;
    this.busy = true;
    try {
      for (let letter = this.waiting()[0]; letter; letter = this.waiting()[0]) {
        this.state('sending');
        const answer = await this.carry(letter);
        this.keep(this.waiting().filter((other) => other.id !== letter.id));
        this.told(letter, answer);
      }
      this.state('clear');
    } catch (trouble) {
      this.state(reason(trouble), trouble.status);
    } finally {
      this.busy = false;
    }
  }

  async carry(letter) {
    let answer = await tell('send', letter);
    while (answer.status === 202 || answer.state === 'waiting') {
      await new Promise((wake) => setTimeout(wake, 500));
      answer = await ask(`sent/${letter.id}`);
      // It never came there: a server that was just being ended has answered.
      if (answer.state === 'unknown') answer = await tell('send', letter);
    }
    return answer;
  }
}

/** What a failure means to the reader. */
export function reason(trouble) {
  if (trouble.status === 401 || trouble.status === 403 || trouble.status === 404) return 'refused';
  if (trouble.status === 429 || trouble.status === 503) return 'too_much';
  return trouble.status ? 'trouble' : 'offline';
}
