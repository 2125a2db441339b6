/** Arrays of numbers as they come from Python. */
import type { Numbers } from "./scene";

/** The bytes of a text in base64. */
export function bytes(text: string): Uint8Array<ArrayBuffer> {
  const raw = atob(text);
  const found = new Uint8Array(raw.length);
  for (let i = 0; i < raw.length; i++) found[i] = raw.charCodeAt(i);
  return found;
}

/** An array as Python sends it. */
export function packed(values: Float32Array<ArrayBuffer>, shape: readonly number[]): Numbers {
  let raw = "";
  for (const byte of new Uint8Array(values.buffer)) raw += String.fromCharCode(byte);
  return { shape, data: btoa(raw) };
}

/** All numbers of an array, the last index varying fastest. */
export function unpacked(numbers: Numbers): Float32Array {
  return new Float32Array(bytes(numbers.data).buffer);
}

/** A number as a person reads it: four digits, and an exponent only where it is needed. */
export function told(x: number): string {
  if (!Number.isFinite(x)) return "–";
  if (x === 0) return "0";
  const size = Math.abs(x);
  const text = size >= 1e5 || size < 1e-3 ? x.toExponential(2).replace(/\.?0*e\+?/, "e") : String(Number(x.toPrecision(4)));
  return text.replace("-", "−");
}
