// One metric over steps. The lower canvas has the curves, the upper one what the pointer is near.

const kMargin = { left: 58, right: 12, top: 8, bottom: 26 };
const kFont = '12px system-ui, sans-serif';

class Chart {
  constructor(metric) {
    this.metric = metric;
    this.element = document.createElement('div');
    this.element.className = 'chart';
    const title = this.element.appendChild(document.createElement('h2'));
    title.append(metric, ' ');
    this.note = title.appendChild(document.createElement('span'));
    this.note.className = 'small';
    const box = this.element.appendChild(document.createElement('div'));
    box.className = 'canvas';
    this.below = box.appendChild(document.createElement('canvas'));
    this.above = box.appendChild(document.createElement('canvas'));
    this.below.setAttribute('role', 'img');
    this.below.setAttribute('aria-label', `${metric} over steps`);
    this.curves = [];
  }

  // Sizes a canvas to its element, in the screen's pixels, and clears it.
  pen(canvas) {
    const box = canvas.parentElement, ratio = window.devicePixelRatio || 1;
    this.width = box.clientWidth;
    this.height = box.clientHeight;
    canvas.width = Math.round(this.width * ratio);
    canvas.height = Math.round(this.height * ratio);
    const pen = canvas.getContext('2d');
    pen.scale(ratio, ratio);
    pen.font = kFont;
    pen.lineJoin = 'round';
    return pen;
  }

  draw(series, view, last) {
    this.curves = series.filter(one => !one.hidden)
      .map(one => curveOf(one, this.metric, view.smooth, last)).filter(curve => curve);
    const pen = this.pen(this.below);
    this.pen(this.above);
    const range = this.range(view);
    this.note.textContent = range ? '' : this.curves.length ? '- no value can be drawn' : '- no value yet';
    this.scales = null;
    if (!range) return;
    this.scales = {
      x: scale(...range.x, kMargin.left, this.width - kMargin.right, view.x),
      y: scale(...range.y, this.height - kMargin.bottom, kMargin.top, view.y),
    };
    this.drawAxes(pen);
    pen.save();
    pen.beginPath();
    pen.rect(kMargin.left, 0, this.width - kMargin.left - kMargin.right + 4,
             this.height - kMargin.bottom + 4);
    pen.clip();
    for (const curve of this.curves) this.drawCurve(pen, curve, view, 1);
    pen.restore();
  }

  // Of the values that can be drawn; null: there are none.
  range(view) {
    let [x0, x1, y0, y1] = [Infinity, -Infinity, Infinity, -Infinity];
    const [from, to] = view.zoom ?? [-Infinity, Infinity];
    for (const { steps, values, low, high } of this.curves)
      for (let i = 0; i < steps.length; ++i) {
        if (steps[i] < from || steps[i] > to || (view.x && steps[i] <= 0)) continue;
        x0 = Math.min(x0, steps[i]);
        x1 = Math.max(x1, steps[i]);
        for (const value of low ? [values[i], low[i], high[i]] : [values[i]])
          if (Number.isFinite(value) && (!view.y || value > 0)) {
            y0 = Math.min(y0, value);
            y1 = Math.max(y1, value);
          }
      }
    if (y0 > y1) return null;
    return { x: view.zoom ?? widened(x0, x1, view.x, x0 === x1 ? 1 : 0),
             y: widened(y0, y1, view.y, 0.04) };
  }

  drawAxes(pen) {
    const { x, y } = this.scales, style = getComputedStyle(document.documentElement);
    const bottom = this.height - kMargin.bottom;
    pen.strokeStyle = style.getPropertyValue('--line');
    pen.fillStyle = style.getPropertyValue('--soft');
    pen.lineWidth = 1;
    pen.beginPath();
    pen.textAlign = 'right';
    pen.textBaseline = 'middle';
    for (const tick of ticksOf(y, this.height / 50)) {
      const at = Math.round(y.at(tick)) + 0.5;
      pen.moveTo(kMargin.left, at);
      pen.lineTo(this.width - kMargin.right, at);
      pen.fillText(numberText(tick), kMargin.left - 6, at);
    }
    pen.textAlign = 'center';
    pen.textBaseline = 'top';
    for (const tick of ticksOf(x, this.width / 90)) {
      const at = Math.round(x.at(tick)) + 0.5;
      pen.moveTo(at, bottom);
      pen.lineTo(at, bottom + 4);
      const half = pen.measureText(numberText(tick)).width / 2;
      pen.fillText(numberText(tick), Math.min(at, this.width - half), bottom + 7);
    }
    pen.stroke();
  }

