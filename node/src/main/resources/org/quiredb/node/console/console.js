// The console's page. It reads /state once, then /events each second; all that it shows goes in as text.
'use strict';

const $ = id => document.getElementById(id);
const SVG = 'http://www.w3.org/2000/svg';
const KEPT_MILLIS = 15 * 60_000;
const SHORTEST_MILLIS = 2 * 60_000;

let state = null;
let before = null; // the state before it
let times = [];
let series = {};
let shownEvents = 0;
let tab = 'heaviest';
let opened = null;

// --- words and figures

const whole = new Intl.NumberFormat('en-US', {maximumFractionDigits: 0});
const count = n => n == null || !isFinite(n) ? '–' : n > 0 && n < 10 && n % 1 !== 0 ? n.toFixed(1) : whole.format(n);
const millis = n => n == null || !isFinite(n) ? '–' : n < 1 ? n.toFixed(2) : n < 10 ? n.toFixed(1) : n < 10_000 ? whole.format(n) : count(n / 1000);
const millisUnit = n => n >= 10_000 ? 's' : 'ms';
const clock = at => new Date(at).toLocaleTimeString('en-GB');
const last = name => { const s = series[name]; return s && s.length ? s[s.length - 1] : null; };

// The newest of the last ten seconds, where not every second has one.
function lately(name) {
  const values = (series[name] || []).slice(-10);
  for (let i = values.length - 1; i >= 0; i--) if (values[i] != null) return values[i];
  return null;
}

function element(name, properties = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(properties)) {
    if (key === 'class') made.className = value;
    else made.setAttribute(key, value);
  }
  made.append(...children);
  return made;
}

function drawn(name, attributes = {}, text) {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  if (text !== undefined) made.textContent = text;
  return made;
}

function say(node, text) {
  if (node.textContent !== text) node.textContent = text;
}

// Keeps the elements of a list for the keys that stay, so that focus and reading places do too.
function keyed(parent, keys, make) {
  const there = new Map([...parent.children].map(child => [child.dataset.key, child]));
  keys.forEach((key, place) => {
    let child = there.get(key);
    if (!child) {
      child = make(key);
      child.dataset.key = key;
    }
    there.delete(key);
    if (parent.children[place] !== child) parent.insertBefore(child, parent.children[place] || null);
  });
  there.forEach(child => child.remove());
  return [...parent.children];
}

// Cells are texts, or {text, class}.
function table(holder, heads, rows) {
  const head = holder.querySelector('thead');
  if (head && head.dataset.heads !== JSON.stringify(heads)) {
    head.dataset.heads = JSON.stringify(heads);
    head.replaceChildren(element('tr', {}, ...heads.map(h => element('th', {scope: 'col', class: h.class || ''}, h.text))));
  }
  const body = holder.querySelector('tbody');
  keyed(body, rows.map((_, i) => String(i)), () => element('tr')).forEach((row, i) => {
    const cells = rows[i];
    while (row.children.length > cells.length) row.lastChild.remove();
    cells.forEach((cell, c) => {
      const tag = cell.head ? 'th' : 'td';
      let td = row.children[c];
      if (!td || td.localName !== tag) {
        const made = cell.head ? element('th', {scope: 'row'}) : element('td');
        td ? td.replaceWith(made) : row.append(made);
        td = made;
      }
      if (td.className !== (cell.class || '')) td.className = cell.class || '';
      if (cell.class === 'sql') {
        if (!td.firstChild) td.append(element('span'));
        say(td.firstChild, cell.text);
        td.title = cell.text;
      } else {
        say(td, cell.text);
      }
    });
  });
}

// --- the tier

const schedulersOf = s => s.tier.nodes.filter(n => n.role === 'scheduler');
const loggersOf = s => s.tier.nodes.filter(n => n.role === 'logger');
const ranks = {master: 0, slave: 1, spare: 2};
const replicasOf = s => s.tier.nodes.filter(n => n.role in ranks || n.role === 'unknown')
    .sort((a, b) => a.name < b.name ? -1 : 1);
const figure = (node, name) => node.figures ? node.figures[name] : undefined;

function rate(node, name) {
  const earlier = before ? before.tier.nodes.find(n => n.name === node.name) : undefined;
  const now = figure(node, name), then = earlier ? figure(earlier, name) : undefined;
  if (now === undefined || then === undefined || state.at <= before.at) return null;
  return Math.max(0, (now - then) * 1000 / (state.at - before.at));
}

