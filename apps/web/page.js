// The page: inputs that are a state, a state that is a link, and for each state the answers and the commands that give the same.
'use strict';
(async () => {
  const [title, verdict, form, parts, nav, answer] = ['title', 'verdict', 'inputs', 'parts', 'panels', 'answer'].map((id) => document.getElementById(id));
  const make = (tag, attributes = {}, ...children) => {
    const made = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
    made.append(...children);
    return made;
  };
  let panel;
  let values;
  let fields = {};
  const isUsed = (input) => input.isUsed?.(values) ?? true;

  // The state as a link: #checkpoint?mtbf=5y&nodes=2000
  function readLink() {
    const [name, rest] = location.hash.slice(1).split('?');
    panel = PANELS.find((one) => one.name === name) ?? PANELS[0];
    const given = new URLSearchParams(rest);
    values = Object.fromEntries(panel.inputs.map((input) => {
      const value = given.get(input.name);
      return [input.name, value && (!input.choices || value in input.choices) ? value : input.start];
    }));
  }
  function writeLink() {
    const state = new URLSearchParams(panel.inputs.filter(isUsed).map(({name}) => [name, values[name]]));
    history.replaceState(null, '', `#${panel.name}?${state}`);
  }

  const quoted = (word) => /^[\w.,:=%@+\/-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
  const instance = () => panel.instance?.(values) ?? null;
  const command = (words) => [...(panel.instance ? ['echo', quoted(JSON.stringify(instance())), '|'] : []), 'holdfast', ...words.map(quoted)].join(' ');

  function showCommand(words) {
    const text = command(words);
    const button = make('button', {type: 'button', 'aria-label': `Copy the command: ${text}`}, 'Copy');
    button.addEventListener('click', async () => {
      const copied = await navigator.clipboard?.writeText(text).then(() => true, () => false);
      if (!copied) getSelection().selectAllChildren(button.previousSibling);  // a page from a file may not: a key does
      button.textContent = copied ? 'Copied' : 'Selected';
      setTimeout(() => { button.textContent = 'Copy'; }, 1500);
    });
    return make('p', {class: 'command'}, make('code', {}, text), button);
  }

  const SLIDER = 400;  // steps, so that a key moves what two digits say
  function toSlider({from, to, kind}, value) {
    const place = KINDS[kind].isLog ? Math.log(value / from) / Math.log(to / from) : (value - from) / (to - from);
    return Math.round(SLIDER * Math.min(1, Math.max(0, place)));
  }
  function ofSlider({from, to, kind}, place) {
    const part = place / SLIDER;
    return KINDS[kind].write(KINDS[kind].isLog ? from * (to / from) ** part : from + (to - from) * part);
  }

  function inputFor(input) {
    const id = `input-${input.name}`;
    const row = make('div', {class: 'input'}, make('label', {for: id}, input.label));
    const set = (value) => { values[input.name] = value; changed(); };
    if (input.choices) {
      const list = make('select', {id}, ...Object.entries(input.choices).map(([value, text]) => make('option', {value}, text)));
      list.addEventListener('change', () => set(list.value));
      row.append(list);
      fields[input.name] = {row, show: () => { list.value = values[input.name]; }};
    } else {
      const text = make('input', {type: 'text', id, autocomplete: 'off', spellcheck: false});
      const slider = make('input', {type: 'range', min: 0, max: SLIDER, 'aria-label': input.label});
      text.addEventListener('input', () => set(text.value.trim()));
      slider.addEventListener('input', () => set(ofSlider(input, slider.value)));
      row.append(text, slider);
      fields[input.name] = {row, show: () => {
        const value = KINDS[input.kind].read(values[input.name]);
        if (text.value.trim() !== values[input.name]) text.value = values[input.name];
        if (value && document.activeElement !== slider) slider.value = toSlider(input, value);
        slider.setAttribute('aria-valuetext', values[input.name]);
      }};
    }
    if (input.hint) row.append(make('small', {}, input.hint));
    return row;
  }
  function showInputs() {
    for (const input of panel.inputs) {
      fields[input.name].row.hidden = Boolean(input.isHidden) && !isUsed(input);
      fields[input.name].show();
    }
  }

  // What a part shows, below its title: a note, the answer, the command.
  function sectionFor(part) {
    part.body = make('div', {class: 'body'});
    part.foot = make('div');
    part.section = make('section', {id: part.name, 'aria-labelledby': `${part.name}-title`}, make('h2', {id: `${part.name}-title`}, part.title),
        ...(part.note ? [make('p', {class: 'line'}, part.note)] : []), part.body, part.foot);
    return part.section;
  }
  function showPanel() {
    title.textContent = panel.title;
    document.title = `${panel.title} Holdfast in a page`;
    nav.replaceChildren(...PANELS.map((one) =>
      make('a', {href: `#${one.name}`, ...(one === panel ? {'aria-current': 'page'} : {})}, one.short)));
    fields = {};
    form.replaceChildren(...panel.inputs.map(inputFor));
    first.section = sectionFor(first);
    parts.replaceChildren(first.section, ...panel.parts.map(sectionFor));
    showInputs();
  }
  const first = {name: 'more', title: 'In numbers'};

  const paragraphs = (lines, style) => lines.map((line) => make('p', {class: style}, line));
  const sentence = (text) => text.charAt(0).toUpperCase() + text.slice(1);
  // HTML and SVG that the library has made: their texts are escaped there.
  function drawn(html, style) {
    const out = make('div', {class: style});
    out.innerHTML = html.replace(/(<svg[^>]*?) style="[^"]*"/, '$1');
    return out;
  }
  // A schedule that runs when its reader says so: all rules on one clock.
  function playable(picture) {
    const button = make('button', {type: 'button', 'aria-label': 'Play the schedule'}, 'Play');
    button.addEventListener('click', () => picture.firstChild.animate([{clipPath: 'inset(0 100% 0 0)'}, {clipPath: 'inset(0)'}], {duration: 6000}));
    return make('div', {}, picture, button);
  }
  function refused(reply) {
    const wrong = /^--([a-z-]+)/.exec(reply.error ?? '')?.[1];
    for (const [name, {row}] of Object.entries(fields)) row.classList.toggle('wrong', name === wrong);
  }

  const PATIENCE = 8000;  // ms for a part; a browser has one core for it, and the command has all
  let question = 0;  // that which is answered now; older ones show nothing more
  async function answerFirst() {
    const words = asked(panel, values);
    const reply = await quick.ask({words, instance: instance()});
    refused(reply);
    answer.classList.toggle('off-track', Boolean(reply.error));
    const lines = reply.error ? [reply.error] : reply.lines;
    const said = lines.find((line) => panel.leads?.test(line)) ?? lines[0];
    const more = lines.filter((line) => line !== said);
    verdict.textContent = sentence(said);
    first.body.replaceChildren(...paragraphs(more.map(sentence), 'said'), ...paragraphs((reply.warnings ?? []).map(sentence), 'line'));
    first.foot.replaceChildren(showCommand(words));
    performance.mark('answered');
    return reply;
  }
  async function answerPart(part, known, first, isStale) {
    const words = part.words?.(panel, values);
    part.section.hidden = Boolean(part.words) && !words;
    if (part.section.hidden) return;
    part.section.classList.add('busy');
    const reply = words ? await runs.ask({words, instance: instance(), picture: Boolean(part.picture)}, PATIENCE) : first;
    if (isStale()) return;
    if (words) known[part.name] = reply.json && JSON.parse(reply.json);
    const shown = paragraphs(reply.error ? [reply.error] : reply.isLate ? ['This takes long in a browser; the program is faster:'] : [], 'warning');
    if (part.chart && reply.json) {
      const width = Math.max(320, Math.min(900, part.body.clientWidth));
      shown.push(drawn((await runs.ask({chart: part.chart(known, values), width})).svg, 'drawn'));
    }
    if (reply.picture) shown.push(playable(drawn(reply.picture, 'wide picture')));
    if (part.hasTables && words && reply.lines) shown.push(...paragraphs(reply.lines, 'said'));
    if (part.hasTables && reply.tables) shown.push(drawn(reply.tables, 'tables'));
    if (isStale()) return;
    part.body.replaceChildren(...shown);
    if (words) part.foot.replaceChildren(showCommand(part.picture ? [...words, '--schedule', part.picture] : words));
    part.section.classList.remove('busy');
  }
  async function answerParts(reply) {
    const mine = question;
    const isStale = () => mine !== question;
    const known = {answer: reply.json && JSON.parse(reply.json)};
    const isNo = !reply.json || known.answer.makes_progress === false;
    for (const part of panel.parts) part.section.hidden = isNo;
    for (const part of isNo ? [] : panel.parts) {
      if (!isStale()) await answerPart(part, known, reply, isStale);
    }
    if (!isStale()) document.documentElement.dataset.done = location.hash;
  }

  let isAnswering = false;
  let isWanted = false;
  let pause;
  // Answers the last state: while one is answered, those in between are left out. The runs follow when the reader stops.
  async function changed() {
    showInputs();
    writeLink();
    delete document.documentElement.dataset.done;
    isWanted = true;
    if (isAnswering) return;
    isAnswering = true;
    let reply;
    while (isWanted) {
      isWanted = false;
      reply = await answerFirst();
    }
    isAnswering = false;
    question++;
    runs.stop();
    clearTimeout(pause);
    pause = setTimeout(() => answerParts(reply), 60);
  }

  readLink();
  showPanel();
  let quick;
  let runs;
  try {
    const module = await compiled();
    [quick, runs] = [new Engine(module), new Engine(module)];
  } catch (error) {
    verdict.textContent = `This browser cannot run the library (${error.message}). It needs WebAssembly with exceptions, as in Chrome 95, Firefox 100, Safari 15.2 or later.`;
    return;
  }
  const again = () => { readLink(); showPanel(); changed(); };
  addEventListener('hashchange', again);
  form.addEventListener('submit', (event) => event.preventDefault());
  let width = innerWidth;
  addEventListener('resize', () => { if (innerWidth !== width) { width = innerWidth; changed(); } });
  window.holdfast = {ask: (request) => new Engine(quick.module).ask(request)};  // for tests, and for the curious
  await changed();
})();
