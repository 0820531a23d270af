// Draws the charts of a report. Everything comes from the element #charts; nothing is fetched.
'use strict';
(() => {
  const charts = JSON.parse(document.getElementById('charts').textContent);
  const library = globalThis.holdfastCharts;
  const root = document.documentElement;
  const tip = document.getElementById('tip');
  const FACET = 300; // pixels that a small chart would like
  const LETTER = 6.8; // pixels of a letter of a label, about
  const AXIS = 70; // of an axis beside a chart, about
  const LINE = 13; // and of a line of them

  // Okabe and Ito's colours, which colour-blind readers tell apart; the reference series is grey.
  const PALETTE = {
    light: {ink: '#1a1c1f', soft: '#5b6470', line: '#d5dae1', grey: '#767d86', paper: '#ffffff',
            series: ['#0072B2', '#D55E00', '#009E73', '#CC79A7', '#B58900', '#56B4E9', '#000000', '#8C6D31']},
    dark: {ink: '#e8eaed', soft: '#a3adb9', line: '#3a424c', grey: '#9aa4b0', paper: '#15181c',
           series: ['#4FA8E0', '#F28C4B', '#2FC79B', '#E29AC2', '#F0E442', '#8FD0F5', '#FFFFFF', '#C9A96A']},
  };
  const SHAPES = ['circle', 'square', 'triangle-up', 'diamond', 'cross', 'triangle-down', 'triangle-right',
                  'triangle-left'];

  const isDark = () => root.dataset.theme === 'dark' ||
      (root.dataset.theme !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches);

  function config(chart, colors) {
    const series = [...colors.series];
    if (chart.reference !== undefined) series.splice(chart.reference, 0, colors.grey);
    return {
      background: null,
      font: 'system-ui, "Segoe UI", "DejaVu Sans", sans-serif',
      view: {stroke: null},
      axis: {labelColor: colors.ink, titleColor: colors.ink, gridColor: colors.line, domainColor: colors.soft,
             tickColor: colors.soft, labelFontSize: 12, titleFontSize: 12, titleFontWeight: 'normal', labelLimit: 0,
             titleLimit: 0},
      axisQuantitative: {tickCount: 6},
      legend: {orient: 'top', labelColor: colors.ink, titleColor: colors.soft, labelFontSize: 12, titleFontSize: 12,
               titleFontWeight: 'normal', symbolSize: 90, symbolOpacity: 1, labelLimit: 0, titleLimit: 0, offset: 6},
      header: {labelColor: colors.ink, titleColor: colors.soft, labelFontSize: 12, titleFontSize: 12,
               titleFontWeight: 'normal', labelLimit: 300},
      title: {color: colors.ink, subtitleColor: colors.soft, anchor: 'start', fontSize: 14},
      rule: {color: colors.soft},
      range: {category: series, symbol: SHAPES},
    };
  }

  // A text in lines of at most so many letters, broken after blanks and marks, else anywhere.
  function linesOf(text, most) {
    const lines = [''];
    for (let part of text.match(/[^ ,;:=/_-]*[ ,;:=/_-]*/g)) {
      if (lines.at(-1).length + part.trimEnd().length > most && lines.at(-1)) lines.push('');
      for (; part.trimEnd().length > most; part = part.slice(most)) lines.splice(-1, 1, part.slice(0, most), '');
      lines[lines.length - 1] += part;
    }
    return lines.map((line) => line.trim()).filter((line) => line);
  }

  // Labels of texts are never cut: they are broken into lines, and slanted where there is no room beside each other.
  function fitLabels(inner, chart, width) {
    for (const channel of ['x', 'y']) {
      const encodings = inner.layer.map((layer) => layer.encoding?.[channel]).filter((one) => one?.type === 'nominal');
      if (encodings.length === 0) continue;
      const at = chart.columns.findIndex((column) => column.name === encodings[0].field);
      const labels = [...new Set(chart.rows.map((row) => String(row[at])))];
      const room = channel === 'y' ? Math.min(420, 0.42 * width) : (width - 60) / labels.length;
      const longest = Math.max(...labels.map((label) => label.length));
      const isSlanted = channel === 'x' && room < LETTER * Math.min(longest, 9);
      const most = isSlanted ? 20 : Math.max(9, Math.floor(room / LETTER));
      const lines = Object.fromEntries(labels.map((label) => [label, linesOf(label, most)]));
      const axis = {labelExpr: `(${JSON.stringify(lines)})[datum.label]`, labelLineHeight: LINE};
      if (channel === 'x') axis.labelAngle = isSlanted ? -40 : 0;
      for (const encoding of encodings) encoding.axis = {...encoding.axis, ...axis};
      if (channel === 'y' && chart.rowHeight > 0) {
        const tallest = Math.max(...Object.values(lines).map((one) => one.length));
        inner.height = labels.length * (chart.rowHeight + LINE * (tallest - 1));
      }
    }
  }

  // The specification with its rows, for a width in pixels; of small charts each, labels of the axis left of them
  // are known only when they are drawn: `less` is by how many pixels they were too wide.
  function specOf(chart, colors, width, less = 0) {
    const spec = structuredClone(chart.spec);
    const inner = spec.spec ?? spec;
    const names = chart.columns.map((column) => column.name);
    spec.data = {values: chart.rows.map((row) => Object.fromEntries(names.map((name, i) => [name, row[i]])))};
    spec.description = `${chart.title}. ${chart.caption}`;
    spec.config = config(chart, colors);
    if (chart.facets > 0) {
      const most = Math.max(1, Math.floor((width - 40) / Math.max(FACET, chart.leastWidth)));
      spec.columns = Math.min(chart.facets, most);
      inner.width = Math.max(chart.leastWidth - 70, Math.floor((width - 72 - less) / spec.columns) - 22);
    } else {
      inner.width = Math.max(chart.leastWidth, width);
      spec.autosize = {type: 'fit-x', contains: 'padding'};
    }
    inner.height = chart.height;
    fitLabels(inner, chart, inner.width);
    for (const layer of inner.layer) {
      for (const channel of ['color', 'shape', 'strokeDash']) {
        const encoding = layer.encoding?.[channel];
        if (encoding?.type !== 'nominal') continue;
        const at = names.indexOf(encoding.field);
        const longest = Math.max(...chart.rows.map((row) => String(row[at]).length));
        const columns = Math.max(1, Math.floor((width - AXIS) / (34 + LETTER * longest)));
        encoding.legend = {...encoding.legend, columns};
      }
    }
    return spec;
  }

  function viewOf(chart, colors, width, place, less) {
    const {spec} = library.compile(specOf(chart, colors, width, less));
    const view = new library.View(library.parse(spec), {renderer: 'svg', logLevel: library.Warn, hover: true});
    view.tooltip((handler, event, item, value) => showTip(event, value));
    if (place) view.initialize(place);
    return view;
  }

  function showTip(event, value) {
    tip.hidden = !value;
    if (!value) return;
    const list = document.createElement('dl');
    for (const [name, text] of Object.entries(value)) {
      const dt = document.createElement('dt');
      const dd = document.createElement('dd');
      dt.textContent = name;
      dd.textContent = text;
      list.append(dt, dd);
    }
    tip.replaceChildren(list);
    const box = tip.getBoundingClientRect();
    tip.style.left = `${Math.max(4, Math.min(event.clientX + 14, innerWidth - box.width - 8))}px`;
    tip.style.top = `${Math.max(4, Math.min(event.clientY + 14, innerHeight - box.height - 8))}px`;
  }

  const place = (chart) => document.getElementById(chart.id).querySelector('.plot');
  const drawn = new Map();

  async function draw(chart, less = 0) {
    const at = place(chart);
    const width = Math.floor(at.clientWidth);
    drawn.get(chart.id)?.view.finalize();
    const view = viewOf(chart, PALETTE[isDark() ? 'dark' : 'light'], width, at, less);
    drawn.set(chart.id, {view, width});
    try {
      await view.runAsync();
      const over = at.scrollWidth - at.clientWidth;
      if (chart.facets > 0 && over > 1 && less === 0) return draw(chart, over);
      at.style.minHeight = '';
      // A picture that is wider than its place scrolls, by keyboard too.
      if (at.scrollWidth > at.clientWidth + 1) at.tabIndex = 0; else at.removeAttribute('tabindex');
    } catch (error) {
      console.error(chart.id, error);
    }
  }

  function save(name, url) {
    const link = document.createElement('a');
    link.href = url;
    link.download = name;
    link.click();
    if (url.startsWith('blob:')) setTimeout(() => URL.revokeObjectURL(url), 1000);
  }
  const saveText = (name, text, type) => save(name, URL.createObjectURL(new Blob([text], {type})));

  // Pictures for papers: on white, whatever the page looks like.
  async function picture(chart) {
    const view = viewOf(chart, PALETTE.light, Math.max(640, Math.floor(place(chart).clientWidth)));
    view.background('#ffffff');
    return view.runAsync();
  }

  const shown = (chart) => chart.columns.map((column, i) => ({...column, i})).filter((column) => column.title);
  const number = (value) => Number.isInteger(value) ? String(value) : value.toLocaleString('en', {maximumSignificantDigits: 4, useGrouping: false});

  function csv(chart) {
    const quote = (text) => /[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
    const columns = shown(chart);
    const lines = [columns.map((column) => quote(column.title)).join(',')];
    for (const row of chart.rows) lines.push(columns.map(({i}) => row[i] === null ? '' : quote(String(row[i]))).join(','));
    return lines.join('\n') + '\n';
  }

  function table(chart) {
    const columns = shown(chart);
    const wide = document.createElement('div');
    wide.className = 'wide';
    wide.tabIndex = 0;
    wide.setAttribute('role', 'region');
    wide.setAttribute('aria-label', `data of: ${chart.title}`);
    const out = wide.appendChild(document.createElement('table'));
    const head = out.createTHead().insertRow();
    const isNumber = ({i}) => chart.rows.every((row) => typeof row[i] !== 'string');
    const numeric = columns.map(isNumber);
    columns.forEach((column, k) => {
      const th = head.appendChild(document.createElement('th'));
      th.scope = 'col';
      th.textContent = column.title;
      if (numeric[k]) th.className = 'n';
    });
    const body = out.createTBody();
    for (const row of chart.rows) {
      const tr = body.insertRow();
      columns.forEach(({i}, k) => {
        const td = tr.insertCell();
        td.textContent = row[i] === null ? '-' : typeof row[i] === 'number' ? number(row[i]) : row[i];
        if (numeric[k]) td.className = 'n';
      });
    }
    return wide;
  }

  function button(text, label, action) {
    const out = document.createElement('button');
    out.type = 'button';
    out.textContent = text;
    out.setAttribute('aria-label', label);
    out.addEventListener('click', action);
    return out;
  }

  // The picture that is shown of a figure, as a file on white: variables of the style sheet become colours.
  function saveStill(figure, title) {
    return button('SVG', `save as SVG: ${title}`, () => {
      const shown = [...figure.querySelectorAll('svg')].find((svg) => svg.getClientRects().length > 0);
      const svg = shown.cloneNode(true);
      if (figure.classList.contains('chart')) svg.setAttribute('style', `background: ${PALETTE.light.paper}`);
      const text = new XMLSerializer().serializeToString(svg).replace(/var\(--(?:series-)?(\w+)\)/g,
          (whole, name) => PALETTE.light[name] ?? PALETTE.light.series[name]);
      saveText(`${figure.id}.svg`, text, 'image/svg+xml');
    });
  }

  function addTools(chart) {
    const tools = document.getElementById(chart.id).querySelector('.tools');
    if (library) {
      tools.append(
          button('SVG', `save as SVG: ${chart.title}`, async () =>
              saveText(`${chart.id}.svg`, await (await picture(chart)).toSVG(), 'image/svg+xml')),
          button('PNG', `save as PNG: ${chart.title}`, async () =>
              save(`${chart.id}.png`, await (await picture(chart)).toImageURL('png', 2))));
    }
    if (!library) tools.append(saveStill(document.getElementById(chart.id), chart.title));
    tools.append(button('CSV', `save data as CSV: ${chart.title}`, () =>
        saveText(`${chart.id}.csv`, csv(chart), 'text/csv')));
    const details = document.createElement('details');
    const summary = details.appendChild(document.createElement('summary'));
    summary.textContent = `Data (${chart.rows.length} rows)`;
    details.addEventListener('toggle', () => {
      if (details.open && details.childElementCount === 1) details.append(table(chart));
    });
    tools.append(details);
  }

  // What a link leads to may stand in a table behind a click.
  function unfold() {
    const target = location.hash && document.getElementById(decodeURIComponent(location.hash.slice(1)));
    const details = target && target.closest('details');
    if (!details) return;
    details.open = true;
    target.scrollIntoView({block: 'center'});
  }
  addEventListener('hashchange', unfold);
  addEventListener('load', unfold);

  charts.forEach(addTools);
  for (const figure of document.querySelectorAll('.picture')) {
    figure.querySelector('.tools').append(saveStill(figure, figure.querySelector('h3').textContent));
  }

  const theme = document.getElementById('theme');
  theme.hidden = false;
  const name = () => { theme.textContent = isDark() ? 'Light' : 'Dark'; };
  name();
  theme.addEventListener('click', () => {
    root.dataset.theme = isDark() ? 'light' : 'dark';
    name();
    if (library) redraw(false);
  });

  // On paper: light, whatever the window is.
  let themeBefore;
  addEventListener('beforeprint', () => {
    const wasDark = isDark();
    themeBefore = root.dataset.theme;
    root.dataset.theme = 'light';
    if (!library) return;
    if (wasDark) redraw(false);
    drawAll();
  });
  addEventListener('afterprint', () => {
    if (themeBefore) root.dataset.theme = themeBefore; else delete root.dataset.theme;
    if (library && isDark()) redraw(false);
  });

  // Still pictures are there already.
  if (!library) {
    globalThis.holdfastReport = {drawAll: () => Promise.resolve(), charts};
    return;
  }

  // Charts are drawn when they come near the window; a new width or theme draws those again that were drawn.
  const byPlace = new Map(charts.map((chart) => [place(chart), chart]));
  const watcher = new IntersectionObserver((entries) => {
    for (const entry of entries) {
      if (!entry.isIntersecting) continue;
      watcher.unobserve(entry.target);
      draw(byPlace.get(entry.target));
    }
  }, {rootMargin: '300px'});
  for (const at of byPlace.keys()) watcher.observe(at);

  const redraw = (onlyWidth) => {
    for (const chart of charts) {
      const old = drawn.get(chart.id);
      if (old && !(onlyWidth && Math.floor(place(chart).clientWidth) === old.width)) draw(chart);
    }
  };
  let timer;
  addEventListener('resize', () => {
    clearTimeout(timer);
    timer = setTimeout(() => redraw(true), 150);
  });
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => redraw(false));
  addEventListener('scroll', () => { tip.hidden = true; }, {passive: true});
  addEventListener('keydown', (event) => { if (event.key === 'Escape') tip.hidden = true; });

  // For printing and for tests: every chart, seen or not.
  const drawAll = () => Promise.all(charts.map((chart) => drawn.has(chart.id) ? undefined : draw(chart)));
  globalThis.holdfastReport = {drawAll, charts};
})();
