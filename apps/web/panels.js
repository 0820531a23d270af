// The questions of the page: what each asks, in which words, and what it shows. A panel is a row here, and nothing elsewhere. Its inputs
// are named as the options that they give. A part without words of its own shows more of the first answer.
'use strict';

const YEAR = 365 * 86400;
const SECONDS = {s: 1, min: 60, h: 3600, d: 86400, y: YEAR};

const asNumber = (text) => Number(text) || undefined;
// A quantity as people type it: "90 min" is 5400, and 5400 is "1.5h"; nothing for what only the library understands.
const quantity = (units) => ({
  isLog: true,
  read: (text) => {
    const [, number, unit] = /^([\d.]+(?:e\d+)?)\s*([A-Za-z/]*)$/.exec(text.trim()) ?? [];
    return number * (unit === '' ? 1 : units[unit]) || undefined;
  },
  write: (value) => {
    const rounded = Number(value.toPrecision(2));
    const [unit, size] = Object.entries(units).findLast(([, one]) => rounded >= one) ?? Object.entries(units)[0];
    return `${Number((value / size).toPrecision(2))}${unit}`;
  },
});
// How an input is typed, and where it stands on its slider.
const KINDS = {
  time: quantity(SECONDS),
  size: quantity({GB: 1e9, TB: 1e12, PB: 1e15}),
  bandwidth: quantity({'MB/s': 1e6, 'GB/s': 1e9, 'TB/s': 1e12}),
  count: {read: asNumber, write: (value) => String(Math.round(Number(value.toPrecision(2)))), isLog: true},
  share: {read: asNumber, write: (value) => String(Number(value.toPrecision(3)))},
  rate: {read: asNumber, write: (value) => String(Number(value.toPrecision(2))), isLog: true},
};

const isAged = (v) => v.distribution !== 'exponential';
const NODES = {name: 'processors', label: 'Nodes of the job', kind: 'count', from: 1, to: 100000, start: '2000'};
const MTBF = {name: 'mtbf', label: 'Time between failures of a node', kind: 'time', from: 3600, to: 100 * YEAR, start: '5y'};
const SAVE = {name: 'checkpoint', label: 'Time to save', kind: 'time', from: 1, to: 7200, start: '10min', hint: 'How long it takes to write a checkpoint.'};
const RESTART = {name: 'recovery', label: 'Time to restart', kind: 'time', from: 1, to: 7200, start: '10min', hint: 'From a failure until the job works again.'};

const DRAWS = ['--scenarios', '200', '--strategy'];
const COMPARED = 'next-step,young-daly,fixed:1h';

// Fixed periods around that of Young and Daly, where the curve of time against period has its bend.
function periods(v) {
  const [mtbf, checkpoint, work] = [v.mtbf, v.checkpoint, v.work].map(KINDS.time.read);
  const between = mtbf / Number(v.processors);
  if (![between, checkpoint, work].every((one) => one > 0)) return [];
  const usual = Math.sqrt(2 * checkpoint * between);
  const all = Array.from({length: 19}, (none, i) => usual * 2 ** ((i - 9) / 3)).filter((one) => one < 4 * between && work / one < 5000);
  return [...new Set(all.map((one) => Number(Math.min(one, work).toPrecision(3))))];
}

// The means of results with their 95 % intervals, as a line of a chart.
function means(results) {
  const all = results.map(({metrics: {makespan}}) => [makespan.mean, 1.96 * makespan.standard_error]);
  return {y: all.map(([mean]) => mean), low: all.map(([mean, error]) => mean - error), high: all.map(([mean, error]) => mean + error)};
}

// What is asked, in words: those of the panel, and an option for each input.
const asked = (panel, v) => [...panel.asks, ...panel.inputs.filter((one) => !one.isInClass && (one.isUsed?.(v) ?? true)).flatMap((one) => [`--${one.name}`, v[one.name]])];
const simulated = (panel, v, more) => ['checkpoint', 'simulate', ...asked(panel, v).slice(2), ...more];

