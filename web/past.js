// What was: letters of old, the map of any turn, curves of scores and steps, words of others; and the rules with the guide.

import { Board } from './map.js';
import { book, letter, mapThen, past } from './post.js';
import { button, el, line, rich, say, steady } from './say.js';

const SVG = 'http://www.w3.org/2000/svg';
/** So many sections are shown of what a search finds. */
const FOUND = 30;

function svg(tag, facts = {}, ...inside) {
  const made = document.createElementNS(SVG, tag);
  for (const [key, value] of Object.entries(facts)) made.setAttribute(key, value);
  made.append(...inside);
  return made;
}

/** HTML that the server has made plain, as elements. */
function plain(text) {
  const page = new DOMParser().parseFromString(text, 'text/html');
  return [...page.body.childNodes].map((node) => document.adoptNode(node));
}

export class Past {
  /** `places` are the elements to draw into; `game` has the data, and `send`. */
  constructor(places, game) {
    this.places = places;
    this.game = game;
    this.known = null;
    this.turn = null;
    this.kind = 'points';
    this.opened = null;
    this.newest = null;
    // Each correspondent has a place of their own, which stays while words come and are typed.
    this.rooms = new Map();
    this.draws = [
      steady(places.letters, () => this.letters()),
      steady(places.history, () => this.history()),
    ];
  }

  /** Asks for it anew when something has changed since. */
  async load() {
    const { revision } = this.game.data();
    if (this.revision === revision) return;
    this.revision = revision;
    const number = (this.asked = (this.asked ?? 0) + 1);
    try {
      const known = await past();
      // An older answer that comes late takes nothing back.
      if (number < (this.taken ?? 0)) return;
      this.taken = number;
      this.known = known;
    } catch {
      if (number === this.asked) this.revision = null;
      return;
    }
    this.render();
  }

  render() {
    if (!this.known) return;
    const { turns, era, curves } = this.known;
    const history = JSON.stringify([turns, era, curves]);
    const [letters, past] = this.draws;
    letters();
    // What is over stays as it is looked at until there is more of it.
    if (this.drawn !== history) past();
    this.drawn = history;
    this.press();
  }

  /** The letters, the newest first. */
  letters() {
    const { letters } = this.known;
    const { letters: place } = this.places;
    const option = (value, title) => el('option', { value, selected: value === (this.opened ?? '') }, title);
    const choose = el('select', { id: 'old-letter', 'aria-label': say('old_letters'), onchange: () => this.open(Number(choose.value)) },
      option('', say('newest_letter')), letters.map((one) => option(one.number, `${one.title} (${one.written})`)));
    place.replaceChildren(...(letters.length ? [el('div.field', {}, el('span', {}, say('old_letters')), choose)] : []));
  }

  /** An old letter takes the place of the newest; 0 gives it back. */
  async open(number) {
    const place = () => document.querySelector('#report .letter') ?? this.places.letters.parentElement.appendChild(el('div.letter'));
    this.opened = number || null;
    this.newest ??= [...place().childNodes];
    if (!number) {
      place().replaceChildren(...this.newest);
      this.newest = null;
      return;
    }
    const text = await letter(number).catch(() => null);
    // Another may have been chosen meanwhile.
    if (this.opened === number) place().replaceChildren(...(text === null ? [el('p', {}, say('trouble'))] : plain(text)));
  }

  /** The server has written another newest letter; an old one that is open stays open above it. */
  renewed() {
    this.newest = null;
    if (this.opened) this.open(this.opened);
  }

