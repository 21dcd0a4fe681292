// The page of a seat: brings map, card, lines and post together. Nothing of the game is decided here.

import { Advances } from './advances.js';
import { Card } from './card.js';
import { forms } from './forms.js';
import { forget, kept } from './kept.js';
import { Lines } from './lines.js';
import { Board } from './map.js';
import { Market } from './market.js';
import { Past } from './past.js';
import { perils } from './perils.js';
import { Plan } from './plan.js';
import * as post from './post.js';
import { button, el, hear, learn, line, rich, say, steady } from './say.js';

const $ = (id) => document.getElementById(id);
const SLOW = 400;
/** So long what is not urgent waits after news. */
const LATER = 800;
/** And so long where others' offers are all that is new. */
const MUCH_LATER = 6000;
/** So long after a load has failed it is tried again. */
const RETRY = 5000;
/** Notes that go by themselves. */
const BRIEF = ['ordered', 'sent', 'news', 'answer'];
/** Forms that have a better place on the page. */
const ELSEWHERE = ['acquire', 'tell'];
/** What a phase is about is not always on the map: where else, and what the way there is called. */
const PLACES = { 7: ['cards', 'go_cards'], 9: ['cards', 'go_calamities'], 10: ['cards', 'go_calamities'], 12: ['advances', 'go_advances'] };
/** Beside the map. */
const VIEWS = ['cards', 'advances', 'report', 'more'];

let data, plan, board, card, lines, outbox, market, advances, behind;
let title = document.title;
let areas = new Map();
let trial = null;
let spent = new Map();
let asking = null;
let mapName = null;
let later = null;
let due = 0;
let noted = 0;
// Loads by number: an older answer that comes late takes nothing back.
let asked = 0;
let taken = 0;
let retry = null;
let drawPlain = null;
let plainForms = null;
let freshCards = 0;

const none = (area) => ({ area, tokens: 0, fresh: 0, ships: [], old: 0 });

/** What card and lines may ask. */
const game = {
  data: () => data,
  plan: () => plan,
  area: (id) => areas.get(id),
  me: () => data.civ,
  owner: (key) => data.owners[key] ?? { name: '', sign: '' },
  treasury: () => trial?.treasury ?? data.treasury,
  mayMove: () => data.phase === 3 && !data.plan.done && !data.ended,
  own(id) {
    const own = (trial?.own ?? data.own).find((one) => one.area === id) ?? none(id);
    const [came, went] = spent.get(id) ?? [0, 0];
    return { ...own, tokens: own.tokens + came - went, fresh: Math.max(0, own.fresh - went) };
  },
  /** Until the trial has come back, what was just written counts. */
  spend(from, to, count) {
    const note = (id, came, went) => {
      const [c, w] = spent.get(id) ?? [0, 0];
      spent.set(id, [c + came, w + went]);
    };
    note(from, 0, count);
    note(to, count, 0);
  },
  then(id) {
    const place = trial?.places.find((one) => one.area === id);
    return place ? standing(place) : '';
  },
};

function standing({ tokens, room, city, ships }) {
  const parts = [tokens ? `${tokens}/${room}` : '', city ? `${game.owner(city).sign}⌂` : '', ships ? `△${ships > 1 ? ships : ''}` : ''];
  return parts.filter(Boolean).join(' ') || '0';
}

