// The map: moved with one finger, zoomed with two, with the wheel and with the keyboard; a tap is told with its area.

const SVG = 'http://www.w3.org/2000/svg';
const CLOSEST = 4;
const STILL = 9;

export class Board {
  /** A `picture` is only looked at: nothing on it is tapped. */
  constructor(stage, { tapped = () => {}, areas = () => null, label, picture = false }) {
    this.stage = stage;
    this.tapped = tapped;
    this.areas = areas;
    this.label = label;
    this.picture = picture;
    this.fingers = new Map();
    this.view = null;
    stage.addEventListener('pointerdown', (event) => this.down(event));
    stage.addEventListener('pointermove', (event) => this.moved(event));
    for (const end of ['pointerup', 'pointercancel']) stage.addEventListener(end, (event) => this.up(event));
    stage.addEventListener('wheel', (event) => this.wheel(event), { passive: false });
    stage.addEventListener('keydown', (event) => this.pressed(event));
    new ResizeObserver(() => this.draw()).observe(stage);
  }

  /** Puts a map into its place. Only its elements are taken: a map comes from the server and has no scripts. */
  show(text, sight) {
    const held = this.svg?.contains(document.activeElement) ? document.activeElement.dataset.area : undefined;
    const svg = new DOMParser().parseFromString(text, 'image/svg+xml').documentElement;
    this.size = svg.getAttribute('viewBox').split(' ').slice(2).map(Number);
    this.svg = document.importNode(svg, true);
    this.svg.removeAttribute('width');
    this.svg.removeAttribute('height');
    this.svg.setAttribute('role', this.picture ? 'img' : 'group');
    if (this.picture) this.svg.setAttribute('tabindex', '0');
    this.svg.setAttribute('aria-label', this.label);
    this.stage.replaceChildren(this.svg);
    this.grounds = new Map();
    for (const ground of this.svg.querySelectorAll('.area')) {
      const id = Number(ground.dataset.area);
      this.grounds.set(id, ground);
      if (this.picture) continue;
      ground.setAttribute('role', 'button');
      ground.setAttribute('tabindex', '-1');
    }
    this.lights = this.svg.querySelector('.lights');
    this.ways = this.svg.querySelector('.ways');
    // Ways lie below names and pieces, what would stand there above them.
    this.trails = this.lights.cloneNode();
    this.trails.setAttribute('class', 'ways');
    this.lights.after(this.trails);
    if (held !== undefined && this.grounds.has(Number(held))) {
      this.grounds.get(Number(held)).setAttribute('tabindex', '0');
      this.grounds.get(Number(held)).focus({ preventScroll: true });
    }
    this.home = sight;
    if (!this.view) this.fit(sight);
    else this.draw();
  }

  /** What an area is called for those who hear it. */
  name(tell) {
    let first = null;
    for (const [id, ground] of this.grounds) {
      const { label, own } = tell(id);
      ground.setAttribute('aria-label', label);
      if (own && !first) first = ground;
    }
    const roving = this.svg.querySelector('.area[tabindex="0"]') ?? first ?? this.svg.querySelector('.area');
    roving?.setAttribute('tabindex', '0');
  }

  /** Shows a part of the map. */
  fit([left, top, width, height]) {
    const { clientWidth: wide, clientHeight: high } = this.stage;
    const scale = Math.min(CLOSEST, Math.min((wide || 390) / width, (high || 400) / height));
    this.view = { x: left + width / 2, y: top + height / 2, scale };
    this.draw();
  }

  /** Brings an area into sight, without zooming. `under` is how much of the stage is covered from below. */
  bring(id, under = 0) {
    const [x, y] = this.areas(id).at;
    const { clientWidth: wide, clientHeight: high } = this.stage;
    const { view } = this;
    const [px, py] = [(x - view.x) * view.scale + wide / 2, (y - view.y) * view.scale + high / 2];
    const [margin, free] = [Math.min(60, wide / 5), high - under];
    const inside = px > margin && px < wide - margin && py > margin && py < free - margin;
    if (!inside) {
      view.x = x;
      view.y = y + under / 2 / view.scale;
      this.draw();
    }
  }

  least() {
    const { clientWidth: wide, clientHeight: high } = this.stage;
    return Math.min(wide / this.size[0], high / this.size[1]) || 0.05;
  }