  /** The map of a turn, and the curves. */
  history() {
    const { turns, era } = this.known;
    const place = this.places.history;
    const held = place.contains(document.activeElement) ? document.activeElement : null;
    if (!turns) return place.replaceChildren(el('h2', {}, say('history')), el('p.quiet', {}, say('no_history')));
    this.turn = Math.min(this.turn ?? turns, turns);
    const shown = el('output', {}, say('turn', { n: this.turn }));
    const slide = el('input', { type: 'range', min: 1, max: turns, step: 1, value: this.turn, id: 'turn', 'aria-label': say('map_of_turn') });
    const picture = el('div', { id: 'then' });
    const board = new Board(picture, { label: say('map_of_turn'), picture: true });
    const draw = async () => {
      const turn = this.turn;
      const text = await mapThen(era, turn).catch(() => null);
      if (turn !== this.turn) return;
      if (text === null) return picture.replaceChildren(el('p.call', {}, say('trouble')));
      board.show(text, this.game.data().sight);
      picture.dataset.turn = turn;
    };
    slide.addEventListener('input', () => (shown.textContent = say('turn', { n: slide.value })));
    slide.addEventListener('change', () => {
      this.turn = Number(slide.value);
      draw();
      this.mark();
    });
    const step = (by) => () => {
      slide.value = Number(slide.value) + by;
      slide.dispatchEvent(new Event('input'));
      slide.dispatchEvent(new Event('change'));
    };
    this.chart = el('div.chart', {});
    const kinds = ['points', 'steps'].map((kind) => button(say(kind === 'points' ? 'chart_points' : 'chart_steps'), () => {
      // The map above stays as it is looked at.
      this.kind = kind;
      for (const one of kinds) one.setAttribute('aria-pressed', String(one.dataset.key === `chart-${kind}`));
      this.mark();
    }, { 'aria-pressed': String(this.kind === kind), 'data-key': `chart-${kind}` }));
    place.replaceChildren(el('h2', {}, say('history')),
      el('div.row.turns', {}, button('−', step(-1), { 'aria-label': say('turn_before') }), slide, button('+', step(1), { 'aria-label': say('turn_after') }), shown),
      picture, el('div.row', {}, kinds), this.chart);
    this.mark();
    draw();
    // A keyboard stays where it was.
    if (held?.id === 'turn') slide.focus({ preventScroll: true });
    else if (held?.dataset.key) place.querySelector(`[data-key="${held.dataset.key}"]`)?.focus({ preventScroll: true });
  }

  /** Curves, one a civilization; the chosen turn is marked. */
  mark() {
    const { curves, turns } = this.known;
    const { civ } = this.game.data();
    const [wide, high, left, low] = [360, 200, 30, 22];
    const all = curves.flatMap((one) => one[this.kind]).filter((value) => value !== null);
    const most = Math.max(1, ...all);
    const x = (turn) => left + (turns > 1 ? ((turn - 1) * (wide - left - 10)) / (turns - 1) : 0);
    const y = (value) => high - low - (value * (high - low - 10)) / most;
    const grid = [0, 0.5, 1].map((part) => Math.round(part * most)).flatMap((value) => [
      svg('line', { x1: left, x2: wide - 10, y1: y(value), y2: y(value), class: 'grid' }),
      text(4, y(value) + 4, String(value)),
    ]);
    const marks = [1, this.turn, turns].filter((turn, at, list) => list.indexOf(turn) === at).map((turn) => text(x(turn), high - 6, String(turn), 'middle'));
    const lines = curves.map((one) => {
      const points = one[this.kind].map((value, at) => (value === null ? null : `${x(at + 1)},${y(value)}`)).filter(Boolean);
      const own = one.civ === civ ? ' own' : '';
      const made = svg('polyline', { points: points.join(' '), class: `curve${own}` });
      made.style.stroke = this.game.owner(one.civ).colour ?? 'gray';
      // Pale colours want an edge.
      return svg('g', {}, svg('polyline', { points: points.join(' '), class: `edge${own}` }), made);
    });
    const rule = svg('line', { x1: x(this.turn), x2: x(this.turn), y1: 4, y2: high - low, class: 'now' });
    const drawn = svg('svg', { viewBox: `0 0 ${wide} ${high}`, role: 'img', 'aria-label': say(this.kind === 'points' ? 'chart_points' : 'chart_steps') }, ...grid, rule, ...lines, ...marks);
    const at = this.turn - 1;
    const sorted = [...curves].sort((one, other) => (other[this.kind][at] ?? -1) - (one[this.kind][at] ?? -1));
    const table = el('table.legend', {}, el('caption', {}, say('turn', { n: this.turn })), sorted.map((one) => {
      const dot = el('span.dot', { 'aria-hidden': 'true' });
      dot.style.background = this.game.owner(one.civ).colour ?? 'gray';
      return el(`tr${one.civ === civ ? '.mine' : ''}`, {}, el('th', { scope: 'row' }, dot, this.game.owner(one.civ).name), el('td', {}, say('n_points', { n: one.points[at] ?? '–' })), el('td', {}, say('n_steps', { n: one.steps[at] ?? '–' })));
    }));
    this.chart.replaceChildren(drawn, table);
  }