/** New data from the server. */
async function load(tries = 0) {
  const number = (asked += 1);
  const fresh = await post.data();
  if (number < taken) return;
  taken = number;
  const before = data;
  data = fresh;
  learn(data);
  areas = new Map(data.areas.map((area) => [area.id, area]));
  spent = new Map();
  if (before && before.version !== data.version) note('version', say('new_version'), [say('reload'), () => location.reload()]);
  if (plan) plan.take(data);
  else plan = new Plan(data, changed);
  trial = null;
  $('when').textContent = [say('turn', { n: data.turn }), data.phase_name, data.cut_off ? say('until', { when: data.cut_off }) : say('no_cut_off')].join(' · ');
  if (!board) build();
  if (mapName !== data.map) {
    const name = data.map;
    const text = await post.map(name).catch((trouble) => (trouble.status === 404 && tries < 5 ? null : Promise.reject(trouble)));
    // The game went on between the data and the map: there is another by now.
    if (text === null) {
      await new Promise((wake) => setTimeout(wake, 200));
      return load(tries + 1);
    }
    if (number < taken) return;
    if (name === data.map && name !== mapName) {
      board.show(text, data.sight);
      mapName = name;
    }
  }
  board.name((id) => ({ label: heard(id), own: data.own.some((one) => one.area === id) }));
  card.voyage = null;
  card.render();
  market.take(isLookedAt('cards'));
  advances.take();
  if (behind && ['report', 'more'].includes(document.body.dataset.view)) behind.load();
  badges();
  drawForms();
  remember();
  lines.judge(new Map());
  bar();
  told();
  if (before && (before.turn !== data.turn || before.phase !== data.phase)) await report(number);
  if (number === taken) await preview();
}

/** The report and what is wanted, as the server writes them now. */
async function report(number) {
  const page = await post.page();
  if (number < taken) return;
  for (const id of ['report', 'wanted']) {
    const [old, now] = [$(id), page.getElementById(id)];
    if (!old || !now) continue;
    const parts = [...document.adoptNode(now).childNodes];
    // What scripts have added stays.
    const own = ['letters', 'history'].map((name) => old.querySelector(`#${name}`)).filter(Boolean);
    old.replaceChildren(...own.slice(0, 1), ...parts, ...own.slice(1));
  }
  behind?.renewed();
}

/** An area for those who hear the map. */
function heard(id) {
  const area = areas.get(id);
  if (!area) return '';
  const stands = [
    area.city && say('city', { who: game.owner(area.city).name }),
    ...area.tokens.map(([who, n]) => say('tokens', { who: game.owner(who).name, n })),
    ...area.ships.map(([who, n]) => say('ships', { who: game.owner(who).name, n })),
  ].filter(Boolean);
  return [area.name, area.land && say('limit', { n: area.limit }), area.site && say('site'), ...stands].filter(Boolean).join(', ');
}

