// Advances: all of them with what they cost this player, a basket, and what would be paid for it. What a basket comes to is
// said by the server, which is asked with the very line that would be sent.

import { chooser } from './market.js';
import { attempt } from './post.js';
import { button, el, line, rich, say, stepper } from './say.js';

const PAUSE = 150;
const POINTS = 5;

export class Advances {
  /** `game` has the data, `order(match, lines)` for the plan, and `planned()`. */
  constructor(place, game) {
    this.place = place;
    this.game = game;
    this.open = new Set();
    this.start();
  }

  start() {
    this.basket = [];
    this.library = '';
    this.free = '';
    this.credits = {};
    this.pays = null;
    this.keep = [];
    this.answer = null;
    this.told = null;
  }

  take() {
    const { turn, phase } = this.game.data();
    const when = `${turn}/${phase}`;
    if (this.when !== undefined && this.when !== when) this.start();
    this.when = when;
    this.basket = this.basket.filter((id) => this.card(id) && !this.card(id).held);
    this.render();
    this.judge();
  }

  card(id) {
    return this.game.data().advances.cards.find((one) => one.id === id);
  }

  /** The points that are chosen with what is in the basket. */
  points() {
    const gift = this.free ? [Number(this.free)] : [];
    return [...new Set([...this.basket, ...gift])].reduce((sum, id) => sum + this.card(id).chooses, 0);
  }

  helps(what) {
    return this.basket.some((id) => this.card(id).helps === what);
  }

  text() {
    const { lines } = this.game.data();
    const chosen = Object.entries(this.credits).filter(([, points]) => points > 0);
    const isChosen = chosen.reduce((sum, [, points]) => sum + points, 0) === this.points();
    const name = (group) => this.game.data().advances.credits.find((one) => one.group === group).name;
    let pays = '';
    if (this.pays) {
      const { cards, treasury, stands } = this.pays;
      const counted = [...new Set(cards)].map((one) => [cards.filter((other) => other === one).length, one]);
      const parts = [
        ...counted.map(([count, one]) => (count > 1 ? `${count} ${one}` : one)),
        stands?.card && stands.other ? line('pay_as', stands) : '',
        treasury ? line('pay_treasury', { count: treasury }) : '',
      ].filter(Boolean);
      pays = parts.join(', ') || say('pays_nothing');
    }
    return lines.acquire && line('acquire', {
      advances: this.basket.map((id) => this.card(id).name).join(', '),
      library: this.library && this.helps('library') ? this.card(Number(this.library)).of : '',
      free: this.free && this.helps('anatomy') ? this.card(Number(this.free)).with : '',
      credits: chosen.length && isChosen ? chosen.map(([group, points]) => `${points} ${name(group)}`).join(' ') : '',
      pays,
    });
  }

  /** Asks what it comes to. Only the last answer counts. */
  judge() {
    clearTimeout(this.waits);
    if (!this.basket.length) {
      this.answer = null;
      return;
    }
    const text = this.text();
    this.waits = setTimeout(async () => {
      // Whatever is on the sheet gives way to it.
      const answer = await attempt([this.game.clear(), text].filter(Boolean).join('\n')).catch(() => null);
      if (!answer || text !== this.text()) return;
      const bad = answer.lines.slice(-1).filter((one) => one.verdict === 'illegal' || one.verdict === 'unread');
      this.answer = { text, purchase: answer.purchase, says: bad.flatMap((one) => one.says) };
      const wanted = answer.purchase?.treasury ?? 0;
      const most = this.game.data().treasury;
      // What the cards leave open the treasury pays.
      if (this.pays && !this.pays.own && this.pays.treasury !== Math.min(wanted, most)) {
        this.pays.treasury = Math.min(wanted, most);
        this.render();
        this.judge();
        return;
      }
      this.render();
    }, PAUSE);
  }

  set(act) {
    act();
    this.told = null;
    const may = (id) => id && this.basket.includes(Number(id)) ? id : '';
    this.library = may(this.library);
    if (!this.helps('anatomy')) this.free = '';
    if (!this.points()) this.credits = {};
    this.render();
    this.judge();
  }

  render() {
    const { advances } = this.game.data();
    const focus = document.activeElement?.closest?.('#advances') ? document.activeElement.dataset.key : null;
    const top = this.place.scrollTop;
    const more = this.answer?.purchase ? new Set(this.answer.purchase.more) : null;
    const can = (one) => (more && this.basket.length ? more.has(one.id) : one.price <= advances.means);
    const open = advances.cards.filter((one) => !one.held);
    const group = (title, cards) => cards.length > 0 && [el('h2', {}, title), el('ul.advances', {}, cards.map((one) => this.row(one)))];
    const chosen = (one) => this.basket.includes(one.id);
    this.place.replaceChildren(...[
      this.step(advances),
      this.means(advances),
      ...this.panel(advances),
      group(say('affordable'), open.filter((one) => chosen(one) || can(one))),
      group(say('too_dear'), open.filter((one) => !chosen(one) && !can(one))),
      group(say('held'), advances.cards.filter((one) => one.held)),
    ].flat(2).filter(Boolean));
    this.place.scrollTop = top;
    if (focus) this.place.querySelector(`[data-key="${CSS.escape(focus)}"]`)?.focus({ preventScroll: true });
  }

