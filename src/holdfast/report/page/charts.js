// What report.html uses of Vega and Vega-Lite; esbuild makes one script of it (cmake/Charts.cmake).
import {parse, View, Warn} from 'vega';
import {compile} from 'vega-lite';

globalThis.holdfastCharts = {parse, View, Warn, compile};