/** What is built once, over what the server wrote. */
function build() {
  document.body.classList.add('live');
  const stage = $('stage');
  stage.replaceChildren();
  board = new Board(stage, { tapped, areas: game.area, label: `${say('map')}. ${say('map_help')}` });
  stage.addEventListener('keydown', (event) => {
    const ground = event.target.closest('.area');
    if (event.key === 'Escape') card.close();
    if (ground && (event.key === 'Enter' || event.key === ' ')) card.place.querySelector('button')?.focus();
  });
  game.board = board;
  const find = el('input', { list: 'names', placeholder: say('find'), 'aria-label': say('find'), autocomplete: 'off' });
  find.addEventListener('change', () => {
    const wanted = find.value.trim().toLowerCase();
    const found = data.areas.find((area) => area.name.toLowerCase() === wanted) ?? data.areas.find((area) => wanted && area.name.toLowerCase().startsWith(wanted));
    if (!found) return;
    find.value = '';
    card.close();
    card.show(found.id);
  });
  $('map').append(
    el('div.tools', {},
      button('+', () => board.zoom(1.4), { 'aria-label': say('zoom_in') }),
      button('−', () => board.zoom(1 / 1.4), { 'aria-label': say('zoom_out') }),
      button('⌂', () => board.fit(data.sight), { 'aria-label': say('zoom_own') })),
    el('div.find', {}, find, el('datalist', { id: 'names' }, data.areas.map((area) => el('option', { value: area.name })))),
    $('notes'));
  card = new Card($('card'), game);
  market = new Market($('cards'), { data: game.data, owner: game.owner, perils: () => perils(powers), judged: () => powers.perils(), send: (text, more) => outbox.put(text, data.revision, { view: 'cards', ...more }) });
  advances = new Advances($('advances'), {
    data: game.data,
    clear: () => (data.plan.lines.some((one) => begins(one.text, 'acquire')) ? line('clear_advances') : ''),
    planned: () => plan.lines.map((one) => one.text).filter((text) => begins(text, 'acquire') || begins(text, 'keep')),
    drop: (text) => drop(text),
    order: (verb, text) => order((one) => one.split(' ')[0] === verb, text),
  });
  $('report').prepend(el('div', { id: 'letters' }));
  $('report').append(el('div', { id: 'history' }));
  $('more').prepend(el('div', { id: 'press' }), el('div', { id: 'book' }));
  behind = new Past({ letters: $('letters'), history: $('history'), press: $('press'), book: $('book') }, {
    data: game.data,
    owner: game.owner,
    send: (text) => outbox.put(text, data.revision, { view: 'press' }),
  });
  behind.book();
  document.addEventListener('visibilitychange', () => looked());
  calm();
  const list = el('ol', { id: 'lines' });
  const typed = el('input', { 'aria-label': say('type_line'), placeholder: say('type_line'), spellcheck: 'false', autocapitalize: 'off', enterkeyhint: 'done' });
  const type = (event) => {
    event.preventDefault();
    if (typed.value.trim()) plan.add({ text: typed.value.trim() });
    typed.value = '';
  };
  $('list').replaceChildren(el('div', { id: 'fixed' }), list, el('p.quiet', { id: 'none' }),
    el('form.row.type', { onsubmit: type }, typed, el('button', { type: 'submit' }, say('add'))), el('div', { id: 'preview' }));
  lines = new Lines(list, { plan: () => plan, edit });
  $('orders').append(el('div', { id: 'bar' }));
  outbox = new post.Outbox(`cursus/${data.game}/${data.seat}/out`, { told: sent, state, back });
  drawPlain = steady($('forms'), () => plainForms());
  asks();
  leaving();
  textForm();
  views();
  post.listen(heardNews, () => again());
  addEventListener('online', () => again());
  outbox.go();
}

/** What calamities and abilities ask for. */
const powers = {
  data: game.data,
  area: game.area,
  perils: () => trial?.perils ?? data.perils,
  add: (text, head) => note('ordered', order((one) => one.startsWith(head.trim()), text)),
  send: (text) => outbox.put(text, data.revision),
  pick: (wanted) => pick(wanted, 'cards'),
};

/** Areas are chosen on the map; then the view from where that was asked for comes back. */
function pick(wanted, view) {
  const done = (ids, counts) => {
    show(view);
    wanted.done(ids, counts);
  };
  show('map');
  card.pick({ ...wanted, done });
}

/** Whether a line begins as such a line does. */
const begins = (text, key) => text.split(' ')[0] === data.lines[key].split(' ')[0];

/** Takes a line into the plan, in the place of those that say the same thing; sends it where nothing else waits to be sent. */
function order(isSame, text) {
  const wasOpen = plan.isOpen();
  plan.change(() => (plan.lines = [...plan.lines.filter((one) => !isSame(one.text)), { text }]));
  if (wasOpen) return say('in_list');
  send();
  return say('sent');
}

/** Takes a line off the plan, and off the sheet where nothing else waits to be sent. */
function drop(text) {
  const wasOpen = plan.isOpen();
  plan.change(() => (plan.lines = plan.lines.filter((one) => one.text !== text)));
  if (!wasOpen) send();
}

/** Lines of other turns that were never sent are not lost. */
function remember() {
  for (const old of plan.old()) {
    const name = `old${old.turn}`;
    const take = () => {
      plan.add(...old.lines);
      kept.drop(old.key);
      unnote(name);
    };
    const never = () => {
      kept.drop(old.key);
      unnote(name);
    };
    note(name, `${say('old_lines', { n: old.turn })} ${old.lines.map((one) => one.text).join('; ')}`, [say('take_over'), take], [say('forget_lines'), never]);
  }
}

