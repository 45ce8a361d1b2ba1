'use strict';
// From the runs in the data to the series that are drawn: a run each, or the runs that differ in
// nothing but the seed.

const kNotFinite = { 'nan': NaN, 'inf': Infinity, '-inf': -Infinity };
const kDashes = [[], [7, 3], [2, 3], [7, 3, 2, 3]];

// Each curve as { steps, values }, with numbers only; the last step of all.
function decoded(data) {
  data.last = 1;
  for (const run of data.runs)
    for (const [metric, [steps, values]] of Object.entries(run.curves)) {
      run.curves[metric] = {
        steps, values: values.map(v => typeof v === 'string' ? kNotFinite[v] : v)
      };
      data.last = Math.max(data.last, steps[steps.length - 1]);
    }
  return data;
}

// Words, all of which must fit: 'lr=0.001' a value, 'k=v' of an axis by the end of its name, any
// other a part of a value, the id or the state.
function fits(run, axes, words) {
  return words.every(word => {
    const at = word.indexOf('=');
    if (at > 0)
      return axes.some((axis, i) => ('.' + axis).endsWith('.' + word.slice(0, at)) &&
                                    run.at[i] === word.slice(at + 1));
    return [run.id, run.state, ...run.at].some(text => text.includes(word));
  });
}

function chosenRuns(data, view) {
  const words = view.filter.split(/[\s,]+/).filter(word => word);
  return data.runs.filter(run => fits(run, data.axes, words) &&
    (!view.state || run.state === view.state) &&
    data.axes.every((axis, i) => !view.at[axis] || run.at[i] === view.at[axis]));
}

// Of a run each, or one for all seeds. Colours first, then dashes, tell apart what differs in more
// than the seed.
function seriesOf(data, view) {
  const seed = data.axes.indexOf(data.seed), group = view.group && seed >= 0;
  const found = new Map(), variants = new Map();
  for (const run of chosenRuns(data, view)) {
    const others = run.at.filter((value, i) => i !== seed), variant = others.join(' ');
    if (!variants.has(variant)) variants.set(variant, variants.size);
    const at = group ? others : run.at, key = group ? variant : run.id;
    if (!found.has(key))
      found.set(key, { key, at, variant, label: at.join('  ') || run.id, runs: [] });
    found.get(key).runs.push(run);
  }
  const { colours } = data;
  return [...found.values()].map(series => {
    const look = variants.get(series.variant);
    return {
      ...series,
      colour: colours[look % colours.length],
      dash: kDashes[Math.floor(look / colours.length) % kDashes.length],
      hidden: view.hidden.has(series.key),
    };
  });
}

// The runs over which a mean is taken, as in the sweep's tables.
function averaged(runs, metric) {
  const there = runs.filter(run => run.curves[metric]?.steps.length);
  if (runs.length === 1) return there;
  const done = there.filter(run => run.state === 'done');
  return done.length ? done : there.filter(run => run.state !== 'failed');
}

// The value of a curve at a step between its first and its last.
function valueAt({ steps, values }, step) {
  let low = 0, high = steps.length - 1;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (steps[middle] <= step) low = middle; else high = middle;
  }
  if (step >= steps[high]) return values[high];
  const share = (step - steps[low]) / (steps[high] - steps[low]);
  return share === 0 ? values[low] : values[low] + share * (values[high] - values[low]);
}

// At every step of any of them, from where the last begins to where the first ends.
function meanOf(curves) {
  const first = Math.max(...curves.map(c => c.steps[0]));
  const last = Math.min(...curves.map(c => c.steps[c.steps.length - 1]));
  const all = new Set(curves.flatMap(c => c.steps).filter(step => step >= first && step <= last));
  const steps = [...all].sort((a, b) => a - b);
  const mean = { steps, values: [], low: [], high: [] };
  for (const step of steps) {
    const values = curves.map(curve => valueAt(curve, step));
    mean.values.push(values.reduce((a, b) => a + b, 0) / values.length);
    mean.low.push(Math.min(...values));
    mean.high.push(Math.max(...values));
  }
  return mean;
}

// An exponential moving average, corrected for its start. It forgets by steps, not by points: `weight`
// is what is left after a thousandth of `last`. What is not finite stays as it is.
function smoothed({ steps, values }, weight, last) {
  if (!weight) return values;
  let sum = 0, total = 0, before = steps[0];
  return values.map((value, i) => {
    if (!Number.isFinite(value)) return value;
    const left = i > 0 ? weight ** Math.max(0.1, 1000 * (steps[i] - before) / last) : weight;
    before = steps[i];
    sum = left * sum + (1 - left) * value;
    total = left * total + (1 - left);
    return sum / total;
  });
}

// What a chart draws of a series; null: it has no value yet.
function curveOf(series, metric, weight, last) {
  const runs = averaged(series.runs, metric);
  if (!runs.length) return null;
  const curves = runs.map(run => run.curves[metric]);
  const curve = curves.length === 1 ? curves[0] : meanOf(curves);
  if (!curve.steps.length) return null;
  return { ...curve, series, runs: runs.length, raw: curve.values,
           values: smoothed(curve, weight, last) };
}