const PANELS = [{
  name: 'checkpoint',
  short: 'When to save?',
  title: 'When should my job save?',
  asks: ['checkpoint', 'plan'],
  inputs: [MTBF, NODES, SAVE, RESTART,
    {name: 'work', label: 'Work of the job', kind: 'time', from: 3600, to: 60 * 86400, start: '5d', hint: 'How long it would run if nothing failed.'},
    {name: 'distribution', label: 'How nodes fail', start: 'exponential', isUsed: isAged, choices: {
      exponential: 'at a constant rate (exponential)', weibull: 'less, or more, with age (Weibull)', gamma: 'less, or more, with age (gamma)'}},
    {name: 'shape', label: 'Shape of the law', kind: 'share', from: 0.3, to: 2, start: '0.7', isUsed: isAged, isHidden: true,
      hint: 'Below 1, new nodes fail most; above 1, old ones.'},
    {name: 'platform-age', label: 'Age of the machine', kind: 'time', from: 60, to: 20 * YEAR, start: '30d', isUsed: isAged, isHidden: true,
      hint: 'How long its nodes have been in service.'}],
  parts: [{
    name: 'curve',
    title: 'What another period would cost',
    note: 'Saving often takes time, and saving seldom loses work. The same 200 draws of failures for each period.',
    words: (panel, v) => periods(v).length && simulated(panel, v, [...DRAWS, periods(v).map((one) => `fixed:${one}s`).join(',')]),
    chart: ({curve, answer}, v) => {
      const line = means(curve.results);
      const isNear = (value) => value < 2.5 * Math.min(...line.y);  // beyond, the curve says nothing more
      const near = (values) => values.filter((value, i) => isNear(line.y[i]));
      const [unit, length] = answer.next_checkpoint_seconds < 5400 ? ['min', 60] : ['h', 3600];  // one for all: the axis is logarithmic
      const next = answer.next_checkpoint_seconds / length;
      return {title: 'Time of the job against the period', band: '95 % interval',
        x: {title: 'work between two saves', unit, log: true}, y: {title: 'time of the job, on average', unit: 's'},
        lines: [{name: 'a fixed period', thick: true, x: near(periods(v)).map((one) => one / length), y: near(line.y), low: near(line.low), high: near(line.high)},
          {name: 'the next save, as planned', dashed: true, x: [next, next], y: [Math.min(...line.y), Math.max(...near(line.y))]}]};
    },
  }, {
    name: 'rules',
    title: 'Rules, on the same 200 draws',
    note: 'next-step plans again after each failure, and knows the age of the nodes; young-daly is the usual formula; fixed:1h saves every hour.',
    words: (panel, v) => simulated(panel, v, [...DRAWS, COMPARED]),
    hasTables: true,
  }, {
    name: 'draw',
    title: 'The first draw, as it would run',
    note: 'What a failure destroys is lost; what a save has kept stays.',
    words: (panel, v) => simulated(panel, v, [...DRAWS, COMPARED]),
    picture: 'draw.svg',
  }],
}, {
  name: 'spares',
  short: 'How many spares?',
  title: 'How many spare nodes does my job need?',
  asks: ['checkpoint', 'spares'],
  inputs: [{...NODES, start: '360', to: 10000}, {...MTBF, start: '241d'},
    {name: 'repair', label: 'Time to repair a node', kind: 'time', from: 600, to: 90 * 86400, start: '6d'},
    {name: 'target', label: 'Share of the best efficiency', kind: 'share', from: 0.9, to: 0.999, start: '0.99', hint: 'The best is that with infinite spares.'},
    {...SAVE, start: '1min'}, {...RESTART, start: '15min'}],
  parts: [{
    name: 'numbers',
    title: 'By the number of spares',
    hasTables: true,
    chart: ({answer: {rows}}) => ({title: 'Efficiency against spares', x: {title: 'spares'}, y: {title: 'efficiency (useful share of the whole run)'},
      lines: [{name: 'efficiency', thick: true, x: rows.map((one) => one.spares), y: rows.map((one) => one.efficiency)}]}),
  }],
}, {
  name: 'machine',
  short: 'How much bandwidth?',
  title: 'How much bandwidth do the saves of a machine need?',
  asks: ['machine', 'plan', '-'],
  leads: /^a useful share/,
  instance: (v) => ({classes: [{name: 'jobs', nodes: Number(v['job-nodes']), walltime: v.walltime, checkpoint: v.checkpoint, share: 1}]}),
  inputs: [{...NODES, name: 'nodes', label: 'Nodes of the machine', start: '10000'}, MTBF,
    {name: 'bandwidth', label: 'Bandwidth of the file system', kind: 'bandwidth', from: 1e8, to: 1e14, start: '80GB/s'},
    {name: 'target-share', label: 'Useful share that is wanted', kind: 'share', from: 0.5, to: 0.99, start: '0.8'},
    {...NODES, name: 'job-nodes', label: 'Nodes of each job', start: '2000', isInClass: true},
    {name: 'walltime', label: 'Length of each job', kind: 'time', from: 3600, to: 60 * 86400, start: '5d', isInClass: true},
    {name: 'checkpoint', label: 'Size of a checkpoint of a job', kind: 'size', from: 1e9, to: 1e15, start: '64TB', isInClass: true}],
  parts: [{name: 'classes', title: 'The periods, and what they use', hasTables: true}],
}, {
  name: 'moldable',
  short: 'Which rule for these jobs?',
  title: 'Which rule for jobs that may use any number of processors?',
  asks: ['moldable', 'simulate', '--scenarios', '20', '--strategy', 'rolling,lpa,min-time'],
  inputs: [
    {name: 'model', label: 'How jobs speed up', start: 'amdahl', choices: {amdahl: 'a part of each is sequential (Amdahl)',
      communication: 'each processor more costs messages', roofline: 'perfectly, to a limit', power: 'by a power of the processors'}},
    {name: 'jobs', label: 'Jobs', kind: 'count', from: 2, to: 200, start: '40'},
    {name: 'processors', label: 'Processors of the machine', kind: 'count', from: 2, to: 1000, start: '64'},
    {name: 'error-rate', label: 'Silent errors per second of work', kind: 'rate', from: 1e-9, to: 1e-4, start: '1e-7', hint: 'On one processor. A job that is struck runs again.'}],
  parts: [
    {name: 'makespans', title: 'Rules, on the same 20 draws', hasTables: true},
    {name: 'schedule', title: 'The first draw', words: asked, picture: 'schedule.svg'}],
}];