/** The board of a trade comes with the news and is shown at once; everything else has time, and not all browsers ask at once. */
function heardNews(revision, board) {
  if (revision === data.revision) return;
  if (!board || data.phase !== 7) {
    again();
    return;
  }
  const isSame = (part) => JSON.stringify(board[part]) === JSON.stringify(data.market[part]);
  // Offers and wishes of others change nothing else on the page: not everybody asks for all of it after each of them.
  const isBoard = ['hand', 'open', 'wished'].every(isSame) && !['offers', 'wishes', 'trades'].every(isSame);
  // What was asked for before is older than this.
  taken = asked += 1;
  data = { ...data, market: board };
  market.take(isLookedAt('cards'));
  badges();
  ask(isBoard ? MUCH_LATER : LATER);
}

/** Asks for the data after a while, or when that was due before. */
function ask(wait) {
  const at = Date.now() + wait * (1 + Math.random());
  if (later !== null && due <= at) return;
  clearTimeout(later);
  due = at;
  later = setTimeout(() => {
    later = null;
    again();
  }, at - Date.now());
}

/** Asks for the data anew; what fails is asked for again when there is a line. */
async function again() {
  try {
    const [turn, phase] = [data.turn, data.phase];
    await load();
    if (plan.isOpen() && (turn !== data.turn || phase !== data.phase)) note('news', say('news'));
    unnote('offline');
  } catch (trouble) {
    note('offline', say(post.reason(trouble)), [say('try_again'), () => again()]);
    clearTimeout(retry);
    if (!document.hidden) retry = setTimeout(again, RETRY * (1 + Math.random()));
  }
}

/** A finger on the map: what was told is read. */
function tapped(id) {
  for (const name of BRIEF) unnote(name);
  card.tap(id, true);
}

/** A line that walks is changed on the map. */
function edit(at) {
  const one = plan.lines[at];
  lines.open = null;
  lines.render();
  show('map');
  card.show(one.path[0], { at, count: one.count });
}

/** The plan was changed. */
function changed() {
  lines.judged = new Map();
  lines.render(true);
  bar();
  told();
  preview();
}

/** Asks what would come of the plan; only the last answer counts. */
async function preview() {
  asking?.abort();
  const mine = (asking = new AbortController());
  const slow = setTimeout(() => $('preview').setAttribute('aria-busy', 'true'), SLOW);
  try {
    const text = plan.text();
    const answer = text ? await post.attempt(text, mine.signal) : null;
    if (mine.signal.aborted) return;
    trial = answer;
    spent = new Map();
    const judged = new Map();
    for (const one of answer?.lines ?? []) if (plan.place(one.line) >= 0) judged.set(plan.place(one.line), one);
    lines.judge(judged);
    const places = (answer?.places ?? []).map((place) => ({ area: place.area, text: standing(place), over: place.tokens > place.room }));
    board.foresee(answer?.ways ?? [], places);
    card.refresh();
    told();
    if (data.perils.length) market.draw();
    unnote('offline');
    if (answer && answer.revision !== undefined && answer.revision !== data.revision) again();
  } catch (trouble) {
    if (!mine.signal.aborted) note('offline', say(post.reason(trouble)));
  } finally {
    clearTimeout(slow);
    $('preview')?.removeAttribute('aria-busy');
  }
}

