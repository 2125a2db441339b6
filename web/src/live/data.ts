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

/** A body: its name, and the number of directions of its frame. */
export interface LiveBody {
  readonly name: string;
  readonly directions: number;
}

/** A motor of given speed, whose angle or distance can be moved by hand. */
export interface LiveMotor {
  readonly name: string;
  readonly unit: string;
  readonly kept: number;
  readonly integrated: number;
}

/** A quantity that is observed; works count from the start, where they are zero. */
export interface Observed {
  readonly name: string;
  readonly unit: string;
  readonly fromStart: boolean;
}

/** Sizes and positions of all vectors. */
export interface Layout {
  readonly n: number;
  readonly angles: number;
  readonly extra: number;
  readonly works: number;
  readonly kept: number;
  readonly drawn: number;
  readonly count: number;
  readonly pull: number;
  readonly workspace: Readonly<Record<string, number>>;
  readonly slope: number;
  readonly stages: number;
  readonly control: readonly (string)[];
  readonly whole: readonly (string)[];
  readonly switches: readonly (readonly [number, number, number])[];
  readonly looked: number;
  readonly pattern: readonly (readonly (number)[])[];
  readonly redundant: number;
}

/** The nominal start. */
export interface LiveStart {
  readonly time: number;
  readonly state: readonly (number)[];
  readonly extra: readonly (number)[];
  readonly kept: readonly (number)[];
  readonly integrated: readonly (readonly [number, number])[];
  readonly wrapped: readonly (number)[];
}

/** Settings of the integration; the values are those of `grashof.simulate`. */
export interface LiveSettings {
  readonly method: string;
  readonly tol: number;
  readonly stepTol: number;
  readonly finest: number;
  readonly coarser: number;
  readonly longer: number;
  readonly safety: number;
  readonly imbalance: number;
  readonly length: number;
  readonly mass: number;
  readonly weights: readonly (number)[];
  readonly controlled: number;
  readonly longest: number | null;
  readonly span: number;
  readonly earliest: number | null;
  readonly latest: number | null;
  readonly stops: readonly (readonly [number, number])[];
  readonly attentive: boolean;
}

/** A live mechanism. */
export interface LiveData {
  readonly name: string;
  readonly dimension: number;
  readonly wasm: string;
  readonly fused: readonly (string)[];
  readonly free: number;
  readonly numbers: readonly (LiveNumber)[];
  readonly bodies: readonly (LiveBody)[];
  readonly motors: readonly (LiveMotor)[];
  readonly observed: readonly (Observed)[];
  readonly layout: Layout;
  readonly start: LiveStart;
  readonly settings: LiveSettings;
  readonly statuses: Readonly<Record<string, string>>;
  readonly notes: readonly (string)[];
}

/** As in `grashof.changes.kinks`. */
export const APART = 8;
export const MOSTLY = 0.9;

/** As in `grashof.singular.critical_points`. */
export const INSIDE = 9;

/** As in `grashof.singular.sides`. */
export const TURNED = 0.3;

/** As in `grashof.singular.start_branches`. */
export const NEARBY = 0.00030000000000000003;

/** As in `grashof.integrate.approach`. */
export const BEGIN = [0.15, 0.05, 0.015, 0.005, 0.0015];
export const OVERSHOT = 4;

/** As in `grashof.integrate.control`. */
export const STUCK = 2;

/** As in `grashof.integrate.run`. */
export const FASTER = 10.0;

/** As in `grashof.program.observe`. */
export const AT_REST = 1e-06;
export const CHECKED = 4;

/** As in `grashof.program.open_program`. */
export const STRIDE = 0.05;
export const LONGEST = 256;
export const ATTEMPTS = [1, 4, 16];
export const PLACED = 1e-10;
export const SETTLED = 1e-13;
export const LAUNCHED = 1e-10;
export const ITERATIONS = 4;
export const CONTRACTS = 0.25;