function sumOf(node, prefix) {
  return Object.keys(node.figures || {}).filter(f => f.startsWith(prefix)).reduce((sum, f) => sum + (rate(node, f) || 0), 0);
}

function leads(node) {
  return node.reachable && (node.leads || (node.masterOf || []).length > 0);
}

function card(node, what, pairs, kind, warmth) {
  return {name: node.name, stateText: kind === 'backend' ? '' : node.reachable ? node.state : 'no answer', what, pairs, kind, warmth, gone: !node.reachable,
    uneasy: node.reachable && !['serving', 'standby'].includes(node.state)};
}

function cards() {
  const own = state.scheduler;
  const schedulers = schedulersOf(state).map(n => card(n, n.name === own ? 'this scheduler' : n.address, [
    ['connections', count(figure(n, 'connections'))],
    ['reads / s', count(sumOf(n, 'reads.'))],
    ['commits / s', count(rate(n, 'commits'))]], 'scheduler'));
  const replicas = replicasOf(state).map(n => {
    const lag = Math.max(0, ...Object.values(n.lag || {}));
    const pages = figure(n, 'pages'), warm = pages ? 100 * figure(n, 'pages.resident') / pages : null;
    const role = leads(n) ? 'master' + (n.masterOf.length ? ' of ' + n.masterOf.join(', ') : '') : n.reachable ? n.role : 'was ' + n.role;
    const inSync = !state.inSync.length ? '–' : !n.reachable ? 'no' : state.inSync.includes(n.name) ? 'yes' : 'no';
    return card(n, role, [
      ['reads / s', n.reachable ? count(last('reads.' + n.name)) : '–'],
      ['lag', n.reachable ? count(lag) : '–'],
      ['in sync', inSync],
      ['warm pages', warm == null ? '–' : Math.floor(warm) + ' %']], leads(n) ? 'master' : 'replica', warm);
  });
  const loggers = loggersOf(state).map(n => card(n, n.state === 'serving' ? 'writes the log' : 'logger', [
    ['logged / s', count(rate(n, 'appended_commits'))],
    ['to be applied', count(figure(n, 'applier_backlog'))]], 'logger'));
  const backends = state.backends.map(b => card(
      {name: b.name, state: b.standing === 'current' ? 'serving' : b.standing, reachable: b.standing !== 'away'}, 'backend, ' + b.standing, [
        ['applied', count(b.applied)],
        ['to be applied', count(b.backlog)]], 'backend'));
  return {schedulers, replicas, keepers: loggers.concat(backends)};
}

function showCards(list, all) {
  const items = keyed(list, all.map(c => c.kind === 'backend' ? 'backend ' + c.name : c.name), key => {
    const item = element('li', {class: 'card'});
    const button = element('button', {type: 'button'},
        element('div', {class: 'name'}, element('span'), element('span', {class: 'state'})),
        element('div', {class: 'what'}), element('dl', {class: 'pairs'}));
    button.addEventListener('click', () => open(key));
    item.append(button);
    return item;
  });
  items.forEach((item, i) => {
    const c = all[i];
    const classes = 'card ' + c.kind + (c.gone ? ' gone' : '') + (c.uneasy ? ' uneasy' : '');
    if (item.dataset.shown !== classes) {
      item.className = classes + (item.dataset.shown ? ' changed' : '');
      item.dataset.shown = classes;
    }
    const [name, what, pairs] = item.firstChild.children;
    say(name.firstChild, c.name);
    say(name.lastChild, c.stateText);
    say(what, c.what);
    if (pairs.children.length !== 2 * c.pairs.length) {
      pairs.replaceChildren(...c.pairs.flatMap(() => [element('dt'), element('dd')]));
    }
    c.pairs.forEach(([key, value], p) => {
      say(pairs.children[2 * p], key);
      say(pairs.children[2 * p + 1], value);
    });
    if (c.warmth != null) {
      let bar = item.querySelector('.warmth');
      if (!bar) {
        bar = element('div', {class: 'warmth', 'aria-hidden': 'true'}, element('span'));
        item.firstChild.append(bar);
      }
      bar.firstChild.style.width = c.warmth + '%';
    }
  });
}