/** What stands under the lines: warnings, the position, what is still awaited. */
function told() {
  const told = trial?.told;
  $('none').hidden = plan.lines.length > 0;
  $('none').hidden &&= !PLACES[data.phase];
  $('none').textContent = plan.lines.length ? '' : data.ended ? say('is_ended') : data.plan.done ? say('is_done') : PLACES[data.phase] ? say('go_help') : game.mayMove() ? say('no_lines') : say('no_lines_other');
  const [where, what] = PLACES[data.phase] ?? [];
  if (where && !data.ended && !data.plan.done) $('none').append(' ', button(say(what), () => show(where), { plain: 'main', id: 'go' }));
  const fixed = data.plan.fixed.length ? [el('details', {}, el('summary', {}, `${say('fixed')} (${data.plan.fixed.length})`), el('ol', {}, data.plan.fixed.map((one) => el('li', {}, one))))] : [];
  $('fixed').replaceChildren(...fixed);
  const parts = [];
  if (told?.warnings.length) parts.push(el('div.call', {}, el('b', {}, say('warnings')), el('ul', {}, told.warnings.map((one) => el('li', {}, ...rich(one))))));
  const numbers = told?.preview?.numbers ?? [say('treasury', { n: data.treasury }), say('stock', { n: data.stock })].join(', ');
  const position = told?.preview?.areas ?? [];
  parts.push(el('details', {}, el('summary', {}, `${say('position')}: ${numbers}`), el('ul', {}, position.map((one) => el('li', {}, one)))));
  if (told?.owed.length) parts.push(el('div.quiet', {}, el('b', {}, say('owed')), el('ul', {}, told.owed.map((one) => el('li', {}, ...rich(one))))));
  if (game.mayMove()) parts.push(waiting());
  $('preview').replaceChildren(...parts);
}

/** Whether the player insists on the own turn. */
function waiting() {
  const waiter = el('input', { type: 'checkbox', id: 'waits' });
  waiter.checked = plan.waits;
  waiter.addEventListener('change', () => plan.wait(waiter.checked));
  return el('label.wait', {}, waiter, el('span', {}, el('b', {}, say('wait')), ` ${say('wait_help')}`));
}

/** Sends the whole plan. */
function send(more = []) {
  unnote('faults');
  outbox.put([plan.text(), ...more].filter(Boolean).join('\n'), data.revision, { plan: plan.sealed() });
}

/** The buttons that send. */
function bar() {
  const ends = (data.phase === 3 || data.phase === 7) && !data.plan.done;
  const isOpen = plan.isOpen();
  const waits = outbox?.waiting().length ?? 0;
  const status = waits ? say('sending') : isOpen ? say('unsent') : plan.lines.length ? say('all_sent') : '';
  const nothing = !plan.lines.length && !isOpen;
  $('bar').replaceChildren(...[
    button('↶', () => plan.undo(), { 'aria-label': say('undo'), title: say('undo'), disabled: !plan.past.length }),
    el('span.status', { role: 'status' }, status),
    button(say('send'), () => send([]), { plain: isOpen ? 'main' : null, id: 'send', disabled: !isOpen || data.ended }),
    ends && !nothing && button(say('send_done'), () => send([line('done')]), { id: 'finish', plain: 'main' }),
    nothing && !data.plan.done && !data.ended && button(say('ok'), () => send([line('ok')]), { id: 'ok' }),
  ].filter(Boolean));
}

/** A letter was taken and answered. */
async function sent(letter, { state, told, text }) {
  if (letter.from?.view === 'cards' && state !== 'aside') {
    try {
      await load();
    } catch (trouble) {
      note('offline', say(post.reason(trouble)));
    }
    market.answered(letter.from, told, text);
    const isWaiting = market.isWaiting;
    market.render();
    if (isWaiting) $('deal').scrollIntoView({ block: 'nearest' });
    else if (market.outcome()) note('answer', market.outcome(), [say('answer'), () => (show('cards'), $('deal').scrollIntoView())]);
    return;
  }
  if (letter.from?.view === 'press') behind.revision = null;
  const clean = !told || (told.fall === 0 && !told.faults.length && !told.refused.length);
  // What was sent is what is stored; whatever was changed since stays.
  const same = letter.lines.startsWith(plan.text());
  if (letter.from?.plan && state !== 'aside') plan.taken(letter.from.plan);
  if (state === 'aside') note('trouble', say('aside'));
  else if (clean) note('sent', told?.said[0] ?? say('sent'));
  // What went wrong stays until it was read; what is illegal is marked at its line.
  else note('faults', say('sent_faults'));
  if (told) answer(told);
  else if (text) reply([text]);
  if (same) plan.past = [];
  try {
    await load();
  } catch (trouble) {
    note('offline', say(post.reason(trouble)));
  }
}

