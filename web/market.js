// Cards: the own hand by sets, the board of the trade, offers and wishes made by choosing cards. Every button writes a line;
// what comes of it is said by the desk.

import { kept } from './kept.js';
import { button, el, hear, line, rich, say, steady, still } from './say.js';
import { attempt } from './post.js';

const PAUSE = 250;

/** Cards chosen one after another: what there is below, what was chosen above. */
export function chooser({ label, help, from, chosen, most = 12, change, key }) {
  const left = (one) => (one.count === undefined ? 1 : one.count - chosen.filter((name) => name === one.name).length);
  const out = chosen.map((name, at) => button([name, ' ', el('span.quiet', {}, '✕')], () => change(chosen.filter((_, other) => other !== at)),
    { plain: 'chip picked', 'aria-label': say('take_out', { what: name }), 'data-key': `${key}-out-${at}` }));
  const into = from.map((one) => button([one.name, one.each !== undefined && one.each !== null ? el('small', {}, ` ${one.each}`) : '', one.count > 1 ? ` ×${left(one)}` : ''], () => change([...chosen, one.name]),
    { plain: 'chip', 'aria-label': say('put_in', { what: one.name }), 'data-key': `${key}-in-${one.name}`, disabled: left(one) < 1 || chosen.length >= most }));
  return el('div.choose', { role: 'group', 'aria-label': label }, el('b', {}, label), help && el('p.quiet', {}, help),
    el('div.beside.picks', { 'aria-live': 'polite' }, out.length ? out : el('span.quiet', {}, '…')), el('div.beside', {}, into));
}

export class Market {
  /** `game` has the data, and `send(lines)`. */
  constructor(place, game) {
    this.place = place;
    this.game = game;
    this.told = [];
    this.made = { to: '', gives: [], wants: [], says: [] };
    this.wish = { wants: [], has: [] };
    this.answering = null;
    // The offer that a letter on its way accepts, and what was swapped since it left.
    this.accepting = null;
    this.swapped = null;
    this.open = new Set();
    this.fresh = new Set();
    this.draw = steady(place, () => this.render());
    this.key = null;
    // Whoever has gone on to something else since the last letter is not taken back to what came of it.
    this.isWaiting = false;
    place.addEventListener('pointerdown', () => (this.isWaiting = false));
  }

  /** New data. */
  take(isSeen) {
    const { market, game, seat } = this.game.data();
    this.key = `cursus/${game}/${seat}/seen-cards`;
    if (this.answering && !market.offers.some((one) => one.number === this.answering.number)) {
      this.overtaken(this.answering.number);
      this.answering = null;
    }
    // What was chosen and is no more in the hand cannot be given.
    const has = (names) => names.filter((name, at) => names.slice(0, at + 1).filter((other) => other === name).length <= (market.hand.find((one) => one.name === name)?.count ?? 0));
    this.made.gives = has(this.made.gives);
    if (this.answering) this.answering.gives = has(this.answering.gives);
    // What was said of another phase is over.
    const { turn, phase } = this.game.data();
    if (this.last && (this.last.turn !== turn || this.last.phase !== phase)) this.told = [];
    const isSwapped = this.compare(market);
    // Somebody was quicker: that is said before the letter is answered.
    if (this.accepting !== null && !market.offers.some((one) => one.number === this.accepting)) {
      if (!isSwapped) this.overtaken(this.accepting);
      this.accepting = null;
    }
    this.fresh = new Set(market.news.filter((one) => !this.seen().includes(one)));
    if (isSeen) this.look();
    this.draw();
  }

  /** What came into the hand and left it by trade, if anything. */
  compare(market) {
    const { turn, phase } = this.game.data();
    const now = { turn, phase, hand: new Map(market.hand.map((one) => [one.name, one.count])) };
    const was = this.last;
    this.last = now;
    if (!was || was.turn !== turn || was.phase !== phase || phase !== 7) return false;
    const change = (from, to) => [...from].map(([name, count]) => [name, count - (to.get(name) ?? 0)]).filter(([, count]) => count > 0).map(([name, count]) => (count > 1 ? `${count} ${name}` : name)).join(', ');
    const [gave, got] = [change(was.hand, now.hand), change(now.hand, was.hand)];
    if (!gave && !got) return false;
    const swapped = say('swapped', { gave: gave || '–', got: got || '–' });
    // Told with the answer to the letter that is on its way; what was swapped before it is no answer to it.
    if (this.isSending) this.swapped = swapped;
    this.told = [swapped];
    this.wasOvertaken = false;
    hear(swapped);
    return true;
  }