  /** Words by whom they were exchanged with, and a field to answer. */
  press() {
    const place = this.places.press;
    const rooms = this.known.people.map((one) => this.room(one));
    const shown = [...place.querySelectorAll('details.form')];
    if (shown.length === rooms.length && rooms.every((room, at) => room === shown[at])) return;
    // A place that is put elsewhere loses the keyboard: whoever types there has it where it is.
    if (place.contains(document.activeElement) && rooms.every((room) => shown.includes(room))) return;
    place.replaceChildren(el('h2', {}, say('press')), ...rooms);
  }

  /** What was exchanged with somebody. */
  room(one) {
    const key = one.key;
    if (!this.rooms.has(key)) {
      const field = el('textarea', { rows: 2, 'aria-label': say('answer_to', { who: one.name }), 'data-with': key });
      const send = () => {
        if (!field.value.trim()) return;
        this.game.send(line('tell', { to: one.tell, text: field.value.trim().replace(/\n+/g, '\n') }));
        field.value = '';
        field.blur();
      };
      const words = el('div', {});
      const made = el('details.form', { 'data-person': key }, el('summary', {}), words, one.tell && field, one.tell && button(say('send'), send, { plain: 'main' }));
      this.rooms.set(key, made);
    }
    const made = this.rooms.get(key);
    const [summary, words] = made.children;
    summary.replaceChildren(one.name, ...(one.words.length > 0 ? [el('small.quiet', {}, ` ${one.words.length}`)] : []));
    words.replaceChildren(...one.words.map((said) => el(`div.said${said.own ? '.own' : ''}`, {}, el('small.quiet', {}, `${said.own ? say('you_wrote') : one.name} · ${said.written}`), said.text.split('\n').map((part) => el('p', {}, part)))));
    return made;
  }

  /** The rules and the guide, with a search. */
  book() {
    const place = this.places.book;
    const found = el('div', { id: 'found', 'aria-live': 'polite' });
    const search = el('input', { type: 'search', id: 'search', placeholder: say('search_rules'), 'aria-label': say('search_rules'), autocomplete: 'off' });
    const show = async () => {
      this.pages ??= await book().catch(() => null);
      if (!this.pages) return found.replaceChildren(el('p', {}, say('trouble')));
      const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
      const parts = [[say('guide'), this.pages.guide], [say('rules'), this.pages.rules]];
      const has = (text) => words.every((word) => text.toLowerCase().includes(word));
      const fold = (one, open) => el('details.form', { open }, el('summary', {}, one.title), one.lines.map((part) => el('p', {}, ...rich(part))));
      found.replaceChildren(...parts.flatMap(([title, sections]) => {
        const hits = sections.map((one) => (words.length && !has(one.title) ? { ...one, lines: one.lines.filter(has) } : one)).filter((one) => one.lines.length);
        return [el('h3', {}, title), ...hits.slice(0, words.length ? FOUND : hits.length).map((one) => fold(one, words.length > 0 && hits.length <= 6)), hits.length ? null : el('p.quiet', {}, say('nothing_found'))].filter(Boolean);
      }));
    };
    let waits = null;
    search.addEventListener('input', () => {
      clearTimeout(waits);
      waits = setTimeout(show, 150);
    });
    const open = el('details.form', { id: 'open-book' }, el('summary', {}, say('rules_and_guide')), search, found);
    open.addEventListener('toggle', () => open.open && show());
    place.replaceChildren(open);
  }
}

function text(x, y, words, anchor = 'start') {
  return svg('text', { x, y, 'text-anchor': anchor }, words);
}
