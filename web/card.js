// The card of an area: what stands there, and orders by tapping. It writes lines; whether they stand, the trial says.

import { button, el, line, say, steady, stepper } from './say.js';

export class Card {
  /** `game` answers for the data: area, own, owner, mayMove, treasury, holds, plan, board. */
  constructor(place, game) {
    this.place = place;
    this.game = game;
    this.open = null;
    this.count = null;
    this.voyage = null;
    this.editing = null;
    this.picking = null;
    this.refresh = steady(place, () => !this.voyage && this.render());
    place.addEventListener('keydown', (event) => event.key === 'Escape' && this.close());
  }

  /** Areas are chosen one after another: for a calamity, for an ability. */
  pick(wanted) {
    this.picking = { ...wanted, chosen: [...wanted.chosen], counts: {} };
    this.open = this.voyage = this.editing = null;
    this.render();
  }

  /** An area was tapped, on the map, where it is seen, or in a list. */
  tap(id, seen = false) {
    if (this.picking) {
      const { areas, chosen } = this.picking;
      if (id !== null && areas.includes(id)) this.picking.chosen = chosen.includes(id) ? chosen.filter((other) => other !== id) : [...chosen, id];
      this.render();
      return;
    }
    if (this.voyage) {
      if (id !== null && this.stops().includes(id)) this.sailTo(id);
      return;
    }
    const way = this.open !== null && this.ways().find(([to]) => to === id);
    if (way) this.walk(way);
    else if (id === null || id === this.open) this.close();
    else this.show(id, null, !seen);
  }

  show(id, editing = null, bring = true) {
    this.open = id;
    this.editing = editing;
    this.voyage = null;
    this.count = editing?.count ?? null;
    this.render();
    if (bring) this.game.board.bring(id);
    this.place.scrollTop = 0;
  }

  close() {
    const was = this.open;
    if (this.picking) return this.picked(this.picking.chosen);
    const held = this.place.contains(document.activeElement);
    this.open = this.voyage = this.editing = null;
    this.render();
    if (held && was !== null) this.game.board.focus(was);
  }

  /** What was chosen goes back to where it was asked for. */
  picked(chosen) {
    const { done, counts } = this.picking;
    this.picking = null;
    this.render();
    done(chosen, counts);
  }

  choosing() {
    const { title, areas, chosen, counts, most } = this.picking;
    const name = (id) => this.game.area(id)?.name ?? '';
    const sorted = [...areas].sort((one, other) => name(one).localeCompare(name(other)));
    const chip = (id) => button([chosen.includes(id) ? `${chosen.indexOf(id) + 1}. ` : '', el('b', {}, name(id))], () => this.tap(id), { plain: chosen.includes(id) ? 'chip picked' : 'chip.lit', 'aria-pressed': String(chosen.includes(id)) });
    const close = button('✕', () => this.picked([]), { plain: 'close', 'aria-label': say('cancel') });
    return [
      el('div.head', {}, el('h2', {}, title), close, el('div.row', {}, button(say('pick_done'), () => this.picked(chosen), { plain: 'main', id: 'picked' }))),
      el('p.route', { 'aria-live': 'polite' }, chosen.length ? chosen.map((id, at) => `${at + 1}. ${name(id)}`).join('  ') : say('pick_none')),
      el('div.beside', {}, sorted.map(chip)),
      // How many of the tokens there; all of them unless somebody says so.
      ...chosen.filter((id) => (most?.(id) ?? 0) > 1).map((id) => el('div.field', { 'data-count': id }, el('span', {}, name(id)),
        stepper({ label: name(id), least: 0, most: most(id), value: counts[id] ?? 0, shown: (n) => n || say('all'), change: (n) => (counts[id] = n) }))),
    ];
  }

  /** Own tokens here that can still move. */
  fresh() {
    const { fresh } = this.game.own(this.open);
    return fresh + (this.editing ? (this.editing.count ?? 0) : 0);
  }

  /** Where they may go, and over which area. */
  ways() {
    if (!this.game.mayMove() || this.open === null || this.fresh() < 1) return [];
    return this.game.area(this.open)?.reach ?? [];
  }