  seen() {
    try {
      const seen = JSON.parse(kept.get(this.key) ?? '[]');
      return Array.isArray(seen) ? seen : [];
    } catch {
      return [];
    }
  }

  /** The player looks at it: nothing of it is new any more. */
  look() {
    kept.put(this.key, JSON.stringify(this.game.data().market.news));
  }

  news() {
    const seen = this.seen();
    return this.game.data().market.news.filter((one) => !seen.includes(one)).length;
  }

  overtaken(number) {
    this.told = [say('overtaken', { n: number })];
    this.wasOvertaken = true;
    hear(this.told[0]);
  }

  /** A letter from here was answered. */
  answered(letter, told, text) {
    const accepted = letter.number;
    const judged = (text, why, hint) => ({ text, why, hint });
    const refused = told ? [...told.refused.map((one) => judged(one.text, one.why, one.hint)), ...[...told.faults, ...told.doubts].map((one) => judged(one.text, one.says, one.hint))] : [];
    const illegal = (told?.parts ?? []).flatMap((part) => part.lines).filter((one) => one.illegal).map((one) => judged(one.order, one.illegal, one.hint));
    const bad = [...refused, ...illegal];
    this.wasOvertaken = bad.length > 0 && accepted !== undefined;
    const good = told ? [...told.said, ...told.wishes] : [text];
    const swapped = this.swapped ? [this.swapped] : [];
    this.swapped = this.accepting = null;
    this.isSending = false;
    const said = [...swapped, ...good.filter(Boolean)];
    this.told = bad.length ? [...bad, ...swapped] : said.length ? said : [say('done_deal')];
    hear(this.outcome());
    if (bad.length) return;
    if (letter.kind === 'offer') this.made = { to: this.made.to, gives: [], wants: [], says: [] };
    if (letter.kind === 'wish') this.wish = { wants: [], has: [] };
    this.answering = null;
  }

  /** What came of the last letter, in a line. */
  outcome() {
    const [first] = this.told;
    return typeof first === 'string' || !first ? first : `${first.text}: ${first.why}`;
  }

  send(text, more = {}) {
    this.told = [];
    this.swapped = null;
    this.accepting = more.number ?? null;
    this.isWaiting = this.isSending = true;
    this.game.send(text, more);
    this.render();
  }

  render() {
    const { market } = this.game.data();
    const focus = document.activeElement?.closest?.('#cards') ? document.activeElement.dataset.key : null;
    // What is about to strike comes first.
    const strikes = [8, 9, 10].includes(this.game.data().phase);
    const parts = [this.strip(market), ...(strikes ? this.powers() : []), this.hand(market)];
    if (market.open) parts.push(this.board(market), this.offer(market), this.wishes(market), this.ending());
    else parts.push(el('p.quiet', {}, this.game.data().phase === 7 ? say('you_ended') : say('no_market')), market.offers.length > 0 && this.board(market));
    if (!strikes) parts.push(...this.powers());
    if (market.trades.length) parts.push(el('h2', {}, say('trades_so_far')), ...market.trades.map((one) => el('p', {}, ...rich(one))));
    still(this.place, () => {
      this.place.replaceChildren(...parts.filter(Boolean));
      if (focus) this.place.querySelector(`[data-key="${CSS.escape(focus)}"]`)?.focus({ preventScroll: true });
    });
  }

  /** Calamities and abilities; they stay as they are, half filled in, until something of them changes. */
  powers() {
    const { data, perils, judged } = this.game;
    const key = JSON.stringify([data().phase, data().turn, judged(), data().forms.filter((one) => one.about !== null)]);
    if (key !== this.powersKey) this.powersMade = perils();
    this.powersKey = key;
    return this.powersMade;
  }

