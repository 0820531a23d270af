// What a reader can do with the drawings and tables of a report. All of it is there without this script, but still.
'use strict';
(() => {
  const root = document.documentElement;
  const [tip, theme, data] = ['tip', 'theme', 'charts'].map((id) => document.getElementById(id));
  const charts = JSON.parse(data.textContent);
  const put = (element, attributes) => {
    for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
    return element;
  };
  const make = (tag, text, attributes = {}) => put(Object.assign(document.createElement(tag), {textContent: text}), attributes);
  const onPress = (element, action) => {
    element.tabIndex = 0;
    element.addEventListener('click', action);
    element.addEventListener('keydown', (event) => ['Enter', ' '].includes(event.key) && (event.preventDefault(), action()));
  };
  const shown = (value) => value === null ? '-' : typeof value !== 'number' || Number.isInteger(value) ? String(value) :
      value.toLocaleString('en', {maximumSignificantDigits: 4, useGrouping: false});

  function showTip(names, values, x, y) {
    const list = document.createElement('dl');
    names.forEach((name, i) => {
      if (values[i] !== null) list.append(make('dt', name), make('dd', shown(values[i])));
    });
    tip.replaceChildren(list);
    tip.hidden = false;
    const box = tip.getBoundingClientRect();
    const below = y + 14 + box.height <= innerHeight;
    tip.style.left = `${Math.max(4, Math.min(x + 14, innerWidth - box.width - 8))}px`;
    tip.style.top = `${Math.max(4, below ? y + 14 : y - 14 - box.height)}px`;
  }

  // The corners of a curve on the screen; the first is that of the row that it names.
  function corners(curve) {
    const line = curve.querySelector('path');
    const numbers = line.getAttribute('d').match(/[\d.]+/g).map(Number);
    const at = line.getScreenCTM();
    return numbers.flatMap((x, i) => i % 2 ? [] : [new DOMPoint(x, numbers[i + 1]).matrixTransform(at)]);
  }

  // The row whose mark is nearest to the pointer, and its place; nothing if none is near.
  function nearest(svg, x, y) {
    let best = {far: 24, mark: null};
    const offer = (mark, row, far, at) => { if (far < best.far) best = {far, mark, row, at}; };
    for (const mark of svg.querySelectorAll('[data-row]')) {
      if (mark.closest('.off')) continue;
      const row = Number(mark.dataset.row);
      const isCurve = mark.classList.contains('curve');
      if (isCurve) corners(mark).forEach((at, i) => offer(mark, row + i, Math.hypot(at.x - x, at.y - y), at));
      if (isCurve) continue;
      const box = mark.getBoundingClientRect();
      const out = Math.hypot(Math.max(box.left - x, 0, x - box.right), Math.max(box.top - y, 0, y - box.bottom));
      // Of marks on each other, the one whose middle is nearest.
      offer(mark, row, out + Math.hypot((box.left + box.right) / 2 - x, (box.top + box.bottom) / 2 - y) / 1e4, null);
    }
    return best;
  }

  function leave() {
    tip.hidden = true;
    document.querySelectorAll('.near').forEach((mark) => mark.classList.remove('near'));
    document.querySelector('.dot')?.remove();
  }

  function follow(chart, event) {
    leave();
    const svg = event.target.closest('.plot svg');
    const {mark, row, at} = svg ? nearest(svg, event.clientX, event.clientY) : {};
    if (!mark) return;
    mark.classList.add('near');
    showTip(chart.columns, chart.rows[row], event.clientX, event.clientY);
    if (!at) return;
    const place = at.matrixTransform(svg.getScreenCTM().inverse());
    const dot = document.createElementNS('http://www.w3.org/2000/svg', 'circle');
    svg.append(put(dot, {class: 'dot', cx: place.x, cy: place.y, r: 4}));
  }

  function addSwitches(figure) {
    const entries = [...figure.querySelectorAll('.legend [data-series]')];
    if (new Set(entries.map((entry) => entry.dataset.series)).size < 2) return;
    for (const entry of entries) {
      put(entry.closest('svg'), {role: 'group'});
      put(entry, {role: 'switch', 'aria-checked': true});
      onPress(entry, () => {
        for (const one of figure.querySelectorAll(`[data-series="${entry.dataset.series}"]`)) {
          const isOff = one.classList.toggle('off');
          if (one.hasAttribute('role')) one.setAttribute('aria-checked', !isOff);
        }
      });
    }
  }

  function makeSortable(table) {
    const before = [...table.tBodies[0].rows];
    if (before.length < 2) return;
    [...table.tHead.rows[0].cells].forEach((head, column) => {
      const key = (row) => row.cells[column].textContent.trim();
      const value = (row) => parseFloat(key(row).replace(/[\s,]/g, ''));
      const order = head.classList.contains('n') ?
          (a, b) => value(a) - value(b) : (a, b) => key(a).localeCompare(key(b), 'en', {numeric: true});
      const isAbsent = (row) => head.classList.contains('n') && Number.isNaN(value(row));
      onPress(head, () => {
        const next = {ascending: 'descending', descending: 'none'}[head.getAttribute('aria-sort')] ?? 'ascending';
        for (const other of head.parentNode.cells) other.removeAttribute('aria-sort');
        head.setAttribute('aria-sort', next);
        const sign = next === 'descending' ? -1 : 1;
        const rows = next === 'none' ? before : [...before].sort((a, b) => isAbsent(a) - isAbsent(b) || sign * order(a, b) || 0);
        table.tBodies[0].append(...rows);
      });
    });
  }

  function save(name, blob) {
    const link = make('a', '', {href: URL.createObjectURL(blob), download: name});
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 1000);
  }

  // The drawing that is shown of a figure, for papers: on white, with colours in place of the style sheet's variables.
  function drawing(figure) {
    const svg = [...figure.querySelectorAll('svg')].find((one) => one.getClientRects().length > 0).cloneNode(true);
    svg.querySelectorAll('.off, .dot').forEach((one) => one.remove());
    const before = root.dataset.theme;
    root.dataset.theme = 'light';
    const colors = getComputedStyle(root);
    const text = new XMLSerializer().serializeToString(svg).replace(/var\((--[\w-]+)\)/g,
        (whole, name) => colors.getPropertyValue(name).trim());
    if (before) root.dataset.theme = before; else delete root.dataset.theme;
    const white = text.replace('<svg ', '<svg style="background: #ffffff" ');
    return {blob: new Blob([white], {type: 'image/svg+xml'}), box: svg.viewBox.baseVal};
  }

  async function savePicture(figure) {
    const {blob, box} = drawing(figure);
    const image = new Image();
    image.src = URL.createObjectURL(blob);
    await image.decode();
    const canvas = make('canvas', '', {width: 2 * box.width, height: 2 * box.height});
    canvas.getContext('2d').drawImage(image, 0, 0, canvas.width, canvas.height);
    URL.revokeObjectURL(image.src);
    canvas.toBlob((made) => save(`${figure.id}.png`, made), 'image/png');
  }

  function csv({columns, rows}) {
    const quoted = (value) => /[",\n]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value;
    return [columns, ...rows].map((row) => row.map((value) => quoted(String(value ?? ''))).join(',') + '\n').join('');
  }

  function tableOf(chart) {
    const wide = make('div', '', {class: 'wide', tabindex: 0, role: 'region', 'aria-label': `data of: ${chart.title}`});
    const table = wide.appendChild(make('table', ''));
    const style = chart.columns.map((name, i) => chart.rows.some((row) => typeof row[i] === 'string') ? '' : 'n');
    table.createTHead().insertRow().append(...chart.columns.map((name, i) => make('th', name, {scope: 'col', class: style[i]})));
    const body = table.createTBody();
    for (const row of chart.rows) body.insertRow().append(...row.map((value, i) => make('td', shown(value), {class: style[i]})));
    makeSortable(table);
    return wide;
  }

  function addTools(figure, chart) {
    const title = figure.querySelector('h3').textContent;
    const tools = figure.querySelector('.tools');
    const add = (text, label, action) => {
      tools.append(make('button', text, {type: 'button', 'aria-label': `${label}: ${title}`}));
      tools.lastChild.addEventListener('click', action);
    };
    add('SVG', 'save as SVG', () => save(`${figure.id}.svg`, drawing(figure).blob));
    add('PNG', 'save as PNG', () => savePicture(figure));
    if (!chart) return;
    add('CSV', 'save data as CSV', () => save(`${figure.id}.csv`, new Blob([csv(chart)], {type: 'text/csv'})));
    const details = make('details', '');
    details.append(make('summary', `Data (${chart.rows.length} rows)`));
    details.addEventListener('toggle', () => details.childElementCount === 1 && details.append(tableOf(chart)));
    tools.append(details);
    addSwitches(figure);
    for (const name of ['pointermove', 'pointerdown']) figure.addEventListener(name, (event) => follow(chart, event));
    figure.addEventListener('pointerleave', leave);
  }

  // What a link leads to may stand in a table behind a click.
  function unfold() {
    const target = location.hash && document.getElementById(decodeURIComponent(location.hash.slice(1)));
    const details = target && target.closest('details');
    if (details) details.open = true;
    if (details) target.scrollIntoView({block: 'center'});
  }

  document.querySelectorAll('table').forEach(makeSortable);
  document.querySelectorAll('.picture').forEach((figure) => addTools(figure));
  charts.forEach((chart) => addTools(document.getElementById(chart.id), chart));
  for (const name of ['hashchange', 'load']) addEventListener(name, unfold);
  addEventListener('scroll', leave, {passive: true});
  addEventListener('keydown', (event) => event.key === 'Escape' && leave());

  const isDark = () => root.dataset.theme ? root.dataset.theme === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches;
  const rename = () => Object.assign(theme, {hidden: false, textContent: isDark() ? 'Light' : 'Dark'});
  theme.addEventListener('click', () => { root.dataset.theme = isDark() ? 'light' : 'dark'; rename(); });
  rename();
  root.classList.add('live');
})();
