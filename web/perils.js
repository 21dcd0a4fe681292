// Calamities in the hand and special abilities: what would happen, and forms that write lines. Areas are tapped on the map.

import { forms } from './forms.js';
import { el, rich, say } from './say.js';

/** `game` has the data, `perils()` as the last trial sees them, and what forms need. */
export function perils(game) {
  const { forms: all, phase, own } = game.data();
  const about = (name) => forms({ forms: all.filter((one) => one.about === name), own }, game.area, game);
  const parts = game.perils().map((one) => {
    const would = one.would.length ? one.would.map((part) => el('p', {}, ...rich(part))) : el('p', {}, say('would_nothing'));
    return el('div.peril', { 'data-peril': one.name },
      el('h3', {}, one.name),
      el('p.quiet', {}, [one.victims > 0 && say('draws_in', { n: one.victims }), one.tradeable && phase <= 7 && say('still_tradeable')].filter(Boolean).join(' ')),
      el('div.call', {}, el('b', {}, say('would')), would),
      one.rule.length > 0 && el('details.form', {}, el('summary', {}, say('rule_of')), one.rule.map((part) => el('p', {}, ...rich(part)))),
      about(one.name));
  });
  const made = [];
  if (parts.length) made.push(el('h2', {}, say('calamities')), ...parts);
  const general = phase >= 7 && phase <= 9 ? about('') : [];
  if (general.length) made.push(el('h2', {}, say('any_calamity')), ...general);
  const abilities = phase >= 7 && phase <= 10 ? about(say('abilities')) : [];
  if (abilities.length) made.push(el('h2', {}, say('abilities')), ...abilities);
  return made;
}