// Lines between cards, from where they lie now.
function showFlows() {
  const flows = $('flows'), origin = $('picture').getBoundingClientRect();
  const place = (list, key) => {
    const item = [...$(list).children].find(c => c.dataset.key === key);
    if (!item) return null;
    const r = item.getBoundingClientRect();
    return {x: r.left - origin.left + r.width / 2, top: r.top - origin.top, bottom: r.bottom - origin.top, width: r.width};
  };
  const lines = [];
  const line = (from, to, kind, perSecond, shift = 0) => {
    if (!from || !to) return;
    const y1 = from.bottom, y2 = to.top, mid = (y1 + y2) / 2;
    const x1 = from.x + shift, x2 = to.x + shift;
    if (y2 <= y1) return;
    lines.push({key: kind + from.x + to.x + shift, kind, perSecond, d: `M${x1} ${y1}C${x1} ${mid} ${x2} ${mid} ${x2} ${y2}`});
  };
  const replicas = replicasOf(state), masters = replicas.filter(leads);
  for (const scheduler of schedulersOf(state).filter(n => n.reachable)) {
    const from = place('schedulers', scheduler.name);
    for (const replica of replicas.filter(n => n.reachable)) {
      line(from, place('replicas', replica.name), 'reads', rate(scheduler, 'reads.' + replica.name) || 0);
    }
    for (const master of masters) line(from, place('replicas', master.name), 'commits', rate(scheduler, 'commits') || 0, 14);
  }
  const commits = last('commits') || 0;
  for (const master of masters) {
    const from = place('replicas', master.name);
    for (const other of replicas) {
      const to = place('replicas', other.name);
      if (other === master || !other.reachable || !from || !to) continue;
      const y1 = from.bottom, y2 = to.bottom, low = Math.max(y1, y2) + 22, aside = from.x < to.x ? 20 : -20;
      lines.push({kind: 'commits', perSecond: commits, d: `M${from.x + aside} ${y1}C${from.x + aside} ${low} ${to.x} ${low} ${to.x} ${y2}`});
    }
    for (const logger of loggersOf(state).filter(n => n.state === 'serving' && n.reachable)) line(from, place('keepers', logger.name), 'log', commits);
  }
  for (const logger of loggersOf(state).filter(n => n.state === 'serving' && n.reachable)) {
    const from = place('keepers', logger.name);
    for (const backend of state.backends) {
      const to = place('keepers', 'backend ' + backend.name);
      if (!from || !to || backend.standing === 'away') continue;
      const y1 = (from.top + from.bottom) / 2, y2 = (to.top + to.bottom) / 2;
      const right = from.x < to.x ? 1 : -1;
      lines.push({kind: 'log', perSecond: commits, d: `M${from.x + right * from.width / 2} ${y1}L${to.x - right * to.width / 2} ${y2}`});
    }
  }
  while (flows.children.length > lines.length) flows.lastChild.remove();
  lines.forEach((l, i) => {
    const path = flows.children[i] || flows.appendChild(drawn('path'));
    const classes = l.kind + (l.perSecond > 0.5 ? ' moving' + (l.perSecond > 200 ? ' fast' : '') : ' still');
    if (path.getAttribute('class') !== classes) path.setAttribute('class', classes);
    if (path.getAttribute('d') !== l.d) path.setAttribute('d', l.d);
    path.setAttribute('stroke-width', String(Math.min(4, 1.2 + Math.log10(1 + l.perSecond) * 0.8)));
  });
}

// --- charts

function span() {
  const end = times.length ? times[times.length - 1] : Date.now();
  const begin = Math.max(end - KEPT_MILLIS, Math.min(times.length ? times[0] : end, end - SHORTEST_MILLIS));
  return {begin, end};
}

// Gaps where there is no value.
function path(name, x, y) {
  const values = series[name] || [];
  let d = '', pen = false;
  for (let i = 0; i < values.length; i++) {
    if (values[i] == null) { pen = false; continue; }
    d += (pen ? 'L' : 'M') + x(times[i]).toFixed(1) + ' ' + y(values[i]).toFixed(1);
    pen = true;
  }
  return d;
}

function area(name, x, y) {
  const values = series[name] || [];
  const points = values.map((v, i) => v == null ? null : [x(times[i]), y(v)]).filter(p => p);
  if (points.length < 2) return '';
  const base = y(0).toFixed(1);
  return `M${points[0][0].toFixed(1)} ${base}` + points.map(p => `L${p[0].toFixed(1)} ${p[1].toFixed(1)}`).join('') + `L${points[points.length - 1][0].toFixed(1)} ${base}Z`;
}