  draw() {
    if (!this.svg || !this.view || !this.stage.clientWidth) return;
    const { clientWidth: wide, clientHeight: high } = this.stage;
    const { view, size } = this;
    view.scale = Math.max(this.least(), Math.min(CLOSEST, view.scale));
    const hold = (at, length, whole) => (length >= whole ? whole / 2 : Math.max(length / 2, Math.min(whole - length / 2, at)));
    const [width, height] = [wide / view.scale, high / view.scale];
    view.x = hold(view.x, width, size[0]);
    view.y = hold(view.y, height, size[1]);
    cancelAnimationFrame(this.frame);
    this.frame = requestAnimationFrame(() => {
      this.svg.setAttribute('viewBox', `${view.x - width / 2} ${view.y - height / 2} ${width} ${height}`);
      this.svg.classList.toggle('far', view.scale < 0.45);
    });
  }

  /** Zooms around a place of the stage. */
  zoom(factor, px = this.stage.clientWidth / 2, py = this.stage.clientHeight / 2) {
    const { view } = this;
    const scale = Math.max(this.least(), Math.min(CLOSEST, view.scale * factor));
    const [dx, dy] = [px - this.stage.clientWidth / 2, py - this.stage.clientHeight / 2];
    view.x += dx / view.scale - dx / scale;
    view.y += dy / view.scale - dy / scale;
    view.scale = scale;
    this.draw();
  }

  at(event) {
    const box = this.stage.getBoundingClientRect();
    return [event.clientX - box.left, event.clientY - box.top];
  }

  down(event) {
    if (!this.svg || (event.pointerType === 'mouse' && event.button !== 0)) return;
    if (event.target.closest('button')) return;
    this.fingers.set(event.pointerId, { at: this.at(event), from: this.at(event), still: this.fingers.size === 0 });
    if (this.fingers.size > 1) for (const finger of this.fingers.values()) finger.still = false;
  }

  moved(event) {
    const finger = this.fingers.get(event.pointerId);
    if (!finger) return;
    const [x, y] = this.at(event);
    const others = [...this.fingers].filter(([id]) => id !== event.pointerId).map(([, other]) => other.at);
    if (Math.hypot(x - finger.from[0], y - finger.from[1]) > STILL && finger.still) {
      finger.still = false;
      this.stage.setPointerCapture(event.pointerId);
    }
    if (others.length) {
      const [ox, oy] = others[0];
      const before = Math.hypot(finger.at[0] - ox, finger.at[1] - oy);
      const after = Math.hypot(x - ox, y - oy);
      const [mx, my] = [(x + ox) / 2, (y + oy) / 2];
      this.view.x -= (x - finger.at[0]) / 2 / this.view.scale;
      this.view.y -= (y - finger.at[1]) / 2 / this.view.scale;
      if (before > 5) this.zoom(after / before, mx, my);
    } else if (!finger.still) {
      this.view.x -= (x - finger.at[0]) / this.view.scale;
      this.view.y -= (y - finger.at[1]) / this.view.scale;
      this.draw();
    }
    finger.at = [x, y];
  }

  up(event) {
    const finger = this.fingers.get(event.pointerId);
    this.fingers.delete(event.pointerId);
    if (!finger || !finger.still || event.type === 'pointercancel') return;
    this.tapped(this.meant(event));
  }

  /** The area under a finger; where that is water or nothing, a lit one near it. */
  meant(event) {
    const found = (x, y) => document.elementFromPoint(x, y)?.closest?.('[data-area]');
    const here = found(event.clientX, event.clientY);
    const id = here ? Number(here.dataset.area) : null;
    const lit = [...this.lights.children].map((light) => Number(light.dataset.lit));
    if (!lit.length || lit.includes(id)) return id;
    for (const reach of [10, 18]) {
      for (let turn = 0; turn < 8; turn += 1) {
        const [dx, dy] = [Math.cos((turn * Math.PI) / 4) * reach, Math.sin((turn * Math.PI) / 4) * reach];
        const near = Number(found(event.clientX + dx, event.clientY + dy)?.dataset.area ?? NaN);
        if (lit.includes(near)) return near;
      }
    }
    return id;
  }

  wheel(event) {
    if (!this.svg) return;
    event.preventDefault();
    this.zoom(Math.exp(-event.deltaY * (event.deltaMode ? 0.05 : 0.0015)), ...this.at(event));
  }

  pressed(event) {
    const ground = event.target.closest('.area');
    const ways = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
    if (event.key === '+' || event.key === '=') this.zoom(1.3);
    else if (event.key === '-') this.zoom(1 / 1.3);
    else if (event.key === '0') this.fit(this.home);
    else if ((event.key === 'Enter' || event.key === ' ') && ground) this.tapped(Number(ground.dataset.area));
    else if (ways[event.key] && this.picture) this.push(ways[event.key]);
    else if (ways[event.key] && ground) this.step(Number(ground.dataset.area), ways[event.key]);
    else return;
    event.preventDefault();
  }

  /** Moves a picture. */
  push([dx, dy]) {
    this.view.x += (dx * 60) / this.view.scale;
    this.view.y += (dy * 60) / this.view.scale;
    this.draw();
  }