  // Whether a value has a place in the chart.
  fits(step, value) {
    const { x, y } = this.scales;
    return Number.isFinite(value) && (!y.log || value > 0) && (!x.log || step > 0);
  }

  // A line through the values, interrupted where there is none.
  trace(pen, steps, values) {
    const { x, y } = this.scales;
    let down = false;
    pen.beginPath();
    for (let i = 0; i < steps.length; ++i) {
      const fits = this.fits(steps[i], values[i]);
      if (fits && down) pen.lineTo(x.at(steps[i]), y.at(values[i]));
      else if (fits) pen.moveTo(x.at(steps[i]), y.at(values[i]));
      down = fits;
    }
    pen.stroke();
  }

  drawCurve(pen, curve, view, width) {
    const { steps, values, raw, series } = curve, many = this.curves.length > 40;
    pen.strokeStyle = pen.fillStyle = series.colour;
    if (curve.low && !view.smooth) this.drawBand(pen, curve);
    pen.setLineDash(series.dash);
    if (view.smooth) {
      pen.globalAlpha = many ? 0.1 : 0.25;
      pen.lineWidth = 1;
      this.trace(pen, steps, raw);
    }
    pen.globalAlpha = many && width === 1 ? 0.7 : 1;
    pen.lineWidth = width * (many ? 1.1 : 1.6);
    this.trace(pen, steps, values);
    pen.setLineDash([]);
    if (steps.length <= 40 && !many) this.drawDots(pen, curve);
    this.drawMarks(pen, curve);
    pen.globalAlpha = 1;
  }

  drawBand(pen, { steps, low, high }) {
    const { x, y } = this.scales;
    const there = steps.map((_, i) => i)
      .filter(i => this.fits(steps[i], low[i]) && this.fits(steps[i], high[i]));
    pen.globalAlpha = 0.15;
    pen.beginPath();
    for (const i of there) pen.lineTo(x.at(steps[i]), y.at(high[i]));
    for (const i of there.reverse()) pen.lineTo(x.at(steps[i]), y.at(low[i]));
    pen.fill();
  }

  drawDots(pen, { steps, values }) {
    const { x, y } = this.scales;
    pen.beginPath();
    for (let i = 0; i < steps.length; ++i) {
      if (!this.fits(steps[i], values[i])) continue;
      pen.moveTo(x.at(steps[i]), y.at(values[i]));
      pen.arc(x.at(steps[i]), y.at(values[i]), 2.2, 0, 7);
    }
    pen.fill();
  }

  // What is not finite: × at the bottom, infinities at the edge that they left by.
  drawMarks(pen, { steps, raw }) {
    pen.textAlign = 'center';
    pen.textBaseline = 'middle';
    for (let i = 0; i < steps.length; ++i) {
      if (Number.isFinite(raw[i]) || (this.scales.x.log && steps[i] <= 0)) continue;
      const [mark, at] = raw[i] === Infinity ? ['▲', kMargin.top]
        : [Number.isNaN(raw[i]) ? '×' : '▼', this.height - kMargin.bottom - 5];
      pen.fillText(mark, this.scales.x.at(steps[i]), at);
    }
  }

  // The point nearest to a place in the chart: its curve and index; null: none is near.
  nearest(px, py) {
    if (!this.scales) return null;
    const { x, y } = this.scales;
    let best = null, least = 50 ** 2;
    for (const curve of this.curves)
      for (let i = 0; i < curve.steps.length; ++i) {
        if (!this.fits(curve.steps[i], curve.values[i])) continue;
        const distance = (x.at(curve.steps[i]) - px) ** 2 + (y.at(curve.values[i]) - py) ** 2;
        if (distance < least) [least, best] = [distance, { curve, i }];
      }
    return best;
  }

  // The curve of a series on top, with a point of it if one is given; the steps from `from` to `to`.
  point(key, i, view, from, to) {
    const pen = this.pen(this.above);
    if (!this.scales) return;
    if (from !== undefined) {
      pen.fillStyle = '#8884';
      pen.fillRect(Math.min(from, to), 0, Math.abs(to - from), this.height - kMargin.bottom);
    }
    const curve = this.curves.find(one => one.series.key === key);
    if (!curve) return;
    this.drawCurve(pen, curve, { ...view, smooth: 0 }, 1.8);
    if (i === undefined) return;
    pen.beginPath();
    pen.arc(this.scales.x.at(curve.steps[i]), this.scales.y.at(curve.values[i]), 4.5, 0, 7);
    pen.fill();
  }
}
