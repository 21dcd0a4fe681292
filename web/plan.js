// The plan: the lines as they stand in this browser. Kept in it for each game, seat and turn until they are sent.

import { kept as shelf } from './kept.js';
import { line } from './say.js';

/** A letter that puts these lines in the place of those that are stored. */
function letter(data, lines, waits) {
  const wait = waits ? [line('wait')] : [];
  return [...data.plan.clear, ...lines.map((one) => one.text), ...wait].join('\n');
}

export class Plan {
  /** `changed` is called after every change. */
  constructor(data, changed) {
    this.changed = changed;
    this.past = [];
    this.take(data);
  }

  /** New data: what was not sent stays; what was sent is what is stored. */
  take(data) {
    const before = this.stored;
    this.data = data;
    this.key = `cursus/${data.game}/${data.seat}/${data.turn}`;
    this.stored = JSON.stringify([data.plan.lines.map((one) => one.text), data.plan.waits]);
    const kept = read(shelf.get(this.key));
    this.elsewhere = false;
    if (kept && kept.lines) {
      this.lines = kept.lines.map((one) => ({ ...one }));
      this.waits = Boolean(kept.waits);
      // The sheet was changed by a letter meanwhile.
      this.elsewhere = kept.stored !== this.stored && this.isOpen() && (before === undefined || before !== this.stored);
    } else {
      this.reset();
    }
  }

  /** The lines that are stored. */
  reset() {
    this.lines = this.data.plan.lines.map((one) => ({ ...one }));
    this.waits = this.data.plan.waits;
    shelf.drop(this.key);
    this.elsewhere = false;
  }

  /** Whether something is not sent. */
  isOpen() {
    return JSON.stringify([this.lines.map((one) => one.text), this.waits]) !== this.stored;
  }

  text() {
    return letter(this.data, this.lines, this.waits);
  }

  /** What is about to be sent, so that it is known again when it was taken: the game may be in another turn by then. */
  sealed() {
    return { key: this.key, lines: JSON.stringify([this.lines.map((one) => one.text), this.waits]) };
  }

  /** What was sealed is stored. What was changed since stays. */
  taken({ key, lines }) {
    const kept = read(shelf.get(key));
    if (Array.isArray(kept?.lines) && JSON.stringify([kept.lines.map((one) => one.text), Boolean(kept.waits)]) === lines) shelf.drop(key);
    if (key !== this.key) return;
    this.stored = lines;
    this.keep();
  }

  /** Which line of the plan a line of the letter is. */
  place(number) {
    return number - 1 - this.data.plan.clear.length;
  }

  change(act) {
    this.past.push(JSON.stringify([this.lines, this.waits]));
    if (this.past.length > 100) this.past.shift();
    act();
    this.keep();
    this.changed();
  }

  keep() {
    if (!this.isOpen()) shelf.drop(this.key);
    else {
      const { lines, waits, stored } = this;
      const plain = lines.map(({ text, path, count }) => ({ text, path, count }));
      shelf.put(this.key, JSON.stringify({ lines: plain, waits, stored, turn: this.data.turn }));
    }
  }

  add(...lines) {
    // Whoever orders more waits no longer.
    this.change(() => this.lines.push(...lines));
  }

  put(at, one) {
    this.change(() => this.lines.splice(at, 1, one));
  }

  delete(at) {
    this.change(() => this.lines.splice(at, 1));
  }

  move(from, to) {
    if (to < 0 || to >= this.lines.length || from === to) return;
    this.change(() => this.lines.splice(to, 0, ...this.lines.splice(from, 1)));
  }

  wait(waits) {
    this.change(() => (this.waits = waits));
  }

  undo() {
    if (!this.past.length) return;
    [this.lines, this.waits] = JSON.parse(this.past.pop());
    this.keep();
    this.changed();
  }

  /** Keeps the own lines although the sheet was changed. */
  insist() {
    this.elsewhere = false;
    this.keep();
  }

  /** Lines of other turns that were never sent. */
  old() {
    const start = `cursus/${this.data.game}/${this.data.seat}/`;
    const keys = shelf.keys(start).filter((key) => key !== this.key);
    const kept = keys.map((key) => ({ key, ...read(shelf.get(key)) }));
    for (const one of kept.filter(({ lines }) => Array.isArray(lines))) {
      const stored = read(one.stored)?.[0] ?? [];
      one.lines = one.lines.filter(({ text }) => !stored.includes(text));
    }
    return kept.filter((one) => Array.isArray(one.lines) && one.lines.length && one.turn !== undefined);
  }
}

function read(text) {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