function largest(names) {
  let most = 0;
  for (const name of names) for (const v of series[name] || []) if (v > most) most = v;
  return most;
}

function spark(holder, name, kind) {
  let svg = holder.querySelector('svg');
  if (!svg) {
    svg = drawn('svg', {class: 'spark', viewBox: '0 0 200 26', preserveAspectRatio: 'none', 'aria-hidden': 'true'});
    svg.append(drawn('path', {class: 'area-' + kind}), drawn('path', {class: 'line-' + kind}));
    holder.append(svg);
  }
  const {begin, end} = span(), most = largest([name]) || 1;
  const x = at => 200 * (at - begin) / (end - begin), y = v => 25 - 23 * v / most;
  if (kind !== 'plain') svg.children[0].setAttribute('d', area(name, x, y));
  svg.children[1].setAttribute('d', path(name, x, y));
}

function step(most) {
  const power = 10 ** Math.floor(Math.log10(most || 1));
  return [0.5, 1, 2, 5, 10].map(f => f * power).find(s => most / s <= 3.2) || 10 * power;
}

const charts = {
  throughput: {lines: [['reads', 'reads', 'r', 'reads'], ['commits', 'commits', 'c', 'commits']], unit: ' / s', format: count, filled: true},
  latency: {lines: [['p99.read', 'reads', 'r', 'reads, 99 %'], ['p50.read', 'reads dashed', 'r', '50 %'],
    ['p99.commit', 'commits', 'c', 'commits, 99 %'], ['p50.commit', 'commits dashed', 'c', '50 %']], unit: ' ms', format: millis, filled: false, logarithmic: true},
};

function chart(id) {
  const plan = charts[id], holder = $(id);
  let svg = holder.querySelector('svg');
  if (!svg) {
    svg = drawn('svg', {class: 'chart', role: 'img'});
    holder.append(svg);
    svg.addEventListener('pointermove', e => { plan.cursor = e.clientX - svg.getBoundingClientRect().left; chart(id); });
    svg.addEventListener('pointerleave', () => { plan.cursor = undefined; chart(id); });
  }
  const width = svg.clientWidth || 600, height = svg.clientHeight || 184, left = 46, bottom = height - 20, top = 8;
  const {begin, end} = span();
  const names = plan.lines.map(l => l[0]), most = largest(names) || 1;
  const x = at => left + (width - left) * (at - begin) / (end - begin);
  const floor = 0.05, ceiling = plan.logarithmic ? 10 ** Math.ceil(Math.log10(Math.max(1, most))) : step(most) * Math.ceil(most / step(most));
  const y = plan.logarithmic
      ? v => bottom - (bottom - top) * Math.max(0, Math.log(Math.max(v, floor) / floor)) / Math.log(ceiling / floor)
      : v => bottom - (bottom - top) * v / ceiling;
  const parts = [];
  const ticks = [];
  if (plan.logarithmic) for (let t = 0.1; t <= ceiling * 1.01; t *= 10) ticks.push(t);
  else for (let t = 0; t <= ceiling * 1.001; t += step(most)) ticks.push(t);
  for (const t of ticks) {
    parts.push(drawn('line', {class: t === 0 ? 'axis' : 'grid', x1: left, x2: width, y1: y(t), y2: y(t)}));
    parts.push(drawn('text', {x: left - 8, y: y(t) + 4, 'text-anchor': 'end'}, plan.logarithmic ? (t < 1 ? '0.1' : count(Math.round(t))) : count(t)));
  }
  if (plan.logarithmic) parts.push(drawn('line', {class: 'axis', x1: left, x2: width, y1: bottom, y2: bottom}));
  const every = [30_000, 60_000, 2 * 60_000, 5 * 60_000].find(e => (width - left) * e / (end - begin) > 70) || 5 * 60_000;
  for (let at = Math.ceil(begin / every) * every; at <= end; at += every) {
    if (x(at) < width - 26) parts.push(drawn('text', {x: x(at), y: height - 4, 'text-anchor': x(at) < left + 20 ? 'start' : 'middle'}, every < 60_000 ? clock(at) : clock(at).slice(0, 5)));
  }
  for (const event of state.events) {
    if ((event.weight === 'BAD' || event.weight === 'GOOD') && event.at >= begin && event.at <= end) {
      const mark = drawn('line', {class: 'event ' + event.weight, x1: x(event.at), x2: x(event.at), y1: top, y2: bottom});
      mark.append(drawn('title', {}, clock(event.at) + ' ' + event.text));
      parts.push(mark);
    }
  }
  for (const [name, kind] of plan.lines) {
    if (plan.filled) parts.push(drawn('path', {class: 'area-' + kind, d: area(name, x, y)}));
    parts.push(drawn('path', {class: 'line-' + kind, d: path(name, x, y)}));
  }
  let index = times.length - 1;
  if (plan.cursor !== undefined && times.length) {
    const at = begin + (plan.cursor - left) / (width - left) * (end - begin);
    index = times.reduce((best, t, i) => Math.abs(t - at) < Math.abs(times[best] - at) ? i : best, 0);
    parts.push(drawn('line', {class: 'cursor', x1: x(times[index]), x2: x(times[index]), y1: top, y2: bottom}));
  }
  svg.replaceChildren(...parts);
  const reading = holder.querySelector('.reading');
  const values = plan.lines.map(([name, , colour, label]) => [label, plan.format((series[name] || [])[index]), colour]);
  keyed(reading, values.map(v => v[0] + v[2]), () => element('span')).forEach((item, i) => {
    item.className = values[i][2];
    say(item, (i ? ' · ' : (plan.cursor !== undefined && times.length ? clock(times[index]) + '  ' : '')) + values[i][0] + ' ' + values[i][1] + (i === values.length - 1 ? plan.unit : ''));
  });
  if (plan.cursor === undefined) svg.setAttribute('aria-label', id + ': ' + reading.textContent);
}