  step({ step }) {
    if (!step) return el('p.quiet', {}, say('last_step'));
    if (!step.wants.length) return el('p.quiet', {}, say('step_free', { n: step.number }));
    return el('div', { id: 'step' }, el('h2', {}, say('next_step', { n: step.number })),
      el('ul.wants', {}, step.wants.map(([want, met]) => el(`li${met ? '.met' : ''}`, {}, `${met ? '✓' : '✗'} ${want}`))));
  }

  means(advances) {
    const { treasury } = this.game.data();
    const credits = advances.credits.filter((one) => one.points > 0);
    return el('div', {},
      el('p', {}, el('b', {}, say('means', { n: advances.means })), ` (${[say('means_of', { hand: advances.hand, treasury }), advances.token > 1 && say('token_worth', { n: advances.token })].filter(Boolean).join('; ')})`),
      el('p.credits', {}, credits.length ? [`${say('credits_of')}: `, ...credits.map((one) => el(`span.colour.${one.group}`, {}, `${one.name} ${one.points}`))] : el('span.quiet', {}, say('no_credits'))),
      !advances.now && el('p.quiet', {}, say('later_advances')));
  }

  row(one) {
    const isIn = this.basket.includes(one.id);
    const act = one.held ? null : button(isIn ? '✓' : '+', () => this.set(() => {
      this.basket = isIn ? this.basket.filter((id) => id !== one.id) : [...this.basket, one.id];
    }), { plain: 'put', 'aria-pressed': String(isIn), 'aria-label': say(isIn ? 'take_from_basket' : 'put_in_basket', { what: one.name }), 'data-key': `put-${one.id}` });
    const priced = this.answer?.purchase?.prices.find(([id]) => id === one.id)?.[1] ?? one.price;
    const told = el('details', { open: this.open.has(one.id) },
      el('summary', { 'data-key': `card-${one.id}` }, el('b', {}, one.name), !one.held && el('span.price', {}, String(priced)),
        el('small', {}, [one.colours, !one.held && priced !== one.cost && say('printed', { n: one.cost }), say('points', { n: one.points })].filter(Boolean).join(' · '))),
      one.effect.map((part) => el('p', {}, ...rich(part))), one.gives && el('p.quiet', {}, say('gives_credits', { what: one.gives })));
    told.addEventListener('toggle', () => (told.open ? this.open.add(one.id) : this.open.delete(one.id)));
    return el(`li.advance${isIn ? '.in' : ''}`, { 'data-advance': one.id }, el('span.stripes', { 'aria-hidden': 'true' }, one.groups.map((group) => el(`i.${group}`, {}))), told, act);
  }

  /** What is bought, what helps, and what is paid. */
  panel(advances) {
    const planned = this.game.planned();
    const keep = this.keeping(advances);
    if (!this.basket.length) {
      return [el('div.basket', { id: 'basket' }, this.told && el('p.call', { role: 'status' }, ...rich(this.told)),
        planned.length > 0 && [el('b', {}, say('on_sheet')), ...planned.map((one) => el('p.order', {}, one, ' ', button('✕', () => this.drop(one), { plain: 'close', 'aria-label': say('take_out', { what: one }) })))], el('p.quiet', {}, say('basket_empty')), keep)];
    }
    const purchase = this.answer?.purchase;
    const chips = this.basket.map((id) => button([this.card(id).name, ' ', el('span.quiet', {}, '✕')], () => this.set(() => (this.basket = this.basket.filter((other) => other !== id))), { plain: 'chip picked', 'aria-label': say('take_from_basket', { what: this.card(id).name }), 'data-key': `out-${id}` }));
    const price = purchase?.price ?? this.basket.reduce((sum, id) => sum + this.card(id).price, 0);
    const over = price - (purchase?.means ?? advances.means);
    const pays = purchase?.pays;
    const paid = pays && [...counted(pays.cards), pays.stands_in && line('pay_as', { card: pays.stands_in[0], other: pays.stands_in[1] }), pays.treasury && say('pays_treasury', { n: pays.treasury })].filter(Boolean).join(', ');
    const text = this.text();
    const whole = !this.answer?.says.length && purchase?.pays && this.answer.text === text;
    const act = button(say('order_them'), () => this.send(text), { plain: 'main', id: 'order-advances', disabled: !whole, 'data-key': 'order-advances' });
    const head = el('div.buys', {}, el('b', {}, `${say('basket')} · ${say('price_of', { price, means: purchase?.means ?? advances.means })}`), act);
    return [head, el('div.basket', { id: 'basket' },
      el('div.beside', {}, chips),
      over > 0 && el('p.bad', {}, say('over_means', { n: over })),
      this.helpers(),
      this.payment(advances, paid),
      el('p.order', { 'aria-live': 'polite', id: 'buys' }, text),
      this.answer?.text === text && this.answer.says.map((one) => el('p.bad', {}, ...rich(one))),
      keep)];
  }