/** What was said to a letter beside the sheet: answers to questions, faults, what was sent to others. */
function answer(told) {
  const faults = [...told.faults, ...told.doubts].map((one) => `${one.text}: ${one.says}${one.hint ? ` ${one.hint}` : ''}`);
  const refused = told.refused.map((one) => `${one.text}: ${one.why}${one.hint ? ` ${one.hint}` : ''}`);
  const held = told.held.map((one) => `${one.to}: ${one.text.join(' ')}`);
  const press = told.sent.map((one) => `→ ${one.to}: ${one.text.join(' ')}`);
  const all = [...faults, ...refused, ...told.said, ...told.wishes, ...press, ...held, ...told.answers.flat(), ...told.beyond];
  reply(all);
}

function reply(all) {
  if (!all.length) return;
  const place = $('told') ?? $('more').insertBefore(el('div', { id: 'told', role: 'status' }), $('more').firstChild);
  place.replaceChildren(el('h2', {}, say('answer')), ...all.map((one) => el('p', {}, ...rich(one))));
  if (document.body.dataset.view === 'map') note('answer', all[0], [say('answer'), () => (show('more'), place.scrollIntoView())]);
}

function state(now) {
  if (now === 'clear') unnote('offline');
  else if (now !== 'sending') note('offline', say(now));
  if ($('bar')) bar();
}

/** A note over the map, with what can be done about it. */
function note(name, text, ...acts) {
  // What goes by itself gives way to the next, so that notes never pile up over what is to be tapped.
  for (const other of BRIEF.includes(name) ? BRIEF : [name]) unnote(other);
  const buttons = acts.map(([label, act]) => button(label, act));
  const gone = button('✕', () => unnote(name), { plain: 'close', 'aria-label': say('close') });
  $('notes').append(el('div.note', { 'data-note': name }, el('span', {}, ...rich(text)), buttons, gone));
  if (BRIEF.includes(name)) setTimeout(() => unnote(name), 4000);
}

/** How much room notes take above a view. */
const above = () => (getComputedStyle($('notes')).position === 'static' ? $('notes').offsetHeight : 0);

/** A note that comes or goes above a view moves nothing there away from under a finger. */
function calm() {
  new ResizeObserver(() => {
    const { view } = document.body.dataset;
    if (view !== 'map') $(view).scrollTop += above() - noted;
    noted = above();
  }).observe($('notes'));
}

function unnote(name) {
  $('notes').querySelector(`[data-note="${name}"]`)?.remove();
}

function drawForms() {
  if (plan.elsewhere) {
    const stop = (act) => () => {
      act();
      unnote('stored');
      changed();
    };
    note('stored', say('stored_changed'), [say('take_stored'), stop(() => plan.reset())], [say('keep_mine'), stop(() => plan.insist())]);
  }
  const add = (text) => {
    plan.add({ text });
    show('map');
  };
  const plain = { own: data.own, forms: data.forms.filter((one) => one.about === null && !ELSEWHERE.includes(one.key)) };
  // What is half filled in stays, until the forms themselves are others.
  const key = JSON.stringify([data.turn, data.phase, plain.forms]);
  if ($('forms').dataset.of === key) return;
  plainForms = () => {
    const open = [...$('forms').querySelectorAll('details[open]')].map((one) => one.dataset.form);
    const made = forms(plain, game.area, { add, pick: (wanted) => pick(wanted, 'more'), send: (text) => outbox.put(text, data.revision) });
    for (const one of made) if (open.includes(one.dataset.form)) one.open = true;
    $('forms').replaceChildren(el('h2', {}, say('forms')), ...made);
    $('forms').dataset.of = key;
  };
  drawPlain();
}