// --- the rest of the page

const headlines = [
  ['Reads', 'reads', count, () => '/ s', 'reads'],
  ['Commits', 'commits', count, () => '/ s', 'commits'],
  ['Read, 99 %', 'p99.read', millis, millisUnit, 'plain'],
  ['Commit, 99 %', 'p99.commit', millis, millisUnit, 'plain'],
  ['Run by the backend', 'fallback', count, () => '/ s', 'plain'],
  ['Errors told', 'errors', count, () => '/ s', 'plain'],
];

function showHeadline() {
  const items = keyed($('headline'), headlines.map(h => h[1]), () => element('div', {},
      element('div', {class: 'label'}), element('div', {class: 'value'}, element('span'), element('span', {class: 'unit'}))));
  headlines.forEach(([label, name, format, unit, kind], i) => {
    const [labelled, value] = items[i].children, now = lately(name);
    say(labelled, label);
    say(value.firstChild, format(now));
    say(value.lastChild, now == null ? '' : unit(now));
    spark(items[i], name, kind);
  });
}

const weights = {BAD: 'Lost: ', WARNING: 'Warning: ', GOOD: 'Well: ', NEWS: ''};

function showEvents() {
  const list = $('events');
  if (state.events.length && state.events[state.events.length - 1].id < shownEvents) { // another life of the scheduler
    list.replaceChildren();
    shownEvents = 0;
  }
  for (const event of state.events.filter(e => e.id > shownEvents)) {
    const item = element('li', {class: event.weight}, element('time', {datetime: new Date(event.at).toISOString()}, clock(event.at)),
        element('span', {class: 'mark', 'aria-hidden': 'true'}),
        element('span', {class: 'text'}, element('span', {class: 'unseen'}, weights[event.weight] || ''), event.text));
    list.prepend(item);
    shownEvents = event.id;
  }
  while (list.children.length > 200) list.lastChild.remove();
  list.setAttribute('aria-live', 'polite'); // what had happened before is not read out
}

function showVersions() {
  const classes = Object.keys(state.tier.stable);
  const nodes = state.tier.nodes.filter(n => n.positions && Object.keys(n.positions).length);
  table($('versions'), [{text: 'Class'}, {text: 'Stable', class: 'n'}, ...nodes.map(n => ({text: n.name, class: 'n'}))],
      classes.map(name => [{text: name, head: true}, {text: count(state.tier.stable[name]), class: 'n'},
        ...nodes.map(n => {
          const at = n.positions[name], lag = (n.lag || {})[name] || 0;
          return {text: at === undefined ? '–' : count(at) + (lag > 0 ? '  −' + count(lag) : ''), class: lag > 0 ? 'n behind' : n.reachable ? 'n' : 'n quiet'};
        })]));
}

