// Plain forms for what is not tapped: each writes a line.

import { button, el, isWhole, say, stepper, write } from './say.js';

/** The forms of the data. `add` takes a line into the plan, `send` sends it at once. */
export function forms(data, area, { add, send }) {
  return data.forms.map((form) => {
    const values = {};
    const shown = el('p.order', { 'aria-live': 'polite' });
    const act = button(form.at_once ? say('send') : say('add'), () => {
      const text = write(form.line, facts());
      if (form.at_once) send(text);
      else add(text);
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
  const buttons = choices.map(([value, shown]) => {
    const one = button(shown, () => {
      chosen = chosen.includes(value) ? chosen.filter((other) => other !== value) : [...chosen, value];
      buttons.forEach((other, at) => other.setAttribute('aria-pressed', String(chosen.includes(choices[at][0]))));
      told.textContent = say('chosen', { what: chosen.map((other) => choices.find(([known]) => known === other)[1]).join(', ') });
      change(chosen);
    }, { plain: 'chip', 'aria-pressed': 'false' });
    return one;
  });
  return el('div', { role: 'group', 'aria-label': label }, el('div.beside', {}, buttons), told);
}