/** A letter that the server will never take: its words are not lost, and nothing waits behind it. */
function back(letter) {
  const field = $('typed');
  field.value = [field.value.trim(), letter.lines].filter(Boolean).join('\n');
  note('back', say('given_back'), [say('text'), () => (show('more'), field.scrollIntoView({ block: 'center' }))]);
}

/** What is asked about the own page is answered on it. */
function asks() {
  for (const form of document.querySelectorAll('form.own')) {
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      outbox.put(form.elements.lines.value, data.revision);
    });
  }
}

/** A device that is forgotten keeps nothing of the seat. */
function leaving() {
  for (const form of document.querySelectorAll('form[action$="/leave"]')) {
    form.addEventListener('submit', () => forget(`cursus/${data.game}/${data.seat}/`));
  }
}

/** The text field takes lines into the list, or sends them as they are. */
function textForm() {
  const form = $('text');
  const field = $('typed');
  const all = () => field.value.split('\n').map((one) => one.trim()).filter(Boolean);
  const take = () => {
    plan.add(...all().map((text) => ({ text })));
    field.value = '';
    show('map');
  };
  form.querySelector('button').remove();
  form.append(el('div.row', {}, button(say('text_add'), () => all().length && take(), { plain: 'main' }), el('button', { type: 'submit' }, say('text_send'))));
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    if (!field.value.trim()) return;
    outbox.put(field.value.trim(), data.revision);
    field.value = '';
  });
}

/** Map and orders, the report, or everything else. */
function views() {
  const go = () => show(location.hash.slice(1), false);
  addEventListener('hashchange', go);
  go();
}

/** Whether the player has this view before the eyes. */
const isLookedAt = (view) => document.body.dataset.view === view && document.visibilityState === 'visible';

/** What is before the eyes is not new any more. */
function looked() {
  if (isLookedAt('cards')) market.look();
  badges();
}

/** The title of the tab and a number at the view tell that something is new. */
function badges() {
  const count = market.news();
  const link = document.querySelector('#views a[href="#cards"]');
  link.querySelector('.badge')?.remove();
  if (count) link.append(el('span.badge', { 'aria-label': say('fresh', { n: count }) }, String(count)));
  if (count > freshCards) hear(`${say('cards')}: ${say('fresh', { n: count })}`);
  freshCards = count;
  const spoken = `cursus/${data.game}/${data.seat}/heard`;
  if (isLookedAt('more')) kept.put(spoken, data.heard);
  const more = document.querySelector('#views a[href="#more"]');
  more.querySelector('.badge')?.remove();
  if (data.heard > Number(kept.get(spoken) ?? 0)) more.append(el('span.badge', { 'aria-label': say('press') }, '✉'));
  document.title = count ? `(${count}) ${title}` : title;
}

function show(view, write = true) {
  const wanted = VIEWS.includes(view) ? view : 'map';
  if (document.body.dataset.view !== wanted) for (const name of BRIEF) unnote(name);
  document.body.dataset.view = wanted;
  (wanted === 'map' ? $('map') : document.querySelector('main')).append($('notes'));
  noted = above();
  for (const link of document.querySelectorAll('#views a')) {
    if (link.hash === `#${wanted}`) link.setAttribute('aria-current', 'true');
    else link.removeAttribute('aria-current');
  }
  if (market?.key) looked();
  if (behind && (wanted === 'report' || wanted === 'more')) behind.load();
  if (write && location.hash.slice(1) !== wanted) history.replaceState(null, '', `#${wanted}`);
}

/** The first load. Without data the page stays as the server wrote it; it is tried again, by itself and by a button. */
async function begin() {
  clearTimeout(retry);
  try {
    await load();
    $('failed')?.remove();
  } catch (trouble) {
    console.warn(trouble.message);
    // The words of scripts come with the data; these came with the page.
    const { failed, again: label } = document.body.dataset;
    $('failed')?.remove();
    const place = el('p.call', { id: 'failed', role: 'alert' }, failed, ' ', button(label, begin));
    document.querySelector('header').after(place);
    retry = setTimeout(begin, RETRY * (1 + Math.random()));
  }
}

begin();
