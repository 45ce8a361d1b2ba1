// Axes: from values to pixels, the ticks between, numbers as text.

function scale(low, high, from, to, log) {
  const of = log ? Math.log10 : v => v;
  const a = of(low), b = of(high);
  const at = value => from + (of(value) - a) / (b - a) * (to - from);
  const back = pixel => {
    const v = a + (pixel - from) / (to - from) * (b - a);
    return log ? 10 ** v : v;
  };
  return { low, high, log, at, back };
}

// A range with a margin; one value gets room on both sides.
function widened(low, high, log, margin) {
  if (log) {
    const grow = low === high ? 2 : (high / low) ** margin;
    return [low / grow, high * grow];
  }
  const grow = low === high ? Math.abs(low) / 2 || 1 : (high - low) * margin;
  return [low - grow, high + grow];
}

function linearTicks(low, high, count) {
  const rough = (high - low) / Math.max(1, count);
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map(n => n * power).find(n => n >= rough);
  const ticks = [];
  for (let i = Math.ceil(low / step); i * step <= high * (1 + 1e-12); ++i) ticks.push(i * step);
  return ticks;
}

// Powers of ten, fewer or with values between as there is room.
function logTicks(low, high, count) {
  const first = Math.floor(Math.log10(low)), last = Math.ceil(Math.log10(high));
  if (Math.log10(high / low) < 1) return linearTicks(low, high, count);
  const between = (last - first) * 3 <= count + 2 ? [1, 2, 5] : [1];
  const every = Math.max(1, Math.ceil((last - first) / Math.max(1, count)));
  const ticks = [];
  for (let power = first; power <= last; power += every)
    for (const n of between) ticks.push(n * 10 ** power);
  return ticks.filter(tick => tick >= low && tick <= high);
}

function ticksOf({ low, high, log }, count) {
  return log ? logTicks(low, high, count) : linearTicks(low, high, count);
}

function numberText(value, digits = 4) {
  if (!Number.isFinite(value)) return Number.isNaN(value) ? 'nan' : value > 0 ? 'inf' : '-inf';
  if (value === 0) return '0';
  const size = Math.abs(value);
  if (size >= 1e6 || size < 1e-4)
    return value.toExponential(digits - 1).replace(/\.?0+e/, 'e').replace('e+', 'e');
  return String(Number(value.toPrecision(Math.max(digits, Math.ceil(Math.log10(size))))));
}

function durationText(seconds) {
  if (seconds < 90) return `${Math.round(seconds)} s`;
  if (seconds < 5400) return `${Math.round(seconds / 60)} min`;
  return seconds < 172800 ? `${(seconds / 3600).toFixed(1)} h` : `${Math.round(seconds / 86400)} d`;
}