  /** How many move unless somebody says otherwise: those that cannot stay, or all. */
  usual() {
    const [area, own] = [this.game.area(this.open), this.game.own(this.open)];
    const spare = Math.max(0, own.tokens - area.room);
    return Math.min(this.fresh(), spare || this.fresh());
  }

  walk([to, over]) {
    const { area, plan } = this.game;
    const path = over === null ? [this.open, to] : [this.open, over, to];
    const count = this.number();
    const steps = path.slice(1).map((id) => area(id).to).join(' ');
    const text = line('move', { count, from: area(this.open).from, to: steps });
    const written = { text, path, count };
    const at = this.editing?.at ?? null;
    this.editing = null;
    this.count = null;
    if (at === null) plan().add(written);
    else plan().put(at, written);
    this.game.spend(path[0], to, count);
    // Those who are left may stay: the next tap is for another area, and moves nobody into it by mistake.
    const own = this.game.own(this.open);
    if (own.tokens <= this.game.area(this.open).room) this.close();
    else this.render();
  }

  number() {
    return Math.max(1, Math.min(this.count ?? this.usual(), this.fresh()));
  }

  /** Areas that light up, and how. */
  lit() {
    if (this.picking) return this.picking.areas.map((id) => [id, this.picking.chosen.includes(id) ? 'chosen' : 'reach']);
    if (this.voyage) {
      const last = this.voyage.stops.at(-1).area;
      return [...this.stops().map((id) => [id, 'reach']), ...this.voyage.stops.map((stop) => [stop.area, 'chosen']), [last, 'chosen']];
    }
    if (this.open === null) return [];
    return [...this.ways().map(([to]) => [to, this.breaks(to) ? 'over' : 'reach']), [this.open, 'chosen']];
  }

  /** Whether so many more would be too many there. */
  breaks(to) {
    const [area, own] = [this.game.area(to), this.game.own(to)];
    return own.tokens + this.number() > area.room && !(area.site && own.tokens + this.number() >= 6);
  }

  render() {
    const { place, game } = this;
    const controls = () => [...place.querySelectorAll('button, select, summary')];
    const called = (one) => one.getAttribute('aria-label') ?? one.textContent;
    const held = place.contains(document.activeElement) ? called(document.activeElement) : null;
    const isOpen = this.open !== null || Boolean(this.picking);
    place.hidden = !isOpen;
    document.body.classList.toggle('carded', isOpen);
    document.body.classList.toggle('sailing', Boolean(this.voyage));
    if (!isOpen) place.replaceChildren();
    else if (this.picking) place.replaceChildren(...this.choosing());
    else if (this.voyage) place.replaceChildren(...this.sailing());
    else place.replaceChildren(...this.standing());
    game.board.light(this.lit());
    // The keyboard stays where it was.
    if (held !== null) (controls().find((one) => called(one) === held) ?? controls()[0])?.focus({ preventScroll: true });
  }

  head(title, ...acts) {
    const close = button('✕', () => this.close(), { plain: 'close', 'aria-label': say('close') });
    return el('div.head', {}, el('h2', {}, title), close, acts.length > 0 && el('div.row', {}, acts));
  }

  standing() {
    const { game } = this;
    const [area, own] = [game.area(this.open), game.own(this.open)];
    const marks = [area.land && say('limit', { n: area.limit }), area.site && say('site')].filter(Boolean).join(' · ');
    const stands = [
      area.city && say('city', { who: game.owner(area.city).name }),
      ...area.tokens.map(([who, n]) => say('tokens', { who: game.owner(who).name, n })),
      ...area.ships.map(([who, n]) => say('ships', { who: game.owner(who).name, n })),
    ].filter(Boolean);
    const title = [area.name, el('small', {}, marks)];
    const parts = [
      this.head(el('span', {}, ...title)),
      el('p.stands', {}, stands.join(', ') || say('empty'), game.then(this.open) && el('span.then', {}, ` ${say('nobody_else', { what: game.then(this.open) })}`)),
      ...area.threats?.map(([who, n, needed]) => el('p.call', {}, say('threat', { who: game.owner(who).name, n, needed }))) ?? [],
    ];
    const most = this.fresh();
    if (game.mayMove() && (own.tokens || this.editing)) {
      if (most > 0) {
        const label = say('move');
        const steps = stepper({
          label,
          least: 1,
          most,
          value: this.number(),
          all: true,
          change: (count) => {
            this.count = count;
            game.board.light(this.lit());
            this.targets?.replaceWith((this.targets = this.beside()));
          },
        });
        parts.push(el('div.moves', {}, el('p', {}, label), steps));
      } else parts.push(el('p.quiet', {}, say('none_left')));
    }
    this.targets = this.beside();
    parts.push(this.targets);
    parts.push(...this.city(area, own));
    if (game.mayMove()) parts.push(...this.ships(area, own));
    return parts;
  }

