// The moderator's page is whole without this. With it, what stands on it stays fresh, a button is pressed once, what was
// opened stays open, and what was typed is there again until it is done.

import { copies } from './copy.js';
import { brief, forget } from './kept.js';

const EVERY = 60_000;
const FRESH = ['now', 'log'];
const opened = `open ${location.pathname}`;
const drafted = `draft ${location.pathname}`;

/** Whether somebody is in the middle of something. */
function isBusy() {
  const here = document.activeElement;
  return Boolean(here?.closest('form, summary, a')) || document.hidden;
}

/** Takes what has changed from the page as it is now. */
async function refresh() {
  if (isBusy()) return;
  try {
    const answer = await fetch(location.pathname, { headers: { accept: 'text/html' } });
    if (!answer.ok) return;
    const page = new DOMParser().parseFromString(await answer.text(), 'text/html');
    // Whoever has begun to type meanwhile is left alone.
    if (isBusy()) return;
    let isNew = false;
    for (const id of FRESH) {
      const [old, fresh] = [document.getElementById(id), page.getElementById(id)];
      if (!old || !fresh || bare(old) === bare(fresh)) continue;
      old.replaceWith(fresh);
      isNew = true;
    }
    const heard = document.getElementById('heard');
    if (isNew && heard) heard.textContent = heard.dataset.fresh;
  } catch {
    // There is no line now; the next time there may be.
  }
}

/** A part of the page without the marks that are new each time. */
function bare(part) {
  const copy = part.cloneNode(true);
  copy.querySelectorAll('input[name=id]').forEach((one) => one.remove());
  copy.querySelectorAll('details[open]').forEach((one) => one.removeAttribute('open'));
  return copy.innerHTML;
}

/** The fields of a form that somebody fills in. */
const fields = (form) => [...form.querySelectorAll('select, textarea, input:not([type=hidden])')];

addEventListener('submit', (event) => {
  // A device that is forgotten keeps nothing of the game.
  if (event.target.action.endsWith('/leave')) {
    for (const key of [opened, drafted]) forget(key);
    return;
  }
  const id = event.target.closest('details')?.id ?? (event.target.querySelector('#typed') && 'typed');
  if (id) brief.put(drafted, JSON.stringify([id, fields(event.target).map((one) => one.value)]));
  const button = event.target.querySelector('button[type=submit]');
  // The form has to leave first.
  setTimeout(() => (button.disabled = true));
});

addEventListener('pageshow', () => document.querySelectorAll('button').forEach((one) => (one.disabled = false)));

const answer = document.getElementById('answer-to');
answer?.focus();
if (answer?.dataset.is === 'done') {
  brief.drop(drafted);
  brief.drop(opened);
}

const commands = document.getElementById('commands');
for (const id of (brief.get(opened) ?? '').split(' ').filter(Boolean)) {
  const form = document.getElementById(id);
  if (form) form.open = true;
}
commands?.addEventListener(
  'toggle',
  () => {
    const open = [...commands.querySelectorAll('details[open]')].map((one) => one.id);
    brief.put(opened, open.join(' '));
  },
  true,
);

/** What was typed and not done. */
function draft() {
  try {
    const [id, values] = JSON.parse(brief.get(drafted) ?? '[]');
    return [id && document.getElementById(id)?.closest('form, details'), Array.isArray(values) ? values : []];
  } catch {
    return [null, []];
  }
}

const [form, values] = draft();
if (form) fields(form).forEach((one, place) => (one.value = values[place] ?? one.value));

setInterval(refresh, EVERY);
addEventListener('visibilitychange', refresh);
copies();
