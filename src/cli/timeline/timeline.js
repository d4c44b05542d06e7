/* Draws the slices of DATA (timeline_html.c) on a canvas: the wheel zooms, dragging moves. */
"use strict";
(() => {
  const ROW = 18, GAP = 8, LABELS = 190, AXIS = 24;
  const canvas = document.getElementById("timeline"), tip = document.getElementById("tip");
  const context = canvas.getContext("2d");
  const style = name => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
  const isDark = matchMedia("(prefers-color-scheme: dark)");
  let from = 0, to = DATA.end || 1, drag = null;

  let height = AXIS;
  for (const track of DATA.tracks) {
    track.top = height;
    height += track.depth * ROW + GAP;
  }
  const perTrack = DATA.tracks.map(() => []);
  for (const slice of DATA.slices) perTrack[slice[0]].push(slice);
  const runs = new Map();
  for (const slice of DATA.slices)
    if (slice[2] === 4) runs.set(DATA.tracks[slice[0]].process + "." + slice[7], slice);

  /* One hue for each name of a kernel, one colour for each other sort. */
  const hues = new Map();
  function color(slice) {
    const light = isDark.matches ? [38, 30] : [72, 86];
    if (slice[2] === 0) return `hsl(35 80% ${light[0]}%)`;
    if (slice[2] === 3) return `hsl(275 45% ${light[0]}%)`;
    if (!hues.has(slice[3])) hues.set(slice[3], 140 + hues.size * 67 % 220);
    return `hsl(${hues.get(slice[3])} 45% ${slice[2] === 4 ? light[1] : light[0]}%)`;
  }

  const x = time => LABELS + (time - from) / (to - from) * (canvas.clientWidth - LABELS);
  const y = slice => DATA.tracks[slice[0]].top + slice[1] * ROW;
  const duration = us =>
    us >= 1e6 ? (us / 1e6).toFixed(3) + " s" : us >= 1e3 ? (us / 1e3).toFixed(3) + " ms" : us.toFixed(3) + " µs";

  function drawAxis(width) {
    const step = 10 ** Math.ceil(Math.log10((to - from) / 8));
    const by = (to - from) / step < 3 ? step / 4 : (to - from) / step < 6 ? step / 2 : step;
    context.textAlign = "center";
    for (let t = Math.ceil(from / by) * by; t < to; t += by) {
      context.fillStyle = style("--rule");
      context.fillRect(x(t), AXIS - 6, 1, height);
      context.fillStyle = style("--faint");
      if (x(t) < width - 30) context.fillText(duration(t).replace(/\.?0+ /, " "), x(t), 12);
    }
  }

  function drawSlice(slice, width) {
    const left = Math.max(x(slice[4]), LABELS), right = Math.min(x(slice[4] + slice[5]), width);
    if (right < LABELS || left > width) return;
    const top = y(slice), waits = slice[2] === 5 ? Math.max(0, x(slice[6]) - left) : 0;
    context.fillStyle = color(slice);
    if (waits > 0) { /* a command: a line while it waits, then a bar */
      context.fillRect(left, top + ROW / 2 - 1, Math.min(waits, right - left), 2);
      context.fillRect(left, top + 4, 1, ROW - 9);
    }
    context.fillRect(left + waits, top, Math.max(right - left - waits, 0.7), ROW - 2);
    if (right - left - waits < 40) return;
    context.save();
    context.beginPath();
    context.rect(left + waits, top, right - left - waits, ROW);
    context.clip();
    context.fillStyle = style("--text");
    context.textAlign = "left";
    context.fillText(DATA.names[slice[3]], left + waits + 4, top + 12);
    context.restore();
  }

  function drawArrows() {
    context.strokeStyle = style("--masked-text");
    for (const [process, before, after] of DATA.arrows) {
      const a = runs.get(process + "." + before), b = runs.get(process + "." + after);
      if (!a || !b) continue;
      const x1 = x(a[4] + a[5]), x2 = x(b[4]), y1 = y(a) + ROW / 2, y2 = y(b) + ROW / 2;
      if (x2 < LABELS || x1 < LABELS) continue;
      context.beginPath();
      context.moveTo(x1, y1);
      context.bezierCurveTo(x1 + 12, y1, x2 - 12, y2, x2, y2);
      context.lineTo(x2 - 4, y2 - 3);
      context.stroke();
    }
  }

  function draw() {
    const scale = devicePixelRatio || 1, width = canvas.clientWidth;
    canvas.style.height = height + "px";
    canvas.width = width * scale;
    canvas.height = height * scale;
    context.setTransform(scale, 0, 0, scale, 0, 0);
    context.clearRect(0, 0, width, height);
    context.font = "12px system-ui, sans-serif";
    drawAxis(width);
    for (const slices of perTrack) {
      const last = [];
      for (const slice of slices) { /* what is no wider than a pixel is drawn once a pixel */
        const end = x(slice[4] + slice[5]);
        if (end < (last[slice[1]] ?? -1) + 0.5) continue;
        last[slice[1]] = end;
        drawSlice(slice, width);
      }
    }
    drawArrows();
    context.textAlign = "left";
    for (const track of DATA.tracks) {
      context.fillStyle = style("--page");
      context.fillRect(0, track.top - 2, LABELS - 2, track.depth * ROW + 4);
      context.fillStyle = style("--text");
      context.fillText(track.name, 0, track.top + 12, LABELS - 8);
    }
  }

  function find(px, py) {
    for (let i = DATA.slices.length - 1; i >= 0; i--) {
      const slice = DATA.slices[i], left = x(slice[4]), right = Math.max(x(slice[4] + slice[5]), left + 2);
      if (px >= left && px <= right && py >= y(slice) && py < y(slice) + ROW - 2) return slice;
    }
    return null;
  }

  function zoom(center, factor) {
    const least = 0.05;
    if ((to - from) * factor < least) return;
    from = Math.max(0, center - (center - from) * factor);
    to = Math.min(DATA.end || 1, center + (to - center) * factor);
    draw();
  }

  canvas.addEventListener("wheel", event => {
    if (event.offsetX < LABELS) return;
    event.preventDefault();
    const at = from + (event.offsetX - LABELS) / (canvas.clientWidth - LABELS) * (to - from);
    zoom(at, event.deltaY > 0 ? 1.25 : 0.8);
  }, { passive: false });
  canvas.addEventListener("pointerdown", event => {
    drag = { x: event.clientX, from, to };
    canvas.setPointerCapture(event.pointerId);
  });
  canvas.addEventListener("pointerup", () => { drag = null; });
  canvas.addEventListener("pointerleave", () => { tip.hidden = true; });
  canvas.addEventListener("pointermove", event => {
    if (drag) {
      let by = (drag.x - event.clientX) / (canvas.clientWidth - LABELS) * (drag.to - drag.from);
      by = Math.min(Math.max(by, -drag.from), (DATA.end || 1) - drag.to);
      from = drag.from + by;
      to = drag.to + by;
      draw();
      return;
    }
    const slice = event.offsetX < LABELS ? null : find(event.offsetX, event.offsetY);
    tip.hidden = !slice;
    if (!slice) return;
    const wait = slice[2] === 5 ? `, of it ${duration(Math.max(0, slice[6] - slice[4]))} waiting` : "";
    tip.textContent = `${DATA.sorts[slice[2]]} ${DATA.names[slice[3]]}: ${duration(slice[5])}${wait}` +
      `, at ${duration(slice[4])}${slice[8] ? "; " + slice[8] : ""}`;
    tip.style.left = Math.min(event.pageX + 12, document.body.clientWidth - 260) + "px";
    tip.style.top = event.pageY + 16 + "px";
  });
  document.getElementById("all").addEventListener("click", () => {
    from = 0;
    to = DATA.end || 1;
    draw();
  });
  addEventListener("resize", draw);
  isDark.addEventListener("change", draw);
  draw();
})();