  /** The neighbours by land and by water. */
  beside() {
    const { game } = this;
    const area = game.area(this.open);
    const ways = new Map(this.ways());
    const chip = (id) => {
      const there = game.area(id);
      if (!there) return null;
      const lit = ways.has(id);
      const over = lit && this.breaks(id);
      const load = there.land ? ` ${game.own(id).tokens}/${there.room}` : '';
      const others = there.tokens.filter(([who]) => who !== game.me()).map(([who, n]) => ` ${game.owner(who).sign} ${n}`).join('');
      const city = there.city ? ` ${game.owner(there.city).sign}⌂` : there.site ? ' □' : '';
      const said = lit ? line('move', { count: this.number(), from: area.from, to: there.to }) : there.name;
      return button([el('b', {}, there.name), `${load}${city}${others}`], () => this.tap(id), {
        plain: lit ? (over ? 'chip.lit.over' : 'chip.lit') : 'chip',
        'aria-label': `${said}${load}${city}${others}${over ? `, ${say('over')}` : ''}`,
      });
    };
    const far = [...ways].filter(([, over]) => over !== null).map(([to]) => to);
    const land = [...new Set([...area.walks, ...far])];
    const water = area.sails.filter((id) => !land.includes(id));
    const group = (title, ids) => ids.length > 0 && el('div.beside', { role: 'group', 'aria-label': title }, el('span.title', {}, title), ids.map(chip));
    return el('div', {}, group(say('by_land'), land), group(say('by_water'), water));
  }

  /** A city can be asked for where tokens stand, or will. */
  city(area, own) {
    const form = this.game.data().forms.find((one) => one.key === 'city');
    if (!form || area.city || !area.land || !own.tokens) return [];
    const build = () => {
      this.game.plan().add({ text: line('city', { area }) });
      this.close();
    };
    return [button(form.title, build)];
  }

  /** What can be done with ships here. */
  ships(area, own) {
    const { game } = this;
    if (!area.coast) return [];
    const write = (key, facts = {}) => {
      game.plan().add({ text: line(key, { area, ...facts }) });
      this.render();
    };
    const others = game.data().own.map((one) => one.area).filter((id) => id !== this.open && game.own(id).tokens > 0);
    const from = (label, key, extra = {}) => {
      const choose = el('select', { 'aria-label': label, onchange: () => choose.value && write(key, { source: game.area(Number(choose.value)), ...extra }) });
      choose.append(el('option', { value: '' }, label), ...others.map((id) => el('option', { value: id }, game.area(id).name)));
      return others.length ? choose : null;
    };
    const row = [];
    const usable = own.ships.filter((steps) => steps > 0).length;
    if (usable) row.push(button(say('sail'), () => this.embark(false), { plain: 'main' }));
    if (own.old) {
      if (!usable) row.push(button(say('sail_and_keep'), () => this.embark(true), { plain: 'main' }));
      row.push(
        el('details', {}, el('summary', {}, say('maintain')), el('div.row', {},
          button(say('upkeep_treasury'), () => write('maintain')),
          own.tokens > 0 && button(line('maintain_token', { area, source: area }), () => write('maintain_token', { source: area })),
          from(say('upkeep_token'), 'maintain_token'),
        )),
        button(say('scrap'), () => write('scrap'), { plain: 'quiet' }),
      );
    }
    if (own.tokens > 0) {
      row.push(el('details', {}, el('summary', {}, say('build_ship')), el('div.row', {},
        button(say('for_treasury'), () => write('build_ship')),
        button(say('for_both'), () => write('build_ship_both')),
        own.tokens > 1 && button(say('for_tokens'), () => write('build_ship_tokens')),
        from(say('for_elsewhere'), 'build_ship_elsewhere'),
      )));
    }
    const told = [own.old && say('ship_old', { n: own.old }), usable && say('ship_ready', { n: usable })].filter(Boolean).join(' · ');
    return row.length ? [el('div.ships', {}, told && el('p.quiet', {}, told), row)] : [];
  }