const statementTables = {
  heaviest: 'Since this scheduler began, by the time that they took all together; constants are not shown.',
  frequent: 'Since this scheduler began; constants are not shown.',
  slowest: 'Of the last 15 minutes, the slowest of each text; constants are not shown.',
  backend: 'What the tier leaves to the backend since it does not run it with MySQL’s exact meaning: slower, never wrong.',
};

function showStatements() {
  say($('statement-note'), statementTables[tab] + ' Counted by ' + state.scheduler + ' alone.');
  const rows = state.statements[tab], n = text => ({text, class: 'n'}), sql = text => ({text, class: 'sql'});
  const holder = $('statement-list');
  if (!rows.length) {
    table(holder, [{text: 'Statement'}], [[{text: 'none so far', class: 'quiet'}]]);
  } else if (tab === 'slowest') {
    table(holder, [{text: 'Statement'}, {text: 'ms', class: 'n'}, {text: 'at', class: 'n'}, {text: 'Run by'}],
        rows.map(s => [sql(s.text), n(millis(s.millis)), n(clock(s.at)), {text: (s.backendReason ? 'backend: ' + s.backendReason : 'tier') + (s.failed ? ', with an error' : '')}]));
  } else if (tab === 'backend') {
    table(holder, [{text: 'Statement'}, {text: 'Times', class: 'n'}, {text: 'Mean ms', class: 'n'}, {text: 'Why'}],
        rows.map(s => [sql(s.text), n(count(s.onBackend)), n(millis(s.meanMillis)), {text: s.backendReason}]));
  } else {
    table(holder, [{text: 'Statement'}, {text: 'Times', class: 'n'}, {text: 'Mean ms', class: 'n'}, {text: 'Longest ms', class: 'n'}, {text: 'Total s', class: 'n'}, {text: 'Errors', class: 'n'}],
        rows.map(s => [sql(s.text), n(count(s.count)), n(millis(s.meanMillis)), n(millis(s.longestMillis)), n((s.totalMillis / 1000).toFixed(1)), n(count(s.errors))]));
  }
}

function showLocks() {
  const masters = replicasOf(state).filter(n => leads(n) && figure(n, 'lock.waits') !== undefined);
  const n = text => ({text, class: 'n'});
  table($('lock-counts'), [{text: 'Master'}, {text: 'Open transactions', class: 'n'}, {text: 'Waiting now', class: 'n'}, {text: 'Waits / s', class: 'n'},
    {text: 'Mean wait ms', class: 'n'}, {text: 'Deadlocks', class: 'n'}, {text: 'Timeouts', class: 'n'}],
  masters.map(m => [{text: m.name, head: true}, n(count(figure(m, 'transactions.open'))), n(count(figure(m, 'lock.waiting'))), n(count(rate(m, 'lock.waits'))),
    n(millis(figure(m, 'lock.waits') ? 1000 * figure(m, 'lock.wait.seconds') / figure(m, 'lock.waits') : null)), n(count(figure(m, 'lock.deadlocks'))), n(count(figure(m, 'lock.timeouts')))]));
  say($('locks-note'), 'Reads lock nothing. Update transactions lock key ranges at their master; counts are since the master began. A client goes on when the one that it waits for commits or rolls back; KILL and its number, at its own scheduler, ends that one.');
  const waits = state.tier.lockWaits;
  if (!waits.length) {
    table($('lock-waits'), [{text: 'Client'}], [[{text: 'nobody waits', class: 'quiet'}]]);
    return;
  }
  table($('lock-waits'), [{text: 'Client'}, {text: 'Waits s', class: 'n'}, {text: 'For rows of'}, {text: 'Statement'}, {text: 'Held by'}, {text: 'Which'}],
      waits.map(w => [{text: String(w.waiter), head: true}, n((w.millis / 1000).toFixed(1)), {text: w.table}, {text: statementOf(w.waiter), class: 'sql'},
        {text: w.holders.join(', ')}, {text: w.holders.map(whatDoes).join('; '), class: 'sql'}]));
}

function statementOf(client) {
  const doing = state.clients[client];
  return doing ? doing.statement : '(a client of another scheduler)';
}

function whatDoes(client) {
  const doing = state.clients[client];
  if (!doing) return '(a client of another scheduler)';
  const seconds = (doing.millis / 1000).toFixed(1) + ' s';
  return doing.runs ? 'runs since ' + seconds + ': ' + doing.statement : 'is idle since ' + seconds + ', after ' + (doing.statement || 'nothing');
}

function open(key) {
  opened = key;
  showDetails();
  $('details').showModal();
}

