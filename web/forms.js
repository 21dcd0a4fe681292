// Plain forms for what is not tapped: each writes a line.

import { button, el, isWhole, say, stepper, write } from './say.js';

/** The forms of the data. `add` takes a line into the plan, `send` sends it at once. */
export function forms(data, area, { add, send, pick }) {
  return data.forms.map((form) => {
    // What only asks for areas is tapped on the map at once.
    if (form.fields.length === 1 && form.fields[0].kind === 'areas') {
      const { name, areas, counted } = form.fields[0];
      const named = (id, counts) => (counts[id] ? `${area(id).name} ${counts[id]}` : area(id).name);
      const done = (ids, counts = {}) => ids.length && add(write(form.line, { [name]: ids.map((id) => named(id, counts)).join(', ') }), form.line.split('{')[0]);
      const most = (id) => (counted ? (data.own.find((one) => one.area === id)?.tokens ?? 0) : 0);
      const ask = () => pick({ title: form.about ? `${form.about}: ${form.title}` : form.title, areas, most, chosen: [], done });
      return el('div.form', { 'data-form': form.key }, button([form.title, ' ', el('small.quiet', {}, areas.length ? say('on_map') : '–')], ask, { plain: 'wide', disabled: !areas.length }));
    }
    const values = {};
    const shown = el('p.order', { 'aria-live': 'polite' });
    const act = button(form.at_once ? say('send') : say('add'), () => {
      const text = write(form.line, facts());
      if (form.at_once) send(text);
      else add(text, form.line.split('{')[0]);
      details.open = false;
    }, { plain: 'main' });
    const facts = () => Object.fromEntries(Object.entries(values).map(([name, value]) => [name, value?.areas ? value.areas.map((id) => area(id).name).join(', ') : value?.area !== undefined ? area(value.area) : value?.said ?? value]));
    const changed = () => {
      const whole = isWhole(form.line, facts());
      shown.textContent = whole ? write(form.line, facts()) : '…';
      act.disabled = !whole;
    };
    const fields = form.fields.map((field) => el('div.field', {}, el('span', {}, field.label), control(field, values, area, changed)));
    const details = el('details.form', { 'data-form': form.key }, el('summary', {}, form.title), fields, shown, act);
    changed();
    return details;
  });
}

function control(field, values, area, changed) {
  const { name, label } = field;
  const set = (value) => {
    values[name] = value;
    changed();
  };
  switch (field.kind) {
    case 'number':
      values[name] = field.first;
      return stepper({ label, least: field.least, most: field.most, value: field.first, change: set });
    case 'text': {
      const input = el('textarea', { rows: 2, 'aria-label': label, spellcheck: 'false' });
      input.addEventListener('input', () => set(input.value.trim().replace(/\n+/g, '\n')));
      return input;
    }
    case 'area':
      return select(label, field.areas.map((id) => [id, area(id)?.name ?? '']), (value) => set(value === '' ? '' : { area: Number(value) }));
    case 'choice': {
      values[name] = field.choices[0]?.[0];
      return select(label, field.choices, set, false);
    }
    case 'areas':
      return several(label, field.areas.map((id) => [id, area(id)?.name ?? '']), (ids) => set(ids.length ? { areas: ids.map(Number) } : ''));
    default:
      return several(label, field.choices, (all) => set(all.join(', ')));
  }
}

function select(label, choices, change, mayBeNone = true) {
  const sorted = mayBeNone ? [...choices].sort((one, other) => one[1].localeCompare(other[1])) : choices;
  const made = el('select', { 'aria-label': label, onchange: () => change(made.value) },
    mayBeNone && el('option', { value: '' }, say('choose')), sorted.map(([value, shown]) => el('option', { value }, shown)));
  return made;
}

/** Several, in the sequence in which they are tapped. */
function several(label, choices, change) {
  let chosen = [];
  const told = el('p.quiet', { 'aria-live': 'polite' });
  // Equal ones, as cards may be, are chosen each by itself.
  const buttons = choices.map(([, shown], at) => button(shown, () => {
    chosen = chosen.includes(at) ? chosen.filter((other) => other !== at) : [...chosen, at];
    buttons.forEach((other, place) => other.setAttribute('aria-pressed', String(chosen.includes(place))));
    told.textContent = say('chosen', { what: chosen.map((other) => choices[other][1]).join(', ') });
    change(chosen.map((other) => choices[other][0]));
  }, { plain: 'chip', 'aria-pressed': 'false' }));
  return el('div', { role: 'group', 'aria-label': label }, el('div.beside', {}, buttons), told);
}