  /** What came of the last answer; and where somebody was quicker, what is open now. */
  strip(market) {
    if (!this.told.length) return el('div', { id: 'deal' });
    const open = market.offers.filter((one) => one.accept);
    const now = this.wasOvertaken && market.open
      ? [el('p', {}, el('b', {}, open.length ? say('open_now') : say('nothing_open'))), ...open.slice(0, 4).map((one) => this.row(one, 'now'))]
      : [];
    const said = (one) => (typeof one === 'string' ? el('p', {}, ...rich(one)) : [el('p', {}, el('code', {}, one.text)), el('p', {}, ...rich(one.why)), one.hint && el('p', {}, ...rich(one.hint))]);
    return el('div.call', { id: 'deal' }, this.told.flatMap(said), now);
  }

  hand(market) {
    if (!market.hand.length) return el('div', {}, el('h2', {}, say('hand')), el('p.quiet', {}, say('no_cards')));
    const cards = market.hand.map((one) => el(`li.set${one.each === null ? '.calamity' : ''}`, {},
      el('span.count', {}, `${one.count}×`), el('b', {}, one.name),
      one.each !== null && el('span.each', { 'aria-hidden': 'true' }, String(one.each)),
      el('small', {}, one.each === null ? (one.tradeable ? say('calamity') : say('kept_card')) : [say('set_worth', { n: one.value }), one.more ? say('one_more', { n: one.more }) : ''].filter(Boolean).join(' · '))));
    return el('div', {}, el('h2', {}, `${say('hand')} · ${say('hand_worth', { n: market.value })}`), el('ul.hand', {}, cards));
  }

  board(market) {
    // What stands at the top is not shown twice.
    const above = this.wasOvertaken && this.told.length && market.open ? market.offers.filter((one) => one.accept).slice(0, 4) : [];
    const rows = market.offers.filter((one) => !above.includes(one)).map((one) => this.row(one));
    if (!rows.length && above.length && !market.wishes.length) return null;
    return el('div', {}, el('h2', {}, say('board')), rows.length ? rows : !above.length && el('p.quiet', {}, say('no_offers')),
      market.wishes.length > 0 && el('h3', {}, say('wishes')), market.wishes.map((one) => el('p', {}, ...rich(one))));
  }

  row(one, where = 'row') {
    const { data, owner } = this.game;
    const turn = data().turn;
    const mine = one.own ? say('own_offer') : owner(one.from).name;
    const state = one.own ? '' : one.accept ? say('can_accept') : one.for_me ? say('not_enough') : say('for_others');
    const isNew = this.fresh.has(`${turn}o${one.number}`);
    const may = data().market.open;
    const key = `${where}-${one.number}`;
    const acts = !may ? [] : one.own
      ? [button(say('withdraw'), () => this.send(one.decline), { 'data-key': `${key}-no` })]
      : [
        one.accept && button(say('accept'), () => this.send(one.accept, { number: one.number }), { plain: 'main', 'data-key': `${key}-yes` }),
        one.for_me && one.accept && button(say('other_cards'), () => this.answer(one), { 'data-key': `${key}-with`, 'aria-expanded': String(this.answering?.number === one.number) }),
        one.for_me && button(say('decline'), () => this.send(one.decline), { plain: 'quiet', 'data-key': `${key}-no` }),
      ].filter(Boolean);
    return el(`div.offer${one.accept ? '.ready' : ''}${isNew ? '.fresh' : ''}`, { 'data-offer': one.number },
      el('p', {}, el('small.quiet', {}, `${say('offer_number', { n: one.number })} `), el('b', {}, mine), ' ', one.says, isNew && el('span.badge', {}, say('new')), el('small.quiet', {}, ` ${state}`)),
      one.accept && el('code', {}, one.accept),
      acts.length > 0 && el('div.row', {}, acts),
      this.answering?.number === one.number && this.answerWith(one));
  }

  answer(one) {
    this.answering = this.answering?.number === one.number ? null : { number: one.number, gives: [] };
    this.render();
  }

  answerWith(one) {
    const mine = this.answering;
    const text = line('accept', { number: one.number, gives: mine.gives.join(', ') });
    const whole = mine.gives.length === one.wants;
    return el('div.panel', {}, chooser({
      label: `${say('give')} (${mine.gives.length}/${one.wants})`, help: one.names.join(', '), from: this.tradeable(), chosen: mine.gives, most: one.wants, key: 'answer',
      change: (gives) => {
        mine.gives = gives;
        this.render();
      },
    }), el('p.order', {}, whole ? text : '…'), button(say('accept'), () => this.send(text, { number: one.number }), { plain: 'main', disabled: !whole, 'data-key': 'answer-send' }));
  }

