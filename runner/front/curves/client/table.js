// The series as rows: legend, values, and what hides them.

function dashPicture(series) {
  const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
  const line = svg.appendChild(document.createElementNS(svg.namespaceURI, 'line'));
  for (const [name, value] of Object.entries({
    x1: 0, x2: 28, y1: 6, y2: 6, 'stroke-width': 3, stroke: series.colour,
    'stroke-dasharray': series.dash.join(' '),
  })) line.setAttribute(name, value);
  return svg;
}

function countsText(runs) {
  const counts = new Map();
  for (const run of runs) counts.set(run.state, (counts.get(run.state) ?? 0) + 1);
  return [...counts].map(([state, n]) => `${n} ${state}`).join(', ');
}

function stepText(runs) {
  const step = Math.max(...runs.map(run => run.step)), steps = Math.max(...runs.map(run => run.steps));
  return steps > 0 ? `${step}/${steps}` : String(step);
}

function lastValue(series, metric) {
  const curve = curveOf(series, metric, 0);
  return curve ? curve.values[curve.values.length - 1] : undefined;
}

// Name, value of a series, and whether that is a number.
function columnsOf(data, view, metrics) {
  const axes = data.axes.filter(axis => !(view.group && axis === data.seed));
  return [
    view.group ? ['runs', one => one.runs.length, true] : ['run', one => one.key],
    ...axes.map((axis, i) => [axis, one => one.at[i]]),
    ['state', one => view.group ? countsText(one.runs) : one.runs[0].state],
    ['step', one => stepText(one.runs), true],
    ...metrics.map(metric => [metric, one => lastValue(one, metric), true]),
    ['why', one => one.runs.map(run => run.why).filter(why => why)[0] ?? ''],
  ];
}

// Without a value last, either way.
function inOrder(rows, column, down) {
  const compare = new Intl.Collator('en', { numeric: true }).compare;
  const order = (a, b) => typeof a === 'number' && typeof b === 'number' ? a - b : compare(a, b);
  return rows.sort(({ cells: { [column]: a } }, { cells: { [column]: b } }) =>
    (a === undefined) - (b === undefined) || order(a, b) * (down ? -1 : 1));
}

// `on`: toggle(series), only(series), point(series or null), sort(column).
function tableOf(data, view, series, metrics, on) {
  const columns = columnsOf(data, view, metrics);
  const rows = series.map(one => ({ one, cells: columns.map(([, value]) => value(one)) }));
  if (view.sort !== null) inOrder(rows, view.sort, view.down);
  const table = document.createElement('table');
  const head = table.createTHead().insertRow();
  head.append(document.createElement('th'));
  columns.forEach(([name, , number], i) => {
    const cell = head.appendChild(document.createElement('th'));
    cell.textContent = name + (view.sort === i ? (view.down ? ' ↓' : ' ↑') : '');
    cell.classList.toggle('number', !!number);
    cell.onclick = () => on.sort(i);
  });
  const body = table.createTBody();
  for (const { one, cells } of rows) {
    const row = body.insertRow();
    row.dataset.key = one.key;
    row.className = one.hidden ? 'off' : '';
    row.title = 'click: show or hide; shift-click: show it alone';
    row.insertCell().append(dashPicture(one));
    cells.forEach((value, i) => {
      const cell = row.insertCell(), [name, , number] = columns[i];
      cell.textContent = typeof value === 'number' ? numberText(value) : value ?? '';
      cell.className = number ? 'number' : name === 'why' ? 'long' : name === 'state' && !view.group ? value : '';
    });
    row.onclick = event => event.shiftKey ? on.only(one) : on.toggle(one);
    row.onmouseenter = () => on.point(one);
    row.onmouseleave = () => on.point(null);
  }
  return table;
}