  /** The nearest area in a direction. */
  step(from, [dx, dy]) {
    const [x, y] = this.areas(from).at;
    let best = null;
    for (const id of this.grounds.keys()) {
      const area = this.areas(id);
      if (!area || id === from) continue;
      const [ax, ay] = [area.at[0] - x, area.at[1] - y];
      const [along, aside] = [ax * dx + ay * dy, Math.abs(ax * dy - ay * dx)];
      if (along <= 0 || aside > along * 1.5) continue;
      const far = along + aside * 1.5;
      if (!best || far < best.far) best = { id, far };
    }
    if (best) this.focus(best.id);
  }

  focus(id) {
    this.svg.querySelector('.area[tabindex="0"]')?.setAttribute('tabindex', '-1');
    const ground = this.grounds.get(id);
    ground.setAttribute('tabindex', '0');
    ground.focus({ preventScroll: true });
    this.bring(id);
  }

  /** Lights areas up: `[id, class]` each. */
  light(lit) {
    this.lights.replaceChildren(
      ...lit.map(([id, kind]) => {
        const light = document.createElementNS(SVG, 'use');
        light.setAttribute('href', `#a${id}`);
        light.setAttribute('class', `light ${kind}`);
        light.dataset.lit = id;
        return light;
      }),
    );
  }

  /** Draws ways of tokens and ships, and what would stand where. */
  foresee(ways, places) {
    const drawn = ways.map(({ path, count, by_ship: byShip }) => {
      const points = path.map((id) => this.areas(id)?.at).filter(Boolean);
      const way = document.createElementNS(SVG, 'g');
      way.setAttribute('class', byShip ? 'way sea' : 'way');
      const trace = document.createElementNS(SVG, 'path');
      trace.setAttribute('d', arrow(points));
      way.append(trace);
      if (count && !byShip && reach(points) > 80) way.append(badge(between(points), String(count), 'count'));
      return way;
    });
    const stands = places.map((place) => {
      const at = this.beside(place.area, place.text);
      return at && badge(at, place.text, place.over ? 'after over' : 'after');
    });
    this.trails.replaceChildren(...drawn);
    this.ways.replaceChildren(...stands.filter(Boolean));
  }

  /** A place beside the pieces of an area, or below its name. */
  beside(id, text) {
    const spots = [...this.svg.querySelectorAll(`.spot[data-area="${id}"]`)];
    const pieces = spots.map((spot) => spot.querySelector('.pieces')).find(Boolean);
    if (pieces) {
      const { x, y, width, height } = pieces.getBBox();
      return [x + width + span(text) / 2 - 3, y + height / 2];
    }
    const name = spots[0]?.getBBox();
    return name ? [name.x + name.width / 2, name.y + name.height + 9] : this.areas(id)?.at;
  }
}

function reach(points) {
  const [a, b] = points.slice(-2);
  return b ? Math.hypot(b[0] - a[0], b[1] - a[1]) : 0;
}

/** How wide a badge is. */
function span(text) {
  return 12 + text.length * 9;
}

function between(points) {
  const [a, b] = points.slice(-2);
  return b ? [(a[0] + b[0]) / 2, (a[1] + b[1]) / 2] : a;
}

/** A line with a head at its end. */
function arrow(points) {
  const [a, b] = points.slice(-2);
  if (!b) return '';
  const length = Math.hypot(b[0] - a[0], b[1] - a[1]) || 1;
  const [ux, uy] = [(b[0] - a[0]) / length, (b[1] - a[1]) / length];
  const tip = [b[0] - ux * 10, b[1] - uy * 10];
  const head = [-1, 1].map((side) => [tip[0] - ux * 14 + uy * 8 * side, tip[1] - uy * 14 - ux * 8 * side]);
  const way = [...points.slice(0, -1), tip].map(([x, y]) => `${Math.round(x)} ${Math.round(y)}`).join('L');
  const ends = head.map(([x, y]) => `M${Math.round(tip[0])} ${Math.round(tip[1])}L${Math.round(x)} ${Math.round(y)}`);
  return `M${way}${ends.join('')}`;
}

function badge([x, y], text, kind) {
  const made = document.createElementNS(SVG, 'g');
  made.setAttribute('class', `badge ${kind}`);
  const width = span(text);
  const box = document.createElementNS(SVG, 'rect');
  const said = document.createElementNS(SVG, 'text');
  for (const [key, value] of Object.entries({ x: x - width / 2, y: y - 11, width, height: 22, rx: 11 })) box.setAttribute(key, value);
  said.setAttribute('x', x);
  said.setAttribute('y', y + 5.5);
  said.textContent = text;
  made.append(box, said);
  return made;
}
