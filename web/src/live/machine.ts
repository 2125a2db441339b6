/** The compiled mechanism: a WebAssembly module, its functions, and its memory. */

import type { LiveData } from "./data";

const STACK = 1 << 17;
const PAGE = 1 << 16;

export class Machine {
  private constructor(
    readonly data: LiveData,
    private readonly memory: WebAssembly.Memory,
    private readonly exports: WebAssembly.Exports,
    private readonly begin: number,
  ) {}

  static async load(data: LiveData): Promise<Machine> {
    const begin = Math.ceil((data.free + STACK) / 16) * 16;
    const memory = new WebAssembly.Memory({ initial: Math.ceil((begin + 8 * data.size) / PAGE) });
    const stack = new WebAssembly.Global({ value: "i32", mutable: true }, begin);
    const env = { __linear_memory: memory, __stack_pointer: stack, fused: await fused(data, memory) };
    const { instance } = await WebAssembly.instantiate(bytesOf(data.wasm), { env });
    return new Machine(data, memory, instance.exports, begin);
  }

  /** Numbers in its memory, by name: the present ones, whenever they are read. */
  numbers(name: string): Float64Array {
    const [first, count] = this.block(name);
    return new Float64Array(this.memory.buffer, this.begin + 8 * first, count);
  }

  /** Calls one of the functions of `grashof.live.session`. */
  call(name: string, ...values: number[]): void {
    this.native(name)(this.begin, ...values);
  }

  /** What a function of a state and of the coefficients gives. */
  evaluate(name: string, x: string, into: string): Float64Array {
    const places = [x, "c", into].map((block) => this.begin + 8 * this.block(block)[0]);
    this.native(name)(...places);
    return this.numbers(into);
  }

  private block(name: string): readonly [number, number] {
    const found = this.data.blocks[name];
    if (found === undefined) throw new Error(`the memory has no block ${name}`);
    return found;
  }

  private native(name: string): (...values: number[]) => void {
    const found = this.exports[name];
    if (typeof found !== "function") throw new Error(`the module has no function ${name}`);
    return found as (...values: number[]) => void;
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
