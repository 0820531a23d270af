// The library, in workers: a page that computes stays a page that answers.
'use strict';

// Runs in a worker, which gets the compiled module first and then requests, and sends a reply for each.
function work() {
  let library;
  // Of the system interface a page has a clock, and refuses files.
  const start = async (module) => {
    const view = () => new DataView(library.memory.buffer);
    const system = {
      environ_get: () => 0,
      environ_sizes_get: (count, size) => { view().setUint32(count, 0, true); view().setUint32(size, 0, true); return 0; },
      clock_time_get: (id, precision, out) => { view().setBigUint64(out, BigInt(Math.round(performance.now() * 1e6)), true); return 0; },
      proc_exit: (status) => { throw new Error(`the library ended with ${status}`); },
    };
    const badDescriptor = 8;
    const imports = {};
    for (const {module: from, name} of WebAssembly.Module.imports(module))
      (imports[from] ??= {})[name] = system[name] ?? (() => badDescriptor);
    library = (await WebAssembly.instantiate(module, imports)).exports;
    library._initialize();
  };
  const ask = (text) => {
    const bytes = new TextEncoder().encode(text);
    const at = library.hf_alloc(bytes.length + 1);
    const before = new Uint8Array(library.memory.buffer);
    before.set(bytes, at);
    before[at + bytes.length] = 0;
    const said = library.hf_ask(at);
    const memory = new Uint8Array(library.memory.buffer);
    const reply = new TextDecoder().decode(memory.subarray(said, memory.indexOf(0, said)));
    library.hf_free(at);
    library.hf_free(said);
    return JSON.parse(reply);
  };
  let ready;
  onmessage = async ({data}) => {
    if (data instanceof WebAssembly.Module) return void (ready = start(data));
    try {
      await ready;
      postMessage(ask(JSON.stringify(data)));
    } catch (error) {
      postMessage({error: `the library failed: ${error.message ?? error}`, isBroken: true});
    }
  };
}

// The module of the library. Its bytes are part of the page, packed.
async function compiled() {
  const text = document.getElementById('module').textContent;
  const packed = Uint8Array.fromBase64?.(text) ?? Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  const bytes = new Blob([packed]).stream().pipeThrough(new DecompressionStream('gzip'));
  return WebAssembly.compile(await new Response(bytes).arrayBuffer());
}

// One worker that answers one question at a time.
class Engine {
  constructor(module) {
    this.module = module;
    this.source = URL.createObjectURL(new Blob([`'use strict';(${work})()`], {type: 'text/javascript'}));
    this.begin();
  }
  begin() {
    this.worker = new Worker(this.source);
    this.worker.postMessage(this.module);
    this.done = null;
    this.worker.onmessage = ({data}) => {
      const done = this.done;
      this.done = null;
      if (data.isBroken) { this.worker.terminate(); this.begin(); }
      done?.(data);
    };
  }
  // Drops the question that runs, if there is one: nobody gets its answer.
  stop() {
    if (!this.done) return;
    this.worker.terminate();
    this.begin();
  }
  // @param patience  ms after which the question is dropped, and the reply is late
  ask(request, patience = Infinity) {
    return new Promise((done) => {
      this.done = done;
      this.worker.postMessage(request);
      if (patience === Infinity) return;
      setTimeout(() => {
        if (this.done !== done) return;
        this.stop();
        done({isLate: true});
      }, patience);
    });
  }
}