  helpers() {
    const choose = (label, value, cards, set, key) => {
      const made = el('select', { 'aria-label': label, 'data-key': key, onchange: () => this.set(() => set(made.value)) },
        [['', '–'], ...cards.map((one) => [one.id, one.name])].map(([id, name]) => el('option', { value: id, selected: String(id) === String(value) }, name)));
      return el('div.field', {}, el('span', {}, label), made);
    };
    const parts = [];
    const others = this.basket.map((id) => this.card(id)).filter((one) => one.helps !== 'library');
    if (this.helps('library') && others.length) parts.push(choose(say('library_help'), this.library, others, (id) => (this.library = id), 'library'));
    const gifts = this.game.data().advances.cards.filter((one) => one.gift);
    if (this.helps('anatomy') && gifts.length) parts.push(choose(say('anatomy_help'), this.free, gifts, (id) => (this.free = id), 'anatomy'));
    const points = this.points();
    if (points) {
      const given = Object.values(this.credits).reduce((sum, one) => sum + one, 0);
      parts.push(el('div', {}, el('b', {}, say('credits_help', { n: points })), given !== points && given > 0 && el('span.bad', {}, ` ${say('credits_left', { n: points - given })}`),
        this.game.data().advances.credits.map((one) => el('div.field', {}, el(`span.colour.${one.group}`, {}, one.name),
          stepper({ label: one.name, most: Math.floor(((this.credits[one.group] ?? 0) + points - given) / POINTS), value: (this.credits[one.group] ?? 0) / POINTS, change: (n) => setTimeout(() => this.set(() => (this.credits[one.group] = n * POINTS))), shown: (n) => n * POINTS })))));
    }
    return parts;
  }

  payment(advances, paid) {
    const { market, treasury } = this.game.data();
    if (!this.pays) {
      const own = () => this.set(() => {
        const found = this.answer?.purchase?.pays;
        this.pays = { cards: [...(found?.cards ?? [])], treasury: found?.treasury ?? 0, own: false, stands: found?.stands_in ? { card: found.stands_in[0], other: found.stands_in[1] } : null };
      });
      return el('div', {}, paid !== undefined && paid !== null && el('p', { id: 'pays' }, el('b', {}, say('pays')), ` ${paid || say('pays_nothing')}`), button(say('pay_self'), own, { 'data-key': 'pay-self' }));
    }
    const from = market.hand.filter((one) => one.each !== null);
    const { pays } = this;
    const names = from.map((one) => one.name);
    const pick = (part) => {
      const made = el('select', { 'aria-label': say(part === 'card' ? 'stand_in' : 'stand_in_for'), 'data-key': `stands-${part}`, onchange: () => this.set(() => (pays.stands = { card: '', other: '', ...pays.stands, [part]: made.value })) },
        ['', ...names].map((name) => el('option', { value: name, selected: name === (pays.stands?.[part] ?? '') }, name || '–')));
      return made;
    };
    return el('div', { id: 'paying' },
      chooser({ label: say('pays'), help: say('pay_help'), from, chosen: pays.cards, most: 60, key: 'pay', change: (cards) => this.set(() => Object.assign(pays, { cards, own: false })) }),
      el('div.field', {}, el('span', {}, say('pay_treasury')), stepper({ label: say('pay_treasury'), most: treasury, value: pays.treasury, change: (n) => setTimeout(() => this.set(() => Object.assign(pays, { treasury: n, own: true }))) })),
      advances.stands_in && el('div.field', {}, el('span', {}, say('stand_in')), pick('card'), el('span', {}, say('stand_in_for')), pick('other')),
      button(say('pay_found'), () => this.set(() => (this.pays = null)), { plain: 'quiet', 'data-key': 'pay-found' }));
  }

  /** Which cards stay, where there are too many. */
  keeping({ limit, now }) {
    const { market } = this.game.data();
    const from = market.hand.filter((one) => one.each !== null);
    if (!now || from.reduce((sum, one) => sum + one.count, 0) <= limit) return null;
    const made = el('details.form', { open: this.open.has('keep') }, el('summary', { 'data-key': 'fold-keep' }, say('keep_cards')),
      chooser({ label: say('keep_cards'), help: say('keep_help', { n: limit }), from, chosen: this.keep, most: limit, key: 'keep', change: (keep) => {
        this.keep = keep;
        this.render();
      } }),
      button(say('keep_them'), () => this.send(line('keep', { cards: this.keep.join(', ') })), { plain: 'main', disabled: !this.keep.length, 'data-key': 'keep-send' }));
    made.addEventListener('toggle', () => (made.open ? this.open.add('keep') : this.open.delete('keep')));
    return made;
  }

  drop(text) {
    this.told = null;
    this.game.drop(text);
    this.render();
  }

  send(text) {
    this.told = this.game.order(text.split(' ')[0], text);
    this.basket = [];
    this.pays = null;
    this.library = this.free = '';
    this.credits = {};
    this.answer = null;
    this.render();
    this.place.scrollTop = 0;
  }
}

function counted(cards) {
  return [...new Set(cards)].map((one) => {
    const count = cards.filter((other) => other === one).length;
    return count > 1 ? `${count} ${one}` : one;
  });
}
