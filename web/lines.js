// The list of lines: always in sight, in the sequence in which they are played.

import { button, el, rich, say, steady } from './say.js';

const MARKS = { stands: '✓', later: '…', at_once: '!', remark: '–', void: '?', illegal: '✗', unread: '✗' };

export class Lines {
  constructor(place, { plan, edit }) {
    this.place = place;
    this.plan = plan;
    this.edit = edit;
    this.open = null;
    this.judged = new Map();
    this.refresh = steady(place, () => this.render());
  }

  /** What the trial said of each line, by its place in the plan. */
  judge(judged) {
    this.judged = judged;
    this.refresh();
  }

  /** Opens a line for typing. */
  type(at) {
    this.open = at;
    this.typing = true;
    this.render();
    this.place.querySelector('input')?.focus();
  }

  render(toEnd = false) {
    if (this.dragging) return;
    const plan = this.plan();
    if (this.open !== null && this.open >= plan.lines.length) this.open = null;
    const focus = this.place.contains(document.activeElement) ? document.activeElement.dataset.key : null;
    const items = plan.lines.map((one, at) => this.item(one, at));
    this.place.replaceChildren(...items);
    if (focus) this.place.querySelector(`[data-key="${CSS.escape(focus)}"]`)?.focus();
    if (toEnd) this.place.lastElementChild?.scrollIntoView({ block: 'nearest' });
  }

  item(one, at) {
    const judged = this.judged.get(at);
    const n = at + 1;
    const shown = judged?.orders.length ? judged.orders.join('; ') : one.text;
    const verdict = judged?.verdict;
    const isOpen = this.open === at;
    const toggle = () => {
      this.typing = false;
      this.open = isOpen ? null : at;
      this.render();
    };
    const grip = el('span.grip', { 'aria-hidden': 'true', onpointerdown: (event) => this.drag(event, at) }, '⠿');
    const mark = el('span.mark', { title: verdict ? say(`line_${verdict}`) : '' }, verdict ? MARKS[verdict] : '·');
    const text = button([el('span.n', {}, `${n}. `), shown], toggle, { plain: 'text', 'aria-expanded': String(isOpen), 'data-key': `t${at}` });
    if (verdict) text.append(el('span.hear', {}, `, ${say(`line_${verdict}`)}`));
    const gone = button('✕', () => this.plan().delete(at), { plain: 'close', 'aria-label': say('delete_line', { n, text: shown }), 'data-key': `x${at}` });
    const item = el(`li.line.${verdict ?? 'new'}`, {}, grip, mark, text, gone);
    if (judged?.says.length) item.append(el('p.says', {}, ...rich(judged.says.join(' '))));
    if (isOpen) item.append(this.typing ? this.field(one, at) : this.tools(one, at, n));
    return item;
  }

  tools(one, at, n) {
    const plan = this.plan();
    const move = (to) => {
      this.open = to;
      plan.move(at, to);
    };
    return el('div.row', {},
      button(say('change'), () => (one.path ? this.edit(at) : this.type(at)), { 'data-key': `c${at}` }),
      one.path && button('✎', () => this.type(at), { 'aria-label': say('type_line') }),
      button(`↑ ${say('up')}`, () => move(at - 1), { 'aria-label': say('up_line', { n }), disabled: at === 0, 'data-key': `u${at}` }),
      button(`↓ ${say('down')}`, () => move(at + 1), { 'aria-label': say('down_line', { n }), disabled: at === plan.lines.length - 1, 'data-key': `d${at}` }));
  }

  field(one, at) {
    const input = el('input', { value: one.text, 'aria-label': say('type_line'), spellcheck: 'false', autocapitalize: 'off', enterkeyhint: 'done' });
    const done = (event) => {
      event.preventDefault();
      const text = input.value.trim();
      this.typing = false;
      this.open = null;
      if (!text) this.plan().delete(at);
      else if (text !== one.text) this.plan().put(at, { text });
      else this.render();
    };
    return el('form.row', { onsubmit: done }, input, el('button', { type: 'submit' }, say('change')));
  }

  /** A line is dragged to another place. */
  drag(event, from) {
    event.preventDefault();
    const grip = event.currentTarget;
    const item = grip.closest('li');
    grip.setPointerCapture(event.pointerId);
    item.classList.add('dragged');
    this.dragging = true;
    // The others go around it: an element that is itself put elsewhere loses the finger.
    const moved = (now) => {
      const all = [...this.place.children];
      const here = all.indexOf(item);
      const over = all.findIndex((other) => {
        const box = other.getBoundingClientRect();
        return other !== item && now.clientY >= box.top && now.clientY <= box.bottom;
      });
      if (over < 0) return;
      const box = all[over].getBoundingClientRect();
      const below = now.clientY > (box.top + box.bottom) / 2;
      if (over > here && below) all.slice(here + 1, over + 1).forEach((other) => item.before(other));
      if (over < here && !below) all.slice(over, here).reverse().forEach((other) => item.after(other));
    };
    const ended = () => {
      this.dragging = false;
      grip.removeEventListener('pointermove', moved);
      item.classList.remove('dragged');
      const to = [...this.place.children].indexOf(item);
      this.open = null;
      if (to === from) this.render();
      else this.plan().move(from, to);
    };
    grip.addEventListener('pointermove', moved);
    grip.addEventListener('pointerup', ended, { once: true });
    grip.addEventListener('pointercancel', ended, { once: true });
  }
}
