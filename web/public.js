// The public page: a map that moves, a slider of turns, buttons that copy. What is shown is written by the server; a turn is
// fetched as a page, and its parts take the place of those that are here.

import { copies } from './copy.js';
import { Board } from './map.js';

const { address } = document.body.dataset;
const words = document.getElementById('words').dataset;
/** So often it is asked whether there is anything new, while somebody looks. */
const LOOK = 120_000;

const find = (id, within = document) => within.getElementById(id);
let tag = null;
let board = null;
let asked = 0;

function button(text, act, label) {
  const made = document.createElement('button');
  made.type = 'button';
  made.textContent = text;
  made.setAttribute('aria-label', label);
  made.addEventListener('click', act);
  return made;
}

/** The address of a turn; 0 is the present. The language stays. */
function at(turn) {
  const query = new URLSearchParams(location.search);
  query.delete('turn');
  if (turn) query.set('turn', turn);
  return `${address}${String(query) && `?${query}`}`;
}

function shown() {
  return Number(new URLSearchParams(location.search).get('turn')) || 0;
}

/** The map in its place, to be moved and enlarged. */
async function draw() {
  const stage = find('then');
  const { map, label } = stage.dataset;
  const answer = await fetch(map, { credentials: 'omit' }).catch(() => null);
  if (!answer?.ok || find('then') !== stage) return;
  const text = await answer.text();
  const view = board?.view;
  board = new Board(stage, { label, picture: true });
  const size = /viewBox="0 0 ([\d.]+) ([\d.]+)"/.exec(text);
  board.show(text, [0, 0, Number(size[1]), Number(size[2])]);
  stage.classList.add('live');
  // Whoever compares turns looks at the same place of each.
  if (view) {
    board.view = view;
    board.draw();
  }
  stage.dataset.shown = map;
}

/** A slider in place of the links. */
function slide(keeps) {
  const place = find('turns');
  if (!place) return;
  const { turns, turn, sayTurn, sayNow, sayBefore, sayAfter } = place.dataset;
  const last = Number(turns) + 1;
  const say = (value) => (Number(value) === last ? sayNow : sayTurn.replace('{n}', value));
  const range = Object.assign(document.createElement('input'), { type: 'range', id: 'turn', min: 1, max: last, step: 1 });
  range.value = Number(turn) || last;
  range.setAttribute('aria-label', place.getAttribute('aria-label'));
  const told = document.createElement('output');
  const tell = () => {
    told.textContent = say(range.value);
    range.setAttribute('aria-valuetext', say(range.value));
  };
  tell();
  range.addEventListener('input', tell);
  range.addEventListener('change', () => go(Number(range.value) === last ? 0 : Number(range.value), 'turn'));
  const step = (by, key) => () => {
    const next = Math.max(1, Math.min(last, Number(range.value) + by));
    if (next !== Number(range.value)) go(next === last ? 0 : next, key);
  };
  const less = button('−', step(-1, 'less'), sayBefore);
  const more = button('+', step(1, 'more'), sayAfter);
  less.id = 'less';
  more.id = 'more';
  place.replaceChildren(less, range, more, told);
  if (keeps) find(keeps)?.focus({ preventScroll: true });
}

/** Fetches the page of a turn; null where it is the one that is known. */
async function page(turn, known) {
  const headers = known ? { 'if-none-match': known } : {};
  const answer = await fetch(at(turn), { credentials: 'omit', cache: 'no-store', headers });
  if (answer.status === 304) return null;
  if (!answer.ok) throw new Error(String(answer.status));
  tag = answer.headers.get('etag');
  return new DOMParser().parseFromString(await answer.text(), 'text/html');
}

/** Shows what a page of the server has. */
function take(fresh, keeps) {
  for (const id of ['status', 'board', 'roster', 'charts', 'record']) {
    const [now, next] = [find(id), find(id, fresh)];
    if (now && next) now.replaceWith(document.adoptNode(next));
  }
  find('news').hidden = true;
  ready(keeps);
}

async function go(turn, keeps, remembers = true) {
  const number = (asked += 1);
  try {
    const fresh = await page(turn);
    if (number !== asked) return;
    if (remembers) history.pushState(null, '', at(turn));
    take(fresh, keeps);
  } catch {
    tell(words.trouble);
  }
}

function tell(text) {
  const news = find('news');
  news.textContent = text;
  news.hidden = false;
}

/** Looks whether there is anything new. The present is renewed, an old turn stays as it is. */
async function look() {
  if (document.hidden) return;
  const number = asked;
  const turn = shown();
  try {
    const fresh = await page(turn, tag);
    if (!fresh || number !== asked) return;
    const old = document.body.dataset.revision;
    if (fresh.body.dataset.revision === old) return;
    document.body.dataset.revision = fresh.body.dataset.revision;
    if (turn || document.activeElement?.closest?.('main textarea')) tell(words.fresh);
    else take(fresh, document.activeElement?.id);
  } catch {
    // It is asked again soon.
  }
}

function ready(keeps) {
  slide(keeps);
  copies();
  draw();
}

addEventListener('popstate', () => go(shown(), null, false));
setInterval(look, LOOK);
document.addEventListener('visibilitychange', look);
ready(null);