  /** A voyage begins here. */
  embark(keep) {
    const own = this.game.own(this.open);
    const steps = keep ? this.game.data().steps : Math.max(...own.ships);
    this.voyage = { keep, steps, stops: [{ area: this.open, unload: 0, load: Math.min(own.fresh, this.game.data().holds) }] };
    this.render();
  }

  /** Where it may go next. */
  stops() {
    const { stops, steps } = this.voyage;
    if (stops.length > steps) return [];
    return this.game.area(stops.at(-1).area).sails.filter((id) => this.game.area(id));
  }

  sailTo(id) {
    this.voyage.stops.push({ area: id, unload: 0, load: 0 });
    this.render();
    this.place.scrollTop = 0;
  }

  aboard(until) {
    return this.voyage.stops.slice(0, until).reduce((sum, stop) => sum - stop.unload + stop.load, 0);
  }

  sailing() {
    const { game, voyage } = this;
    const { stops, steps } = voyage;
    const [last, at] = [stops.at(-1), stops.length - 1];
    const before = this.aboard(at);
    const name = game.area(last.area).name;
    const count = (key, most) => most > 0 && el('div.moves', {}, el('p', {}, say(key)),
      stepper({ label: `${name}: ${say(key)}`, most, value: last[key], all: true, change: (n) => { last[key] = n; route.textContent = this.route(); } }));
    const route = el('p.route', { 'aria-live': 'polite' }, this.route());
    const back = () => {
      stops.pop();
      this.render();
    };
    const next = this.stops().map((id) => button(game.area(id).name, () => this.sailTo(id), { plain: 'chip.lit' }));
    return [
      this.head(`${say('sail')} · ${say('steps_left', { n: steps - at })}`,
        button(say('write'), () => this.land(), { plain: 'main', disabled: at === 0 }),
        at > 0 && button(say('take_back_stop'), back)),
      route,
      at > 0 && count('unload', before),
      count('load', Math.min(game.own(last.area).fresh, game.data().holds - before)),
      el('div.beside', {}, next),
      el('p.quiet', {}, say('tap_stop')),
    ].filter(Boolean);
  }

  /** `Tanis +2 → Gaza −1 → Jerusalem`, and how many are aboard. */
  route() {
    const { stops } = this.voyage;
    const told = stops.map(({ area, unload, load }) => `${this.game.area(area).name}${unload ? ` −${unload}` : ''}${load ? ` +${load}` : ''}`);
    return `${told.join(' → ')} · ${say('aboard', { n: this.aboard(stops.length) })}`;
  }

  /** The voyage is written. */
  land() {
    const { game, voyage } = this;
    const start = game.area(this.open);
    const acts = voyage.stops.flatMap((stop, at) => [
      at > 0 && game.area(stop.area).to,
      at > 0 && stop.unload > 0 && line('sail_unload', { count: stop.unload }),
      stop.load > 0 && at < voyage.stops.length - 1 && line('sail_load', { count: stop.load }),
    ]).filter(Boolean).join(' ');
    const upkeep = game.treasury() > 0 ? line('maintain', { area: start }) : line('maintain_token', { area: start, source: start });
    const lines = [voyage.keep && { text: upkeep }, { text: line('sail', { area: start, acts }) }].filter(Boolean);
    this.voyage = null;
    game.plan().add(...lines);
    this.render();
  }
}
