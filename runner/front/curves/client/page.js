// What is shown, kept in the address after '#', so that it outlives a reload; and new data from the
// server, if the page has one.

const kEvery = 5000;  // milliseconds
const byId = id => document.getElementById(id);

let data, series, charts = [], dragged = null;

// ----- Choices -----

function readView() {
  const choices = new URLSearchParams(location.hash.slice(1));
  const at = {};
  for (const [name, value] of choices) if (name.startsWith('at.')) at[name.slice(3)] = value;
  const numbers = name => choices.get(name)?.split('..').map(Number);
  const zoom = numbers('zoom');
  return {
    metrics: choices.get('metrics')?.split(',') ?? null, at,
    x: choices.get('x') === 'log', y: choices.get('y') === 'log',
    smooth: Math.min(0.999, Math.max(0, Number(choices.get('smooth')) || 0)),
    group: choices.get('group') === 'seeds', state: choices.get('state') ?? '',
    filter: choices.get('filter') ?? '', theme: choices.get('theme') ?? '',
    hidden: new Set(choices.get('hidden')?.split(',')),
    zoom: zoom?.length === 2 && zoom[0] < zoom[1] ? zoom : null,
    sort: choices.has('sort') ? Math.abs(numbers('sort')[0]) - 1 : null,
    down: choices.get('sort')?.startsWith('-') ?? false,
  };
}

function keepView() {
  const choices = new URLSearchParams();
  const keep = (name, value) => { if (value) choices.set(name, value); };
  keep('metrics', view.metrics?.join(','));
  for (const [axis, value] of Object.entries(view.at)) keep('at.' + axis, value);
  keep('x', view.x && 'log');
  keep('y', view.y && 'log');
  keep('smooth', view.smooth);
  keep('group', view.group && 'seeds');
  for (const name of ['state', 'filter', 'theme']) keep(name, view[name]);
  keep('hidden', [...view.hidden].join(','));
  keep('zoom', view.zoom?.join('..'));
  keep('sort', view.sort !== null && (view.down ? '-' : '') + (view.sort + 1));
  history.replaceState(null, '', '#' + choices);
}

const view = readView();

function change(choice) {
  Object.assign(view, choice);
  keepView();
  show();
}

// ----- The page -----

// The sweep's metric and the loss, unless others were chosen.
function shownMetrics() {
  const chosen = data.metrics.filter(metric => view.metrics?.includes(metric));
  if (chosen.length) return chosen;
  const first = data.metrics.includes(data.metric) ? data.metric
    : data.metrics.find(metric => metric.startsWith('valid.')) ?? data.metrics[0];
  return data.metrics.filter(metric => metric === first || metric === 'train.loss');
}

function showHead() {
  byId('sweep').textContent = data.sweep;
  byId('title').textContent = data.title;
  byId('progress').firstElementChild.style.width = `${100 * data.share_done}%`;
  const states = Object.entries(data.states).map(([state, n]) => {
    const part = document.createElement('b');
    part.className = state;
    part.textContent = `${n} ${state}`;
    return part;
  });
  const facts = [`${data.runs.length} runs, ${Math.floor(100 * data.share_done)} %`];
  if (data.live && data.eta_seconds > 0) facts.push(`${durationText(data.eta_seconds)} left`);
  if (data.run_by) facts.push(`run by ${data.run_by}`);
  else if (data.share_done < 1) facts.push('run by no process');
  facts.push(`as of ${new Date(1000 * data.time).toLocaleTimeString()}`);
  byId('states').replaceChildren(...states, facts.join(', '));
}

function showControls(metrics) {
  byId('metrics').replaceChildren(...data.metrics.map(metric => {
    const chip = document.createElement('button');
    chip.type = 'button';
    chip.textContent = metric;
    chip.setAttribute('aria-pressed', metrics.includes(metric));
    chip.onclick = () => change({
      metrics: metrics.includes(metric) ? metrics.filter(m => m !== metric) : [...metrics, metric]
    });
    return chip;
  }));
  byId('x').checked = view.x;
  byId('y').checked = view.y;
  byId('smooth').value = view.smooth;
  byId('group').checked = view.group;
  byId('seeds').hidden = !data.axes.includes(data.seed);
  byId('seednote').hidden = !view.group;
  byId('whole').hidden = !view.zoom;
  byId('theme').value = view.theme;
  document.documentElement.dataset.theme = view.theme;
}

function select(name, values, value, onchange) {
  const element = document.createElement('select');
  element.append(new Option(`${name}: all`, ''), ...values.map(v => new Option(`${name} = ${v}`, v)));
  element.value = value;
  element.onchange = () => onchange(element.value);
  return element;
}

// Made once: a field in which somebody types stays.
function showFilters() {
  const text = document.createElement('input');
  text.type = 'text';
  text.placeholder = 'filter: 1-3-1-2 seed=1 running';
  text.value = view.filter;
  text.oninput = () => change({ filter: text.value });
  const lists = data.axes.map((axis, i) => {
    const values = [...new Set(data.runs.map(run => run.at[i]))];
    return values.length > 1 && values.length <= 40 &&
      select(axis, values, view.at[axis] ?? '', value => change({ at: { ...view.at, [axis]: value } }));
  });
  const states = select('state', Object.keys(data.states), view.state, state => change({ state }));
  byId('filters').replaceChildren(text, ...lists.filter(list => list), states);
}

