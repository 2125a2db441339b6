/** The compiled mechanism: a WebAssembly module, its functions, and its memory. */

import type { LiveData } from "./data";

const STACK = 1 << 17;
const PAGE = 1 << 16;

/** Doubles in the memory of the module, and where they begin there, in bytes. */
export interface Block {
  readonly at: number;
  readonly numbers: Float64Array;
}

export type Native = (...values: number[]) => void;

/** A function of x = [t, q, v, e] and coefficients. */
export type Function = (x: ArrayLike<number>, c: Block) => Float64Array;

export class Machine {
  private free: number;

  private constructor(
    readonly data: LiveData,
    private readonly memory: WebAssembly.Memory,
    private readonly exports: WebAssembly.Exports,
    begin: number,
  ) {
    this.free = begin;
  }

  static async load(data: LiveData): Promise<Machine> {
    const { layout, bodies } = data;
    const begin = Math.ceil((data.free + STACK) / 16) * 16;
    const space = layout.workspace["all"] ?? 0;
    const shared = 8 * (layout.count + layout.pull + 4 * (layout.n + 8) ** 2 + 64 * (bodies.length + 8) + 8 * data.observed.length);
    const bytes = begin + 8 * (4 * space + 8 * layout.control.length) + 4 * shared + PAGE;
    const memory = new WebAssembly.Memory({ initial: Math.ceil(bytes / PAGE) });
    const stack = new WebAssembly.Global({ value: "i32", mutable: true }, begin);
    const env = { __linear_memory: memory, __stack_pointer: stack, fused: await fused(data, memory) };
    const { instance } = await WebAssembly.instantiate(bytesOf(data.wasm), { env });
    return new Machine(data, memory, instance.exports, begin);
  }

  /** Doubles that nobody else uses. */
  allocate(count: number): Block {
    const at = this.free;
    this.free += 8 * Math.max(count, 1);
    if (this.free > this.memory.buffer.byteLength) throw new Error("the memory of the mechanism is full");
    return { at, numbers: new Float64Array(this.memory.buffer, at, count) };
  }

  /** The same numbers as pairs of 32-bit words. */
  words(block: Block): Int32Array {
    return new Int32Array(this.memory.buffer, block.at, 2 * block.numbers.length);
  }

  has(name: string): boolean {
    return typeof this.exports[name] === "function";
  }

  native(name: string): Native {
    const found = this.exports[name];
    if (typeof found !== "function") throw new Error(`the module has no function ${name}`);
    return found as Native;
  }

  /** A function that takes so many numbers and gives so many; what it gives is overwritten by its next call. */
  function(name: string, inputs: number, outputs: number): Function {
    const native = this.native(name);
    const x = this.allocate(inputs);
    const y = this.allocate(outputs);
    return (values, c) => {
      for (let i = 0; i < inputs; i++) x.numbers[i] = values[i] ?? 0;
      native(x.at, c.at, y.at);
      return y.numbers;
    };
  }
}

/** a·b + c, rounded once: by the first of the modules that this browser knows and that does not round the product, too. */
async function fused(data: LiveData, memory: WebAssembly.Memory): Promise<WebAssembly.ExportValue> {
  for (const code of data.fused) {
    try {
      const { instance } = await WebAssembly.instantiate(bytesOf(code), { env: { __linear_memory: memory } });
      const found = instance.exports["fused"] as (a: number, b: number, c: number) => number;
      if (found(1 + 2 ** -27, 1 - 2 ** -27, -1) === -(2 ** -54)) return found;
    } catch (problem) {
      if (!(problem instanceof WebAssembly.CompileError)) throw problem; // an instruction that is not known here
    }
  }
  throw new Error("this browser cannot compute products and sums with one rounding");
}

function bytesOf(base64: string): Uint8Array<ArrayBuffer> {
  const text = atob(base64);
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i++) bytes[i] = text.charCodeAt(i);
  return bytes;
}
