// Made by `python -m grashof.live.typescript` from the types of Python that it names: change them there.


/** A number that can be changed in the page. */
export interface LiveNumber {
  readonly name: string;
  readonly unit: string;
  readonly value: number;
  readonly scale: number;
  readonly lower: number;
  readonly upper: number;
  readonly least: number | null;
  readonly most: number | null;
  readonly kind: string;
}

/** A motor of given speed, whose angle or distance can be moved by hand. */
export interface LiveMotor {
  readonly name: string;
  readonly unit: string;
  readonly kept: number;
  readonly integrated: number;
  readonly stride: number;
}

/** A quantity that is observed; works count from the start, where they are zero. */
export interface Observed {
  readonly name: string;
  readonly unit: string;
  readonly fromStart: boolean;
}

/** Settings of the integration, as in `grashof.simulate`. */
export interface LiveSettings {
  readonly method: string;
  readonly tol: number;
  readonly length: number;
  readonly mass: number;
  readonly span: number;
}

/** A live mechanism. */
export interface LiveData {
  readonly name: string;
  readonly wasm: string;
  readonly fused: readonly (string)[];
  readonly free: number;
  readonly size: number;
  readonly blocks: Readonly<Record<string, readonly [number, number]>>;
  readonly codes: readonly (string)[];
  readonly numbers: readonly (LiveNumber)[];
  readonly bodies: readonly (string)[];
  readonly motors: readonly (LiveMotor)[];
  readonly observed: readonly (Observed)[];
  readonly settings: LiveSettings;
  readonly statuses: Readonly<Record<string, string>>;
  readonly notes: readonly (string)[];
}