  tradeable() {
    return this.game.data().market.hand.filter((one) => one.tradeable);
  }

  /** Something that is opened, and stays so when it is drawn anew. */
  fold(name, title, inside) {
    const made = el('details.form', { 'data-fold': name, open: this.open.has(name) }, el('summary', { 'data-key': `fold-${name}` }, title), inside);
    made.addEventListener('toggle', () => (made.open ? this.open.add(name) : this.open.delete(name)));
    return made;
  }

  offer(market) {
    const { made } = this;
    const set = (part) => (value) => {
      made[part] = value;
      this.render();
      this.judge();
    };
    const to = el('select', { 'aria-label': say('to_whom'), 'data-key': 'offer-to', onchange: () => set('to')(to.value) },
      [['', say('to_all')], ...market.partners.map(([, name]) => [name, name])].map(([value, shown]) => el('option', { value, selected: value === made.to }, shown)));
    const goods = [{ name: say('any') }, ...market.goods.map((one) => ({ ...one, count: undefined }))];
    const whole = made.gives.length >= 3 && made.wants.length >= 3;
    const judged = this.judged?.text === this.text() ? this.judged.says : [];
    return this.fold('offer', say('make_offer'), [
      el('div.field', {}, el('span', {}, say('to_whom')), to),
      chooser({ label: say('give'), help: say('give_help'), from: this.tradeable(), chosen: made.gives, change: set('gives'), key: 'give' }),
      chooser({ label: say('want'), help: say('want_help'), from: goods, chosen: made.wants, change: set('wants'), key: 'want' }),
      made.gives.length > 2 && this.fold('says', say('say_of_rest'), chooser({ label: say('say_of_rest'), from: market.goods.map((one) => ({ ...one, count: undefined })), chosen: made.says, most: made.gives.length - 2, change: set('says'), key: 'says' })),
      el('p.order', { 'aria-live': 'polite' }, whole ? this.text() : '…'),
      whole && judged.map((one) => el('p.bad', {}, ...rich(one))),
      button(say('offer_it'), () => this.send(this.text(), { kind: 'offer' }), { plain: 'main', disabled: !whole, 'data-key': 'offer-send', id: 'offer-send' }),
    ]);
  }

  text() {
    const { to, gives, wants, says } = this.made;
    return line('offer', { to: to || say('to_all'), gives: gives.join(', '), wants: wants.join(', '), says: says.join(', ') });
  }

  /** Asks the server what it thinks of the offer, before it is made. */
  judge() {
    clearTimeout(this.waits);
    const text = this.text();
    if (this.made.gives.length < 3 || this.made.wants.length < 3) return;
    this.waits = setTimeout(async () => {
      const answer = await attempt(text).catch(() => null);
      if (!answer || text !== this.text()) return;
      const bad = answer.lines.filter((one) => one.verdict === 'illegal' || one.verdict === 'unread');
      this.judged = { text, says: bad.flatMap((one) => one.says) };
      this.draw();
    }, PAUSE);
  }

  wishes(market) {
    const { wish } = this;
    const set = (part) => (value) => {
      wish[part] = value;
      this.render();
    };
    const goods = market.goods.map((one) => ({ ...one, count: undefined }));
    const whole = wish.wants.length + wish.has.length > 0;
    const text = line('post', { wishes: wish.wants.join(', '), has: wish.has.join(', ') });
    return this.fold('wish', say('make_wish'), [
      el('p.quiet', {}, say('wish_help')),
      chooser({ label: say('wish_want'), from: goods, chosen: wish.wants, change: set('wants'), key: 'wish-want' }),
      chooser({ label: say('wish_have'), from: goods, chosen: wish.has, change: set('has'), key: 'wish-have' }),
      el('p.order', { 'aria-live': 'polite' }, whole ? text : '…'),
      el('div.row', {},
        button(say('wish_it'), () => this.send(text, { kind: 'wish' }), { plain: 'main', disabled: !whole, 'data-key': 'wish-send', id: 'wish-send' }),
        market.wished && button(say('take_wish_down'), () => this.send(line('no_post')), { 'data-key': 'wish-down' })),
    ]);
  }

  ending() {
    return el('div.row', {}, button(say('end_trade'), () => this.send(line('done')), { id: 'end-trade', 'data-key': 'end-trade' }));
  }
}