function showDetails() {
  if (opened === null) return;
  const dialog = $('details');
  say($('details-heading'), opened);
  const node = state.tier.nodes.find(n => n.name === opened);
  const backend = state.backends.find(b => 'backend ' + b.name === opened);
  const rows = node
      ? [['role', node.role], ['state', node.state], ['address', node.address], ['process', String(node.processId ?? '–')], ['epoch', count(node.epoch)],
        ['version vector', Object.entries(node.vector || {}).map(([id, number]) => `${id}:${number}`).join(' ') || '–'],
        ...Object.entries(node.figures || {}).map(([name, value]) => [name, count(value)])]
      : backend ? Object.entries(backend).map(([name, value]) => [name, typeof value === 'number' ? count(value) : value]) : [['', 'no member any more']];
  say($('details-note'), node ? 'Figures are named as in docs/metrics.md.' : '');
  table(dialog, [], rows.map(([name, value]) => [{text: name, head: true}, {text: value, class: /^[\d,.–]+$/.test(value) ? 'n' : ''}]));
}

function show() {
  const tier = state.tier;
  document.body.dataset.condition = tier.state;
  say($('condition-text'), tier.state);
  say($('seen-by'), 'as ' + state.scheduler + ' sees it');
  say($('epoch'), 'epoch ' + Math.max(0, ...tier.nodes.map(n => n.epoch || 0)));
  say($('clock'), clock(state.at));
  $('troubles').hidden = tier.troubles.length === 0;
  keyed($('troubles'), tier.troubles, trouble => element('li', {}, trouble));
  showHeadline();
  const all = cards();
  showCards($('schedulers'), all.schedulers);
  showCards($('replicas'), all.replicas);
  showCards($('keepers'), all.keepers);
  showFlows();
  showEvents();
  chart('throughput');
  chart('latency');
  showVersions();
  showStatements();
  showLocks();
  if ($('details').open) showDetails();
}

// --- what the scheduler tells

function take(next) {
  before = state && next.at > state.at ? state : before;
  state = next;
  if (next.history) {
    times = next.history.times;
    series = next.history.series;
  } else if (!times.length || next.at > times[times.length - 1]) {
    times.push(next.at);
    const names = new Set([...Object.keys(series), ...Object.keys(next.values)]);
    for (const name of names) {
      const of = series[name] || (series[name] = new Array(times.length - 1).fill(null));
      of.push(name in next.values ? next.values[name] : null);
    }
    const old = times.findIndex(at => at >= next.at - KEPT_MILLIS);
    if (old > 0) {
      times.splice(0, old);
      Object.values(series).forEach(of => of.splice(0, old));
    }
  }
  show();
}

let heard = Date.now();

function lost(why) {
  $('lost-contact').hidden = false;
  say($('lost-contact'), why);
  delete document.body.dataset.condition;
  say($('condition-text'), 'not known');
}

async function follow() {
  const events = new EventSource('events');
  events.addEventListener('open', async () => {
    const answer = await fetch('state');
    if (answer.ok) take(await answer.json());
  });
  events.addEventListener('state', message => {
    heard = Date.now();
    $('lost-contact').hidden = true;
    take(JSON.parse(message.data));
  });
  events.addEventListener('error', () => {
    lost('No contact with the scheduler since ' + clock(heard) + '; what is shown is how the tier was then.');
    if (events.readyState === EventSource.CLOSED) setTimeout(follow, 2000);
  });
}

document.querySelectorAll('[role=tab]').forEach((button, i, all) => {
  const choose = chosen => {
    all.forEach(other => {
      other.setAttribute('aria-selected', String(other === chosen));
      other.tabIndex = other === chosen ? 0 : -1;
    });
    tab = chosen.id.slice('tab-'.length);
    $('statement-list').setAttribute('aria-labelledby', chosen.id);
    if (state) showStatements();
  };
  button.addEventListener('click', () => choose(button));
  button.addEventListener('keydown', e => {
    const to = {ArrowRight: i + 1, ArrowLeft: i - 1, Home: 0, End: all.length - 1}[e.key];
    if (to === undefined) return;
    e.preventDefault();
    const next = all[(to + all.length) % all.length];
    choose(next);
    next.focus();
  });
});
$('details').addEventListener('close', () => { opened = null; });
addEventListener('resize', () => { if (state) { showFlows(); chart('throughput'); chart('latency'); } });
follow();
