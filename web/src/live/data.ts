/** What Python's `grashof.live.LiveData` is as JSON; see there for what each field means. */

export interface LiveNumber {
  name: string;
  unit: string;
  value: number;
  scale: number;
  lower: number;
  upper: number;
  least: number | null;
  most: number | null;
  kind: string;
}

export interface LiveBody {
  name: string;
  directions: number;
}

export interface LiveMotor {
  name: string;
  unit: string;
  kept: number;
  integrated: number;
}

export interface Observed {
  name: string;
  unit: string;
}

export interface Layout {
  n: number;
  angles: number;
  extra: number;
  works: number;
  kept: number;
  drawn: number;
  count: number;
  pull: number;
  workspace: Record<string, number>;
  slope: number;
  stages: number;
  control: string[];
  whole: string[];
  switches: [number, number, number][];
  looked: number;
}

export interface LiveStart {
  time: number;
  state: number[];
  extra: number[];
  kept: number[];
  integrated: [number, number][];
  wrapped: number[];
}

export interface LiveSettings {
  method: string;
  tol: number;
  stepTol: number;
  finest: number;
  coarser: number;
  safety: number;
  imbalance: number;
  length: number;
  mass: number;
  weights: number[];
  controlled: number;
  longest: number | null;
  span: number;
  earliest: number | null;
  latest: number | null;
  stops: [number, number][];
  attentive: boolean;
}

export interface LiveData {
  name: string;
  dimension: number;
  wasm: string;
  free: number;
  numbers: LiveNumber[];
  bodies: LiveBody[];
  motors: LiveMotor[];
  observed: Observed[];
  layout: Layout;
  start: LiveStart;
  settings: LiveSettings;
  statuses: Record<string, string>;
  notes: string[];
}