function showCharts(metrics) {
  if (charts.map(chart => chart.metric).join() !== metrics.join()) {
    charts = metrics.map(metric => new Chart(metric));
    byId('charts').replaceChildren(...charts.map(chart => chart.element));
    for (const chart of charts) listen(chart);
  }
  for (const chart of charts) chart.draw(series, view, data.last);
  document.documentElement.dataset.drawn =
    charts.map(chart => `${chart.metric}=${chart.curves.length}`).join(' ');
}

function showRows(metrics) {
  const toggle = one => {
    view.hidden.has(one.key) ? view.hidden.delete(one.key) : view.hidden.add(one.key);
    change({});
  };
  const only = one => change({ hidden: new Set(series.filter(s => s !== one).map(s => s.key)) });
  const sort = i => change(view.sort !== i ? { sort: i, down: false }
    : view.down ? { sort: null, down: false } : { down: true });
  const point = one => charts.forEach(chart => chart.point(one?.key, undefined, view));
  byId('rows').replaceChildren(tableOf(data, view, series, metrics, { toggle, only, sort, point }));
  byId('shown').textContent = `${series.filter(one => !one.hidden).length} of ${series.length} shown`;
}

function show() {
  const metrics = shownMetrics();
  series = seriesOf(data, view);
  showHead();
  showControls(metrics);
  showCharts(metrics);
  showRows(metrics);
}

// ----- The pointer -----

function tell(near, x, y) {
  const tip = byId('tip');
  tip.hidden = !near;
  for (const row of byId('rows').querySelectorAll('tr.near')) row.classList.remove('near');
  if (!near) return;
  const { curve, i } = near, { series: one } = curve;
  const lines = [one.label, `step ${curve.steps[i]}`, numberText(curve.raw[i], 6)];
  if (curve.low) lines[2] += ` (${numberText(curve.low[i])} to ${numberText(curve.high[i])}, ${curve.runs} runs)`;
  if (view.smooth) lines.push(`smoothed ${numberText(curve.values[i], 6)}`);
  if (!view.group) lines[0] += `  ${one.key}`;
  tip.replaceChildren(...lines.map(line => {
    const part = document.createElement('div');
    part.textContent = line;
    return part;
  }));
  tip.firstChild.style.color = one.colour;
  tip.style.left = `${Math.max(4, Math.min(x + 14, innerWidth - tip.offsetWidth - 8))}px`;
  tip.style.top = `${Math.max(4, y - tip.offsetHeight - 10)}px`;
  byId('rows').querySelector(`tr[data-key="${CSS.escape(one.key)}"]`)?.classList.add('near');
}

function listen(chart) {
  const place = event => {
    const box = chart.above.getBoundingClientRect();
    return [event.clientX - box.left, event.clientY - box.top];
  };
  chart.above.onpointerdown = event => { dragged = place(event)[0]; };
  chart.above.onpointermove = event => {
    const [x, y] = place(event);
    const near = chart.nearest(x, y);
    for (const other of charts)
      other.point(near?.curve.series.key, other === chart ? near?.i : undefined, view,
                  ...(other === chart && dragged !== null ? [dragged, x] : []));
    tell(near, event.clientX, event.clientY);
  };
  chart.above.onpointerup = event => {
    const [x] = place(event), from = dragged;
    dragged = null;
    if (from === null || Math.abs(x - from) < 8 || !chart.scales) return;
    change({ zoom: [from, x].sort((a, b) => a - b).map(at => Math.round(chart.scales.x.back(at))) });
  };
  chart.above.onpointerleave = () => {
    dragged = null;
    for (const other of charts) other.point(null);
    tell(null);
  };
  chart.above.ondblclick = () => change({ zoom: null });
}

// ----- New data -----

const source = document.documentElement.dataset.source;

function notice(text) {
  byId('notice').textContent = text;
  byId('notice').hidden = !text;
}

async function fetchData() {
  let wait = data.live ? kEvery : 3 * kEvery;
  try {
    const response = await fetch(source, { cache: 'no-store' });
    if (!response.ok) throw new Error((await response.text()).trim());
    data = decoded(await response.json());
    notice('');
    show();
  } catch (error) {
    notice(`No new data: lcsm serve does not respond (${error.message})`);
    wait = 3 * kEvery;
  }
  setTimeout(fetchData, wait);
}

function start() {
  data = decoded(JSON.parse(byId('data').textContent));
  byId('smooth').oninput = event => change({ smooth: Number(event.target.value) });
  byId('x').onchange = event => change({ x: event.target.checked });
  byId('y').onchange = event => change({ y: event.target.checked });
  byId('group').onchange = event => change({ group: event.target.checked, hidden: new Set(), sort: null });
  byId('theme').onchange = event => change({ theme: event.target.value });
  byId('whole').onclick = () => change({ zoom: null });
  byId('all').onclick = () => change({ hidden: new Set() });
  byId('none').onclick = () => change({ hidden: new Set(series.map(one => one.key)) });
  showFilters();
  show();
  const redraw = () => charts.forEach(chart => chart.draw(series, view, data.last));
  addEventListener('resize', redraw);
  matchMedia('(prefers-color-scheme: dark)').onchange = redraw;
  if (source) setTimeout(fetchData, kEvery);
}

addEventListener('error', event => { document.documentElement.dataset.error = event.message; });
start();
