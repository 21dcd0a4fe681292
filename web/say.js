// Words and elements. All words come with the data; nothing here is in any language.

/** A click comes so long after its finger has gone. */
const CLICK = 120;

let words = {};
let lines = {};

/** Takes the words of the data. */
export function learn(data) {
  words = data.words;
  lines = data.lines;
}

/** A word of the page, its braces filled in. */
export function say(key, facts = {}) {
  return fill(words[key] ?? key, facts);
}

/** The line that a pattern writes. `{area.in}` asks an area how orders say it; brackets go when something in them is empty. */
export function line(key, facts = {}) {
  return write(lines[key] ?? key, facts);
}

export function write(pattern, facts) {
  const kept = pattern.replace(/\[([^\]]*)\]/g, (_, part) => (holes(part).every((hole) => given(facts, hole)) ? part : ''));
  return fill(kept, facts).replace(/\s+/g, ' ').trim();
}

/** Whether everything that a pattern asks for is there. */
export function isWhole(pattern, facts) {
  return holes(pattern.replace(/\[[^\]]*\]/g, '')).every((hole) => given(facts, hole));
}

function fill(text, facts) {
  return text.replace(/\{(\w+)(?:\.(\w+))?\}/g, (_, name, form) => {
    const fact = facts[name] ?? '';
    return String(typeof fact === 'object' ? (form ? fact[form] : fact.name) : fact);
  });
}

function holes(text) {
  return [...text.matchAll(/\{(\w+)/g)].map((hole) => hole[1]);
}

function given(facts, name) {
  const fact = facts[name];
  return fact !== undefined && fact !== null && fact !== '' && fact !== 0;
}

/** An element: its tag and classes, attributes and listeners, and what is in it. Text is text, never HTML. */
export function el(tag, facts = {}, ...inside) {
  const [name, ...classes] = tag.split('.');
  const made = document.createElement(name);
  if (classes.length) made.className = classes.join(' ');
  for (const [key, value] of Object.entries(facts)) {
    if (key.startsWith('on')) made.addEventListener(key.slice(2), value);
    else if (value === true) made.setAttribute(key, '');
    else if (value !== false && value !== null && value !== undefined) made.setAttribute(key, value);
  }
  made.append(...inside.flat().filter((part) => part !== null && part !== undefined && part !== false));
  return made;
}

/** A sentence; what stands between backticks is an order. */
export function rich(text) {
  return text.split('`').map((part, at) => (at % 2 ? el('code', {}, part) : part));
}

/** A button. */
export function button(text, act, facts = {}) {
  const { plain, ...more } = facts;
  return el(plain ? `button.${plain}` : 'button', { type: 'button', onclick: act, ...more }, ...[text].flat());
}

/** A number with a button on each side, and one for all. Calls back with each change. */
export function stepper({ label, least = 0, most, value, all = false, change, shown: write = String }) {
  const shown = el('output', { 'aria-live': 'polite' }, String(write(value)));
  const set = (next) => {
    value = Math.max(least, Math.min(most, next));
    shown.textContent = write(value);
    fewer.disabled = value <= least;
    more.disabled = value >= most;
    every?.setAttribute('aria-pressed', value === most);
    change(value);
  };
  const fewer = button('−', () => set(value - 1), { plain: 'step', 'aria-label': `${label}: ${say('fewer')}` });
  const more = button('+', () => set(value + 1), { plain: 'step', 'aria-label': `${label}: ${say('more_of')}` });
  const every = all ? button(say('all'), () => set(most), { plain: 'all' }) : null;
  fewer.disabled = value <= least;
  more.disabled = value >= most;
  every?.setAttribute('aria-pressed', value === most);
  const row = el('div.stepper', { role: 'group', 'aria-label': label }, fewer, shown, more, every);
  row.set = set;
  return row;
}

/** What is typed in; a slider and a box are not. */
const FIELDS = 'textarea, input:not([type=range], [type=checkbox])';

/** Draws anew, but never under a finger that is about to tap something there, nor while somebody types or chooses there. */
export function steady(place, draw) {
  let held = false;
  let waits = false;
  // A list of choices is open from a tap on it until something is chosen, or something else is tapped.
  let list = null;
  const isBusy = () => {
    const here = document.activeElement;
    return place.contains(here) && (here.matches(FIELDS) || here === list);
  };
  const now = () => {
    if (!waits || held || isBusy()) return;
    waits = false;
    draw();
  };
  const later = () => setTimeout(now);
  addEventListener('pointerdown', (event) => (list = event.target.closest?.('select') ?? null));
  place.addEventListener('pointerdown', () => (held = true));
  place.addEventListener('change', () => {
    list = null;
    later();
  });
  place.addEventListener('focusout', later);
  for (const end of ['pointerup', 'pointercancel']) {
    addEventListener(end, () => setTimeout(() => {
      held = false;
      now();
    }, CLICK));
  }
  return () => {
    waits = true;
    now();
  };
}

/** Says something to whoever hears the page. */
export function hear(text) {
  const place = document.getElementById('heard');
  if (place && text) place.textContent = place.textContent === text ? `${text}\u00a0` : text;
}

/** Draws anew and leaves what is before the eyes where it is, whatever came or went above it; the top of a place stays the top. */
export function still(place, draw) {
  const { top } = place.getBoundingClientRect();
  const height = (one) => one.getBoundingClientRect().top - top;
  const seen = place.scrollTop > 0 && [...place.querySelectorAll('[data-key]')].find((one) => height(one) >= 0 && one.offsetParent);
  const was = seen && height(seen);
  draw();
  const now = seen && place.querySelector(`[data-key="${CSS.escape(seen.dataset.key)}"]`);
  if (now) place.scrollTop += height(now) - was;
}
