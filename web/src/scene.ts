// Made by `python -m grashof.view.typescript` from the types of Python that it names: change them there.


/** The initial view: `towards` points to the viewer; `flat` if all motion is perpendicular to that direction. */
export interface View {
  readonly towards: readonly [number, number, number];
  readonly up: readonly [number, number, number];
  readonly flat: boolean;
}

/** A body: its properties, and the places that it connects. */
export interface Body {
  readonly name: string;
  readonly color: number;
  readonly corners: readonly (readonly [number, number, number])[];
  readonly center: readonly [number, number, number] | null;
  readonly facts: readonly (readonly [string, string])[];
}

/** A place on a body, in the body's axes. */
export interface Spot {
  readonly body: number;
  readonly at: readonly [number, number, number];
}

/** A named point. */
export interface Point {
  readonly name: string;
  readonly spot: Spot;
}

/** A revolute joint; its axis is given in the axes of the first body. */
export interface Pin {
  readonly kind: "pin";
  readonly name: string;
  readonly facts: readonly (readonly [string, string])[];
  readonly a: Spot;
  readonly b: Spot;
  readonly axis: readonly [number, number, number];
}

/** A spherical joint. */
export interface Ball {
  readonly kind: "ball";
  readonly name: string;
  readonly facts: readonly (readonly [string, string])[];
  readonly a: Spot;
  readonly b: Spot;
}

/** A universal joint; each arm is given in the axes of its own body. */
export interface Cross {
  readonly kind: "cross";
  readonly name: string;
  readonly facts: readonly (readonly [string, string])[];
  readonly a: Spot;
  readonly b: Spot;
  readonly arm_a: readonly [number, number, number];
  readonly arm_b: readonly [number, number, number];
}

/** A line fixed in the first body, along which a place of the second moves from `lower` to `upper`, measured from a. */
export interface Guide {
  readonly kind: "guide";
  readonly name: string;
  readonly facts: readonly (readonly [string, string])[];
  readonly a: Spot;
  readonly b: Spot;
  readonly axis: readonly [number, number, number];
  readonly normal: readonly [number, number, number];
  readonly lower: number;
  readonly upper: number;
  readonly block: string;
}

/** A planar joint: a face that slides on another face. */
export interface Face {
  readonly kind: "face";
  readonly name: string;
  readonly facts: readonly (readonly [string, string])[];
  readonly a: Spot;
  readonly b: Spot;
  readonly normal: readonly [number, number, number];
}

/** A massless rod. */
export interface Rod {
  readonly kind: "rod";
  readonly name: string;
  readonly facts: readonly (readonly [string, string])[];
  readonly a: Spot;
  readonly b: Spot;
}

/** A rigid connection of two bodies. */
export interface Weld {
  readonly kind: "weld";
  readonly name: string;
  readonly facts: readonly (readonly [string, string])[];
  readonly a: Spot;
  readonly b: Spot;
}

/** A spring, a damper, or both in parallel; `length` is that of the relaxed spring. */
export interface Spring {
  readonly kind: "spring";
  readonly name: string;
  readonly facts: readonly (readonly [string, string])[];
  readonly a: Spot;
  readonly b: Spot;
  readonly elastic: boolean;
  readonly damped: boolean;
  readonly length: number;
}

/** An elastic mount. */
export interface Bushing {
  readonly kind: "bushing";
  readonly name: string;
  readonly facts: readonly (readonly [string, string])[];
  readonly a: Spot;
  readonly b: Spot;
}

/** A torsional spring or damper about an axis of body a. */
export interface Coil {
  readonly kind: "coil";
  readonly name: string;
  readonly facts: readonly (readonly [string, string])[];
  readonly a: Spot;
  readonly axis: readonly [number, number, number];
  readonly elastic: boolean;
  readonly damped: boolean;
}

/** A motor or a torque about an axis of body a through a, or a motor or a force that moves b. */
export interface Drive {
  readonly kind: "drive";
  readonly name: string;
  readonly facts: readonly (readonly [string, string])[];
  readonly a: Spot;
  readonly b: Spot | null;
  readonly axis: readonly [number, number, number];
  readonly prescribed: boolean;
}

/** A force at a place. */
export interface Load {
  readonly kind: "load";
  readonly name: string;
  readonly facts: readonly (readonly [string, string])[];
  readonly a: Spot;
  readonly direction: readonly [number, number, number];
  readonly follows: boolean;
}

/** A gear wheel centred at a place of body a; `internal` for a ring with teeth inside, `teeth` 0 for a smooth wheel. */
export interface Gear {
  readonly kind: "gear";
  readonly name: string;
  readonly facts: readonly (readonly [string, string])[];
  readonly a: Spot;
  readonly axis: readonly [number, number, number];
  readonly radius: number;
  readonly teeth: number;
  readonly internal: boolean;
  readonly zero: readonly [number, number, number];
}

/** A belt around two wheels. */
export interface Belt {
  readonly kind: "belt";
  readonly name: string;
  readonly facts: readonly (readonly [string, string])[];
  readonly a: Spot;
  readonly b: Spot;
  readonly radii: readonly [number, number];
  readonly crossed: boolean;
}

/** A rope through places, or around pulleys centred at them. */
export interface Rope {
  readonly kind: "rope";
  readonly name: string;
  readonly facts: readonly (readonly [string, string])[];
  readonly through: readonly (Spot)[];
  readonly radii: readonly (number)[];
}

/** A cam, track or rack: a curve fixed in a body, as corners in its axes; parts touch an open one from its left. */
export interface Outline {
  readonly kind: "outline";
  readonly name: string;
  readonly facts: readonly (readonly [string, string])[];
  readonly body: number;
  readonly corners: readonly (readonly [number, number, number])[];
  readonly closed: boolean;
}

/** An array of numbers: 32-bit floats, little-endian, in base64, with the last index varying fastest. */
export interface Numbers {
  readonly shape: readonly (number)[];
  readonly data: string;
}

/** A named quantity at each frame. */
export interface Series {
  readonly name: string;
  readonly unit: string;
  readonly values: Numbers;
}

/** A vector at a place for each frame: (frames, 2) or (frames, 3), in world axes. */
export interface Arrows {
  readonly kind: string;
  readonly name: string;
  readonly unit: string;
  readonly spot: Spot;
  readonly values: Numbers;
}

/** An event during the motion. */
export interface Moment {
  readonly name: string;
  readonly time: number;
}

/** How the run ended, as a code and as a sentence; `ok` if it is complete and trusted. */
export interface Outcome {
  readonly ok: boolean;
  readonly code: string;
  readonly text: string;
}

/** A motion of a mechanism. */
export interface Scene {
  readonly format: number;
  readonly name: string;
  readonly dimension: number;
  readonly gravity: readonly [number, number, number];
  readonly view: View;
  readonly size: number;
  readonly detail: number;
  readonly lower: readonly [number, number, number];
  readonly upper: readonly [number, number, number];
  readonly bodies: readonly (Body)[];
  readonly points: readonly (Point)[];
  readonly symbols: readonly (Pin | Ball | Cross | Guide | Face | Rod | Weld | Spring | Bushing | Coil | Drive | Load | Gear | Belt | Rope | Outline)[];
  readonly times: Numbers;
  readonly poses: Numbers;
  readonly shift: readonly [number, number, number];
  readonly series: readonly (Series)[];
  readonly arrows: readonly (Arrows)[];
  readonly moments: readonly (Moment)[];
  readonly outcome: Outcome | null;
  readonly notes: readonly (readonly [string, string])[];
  readonly traced: readonly (string)[];
  readonly plotted: readonly (string)[];
}

/** A page with one recorded motion. */
export interface Motion {
  readonly kind: "motion";
  readonly scene: Scene;
}

/** A value with its unit; `meaning` defines it if the name does not. Code is written between backticks. */
export interface Fact {
  readonly name: string;
  readonly value: string;
  readonly meaning: string;
}

/** PASSED or FAILED by a problem's rule, and the rest of the sentence. */
export interface Verdict {
  readonly passed: boolean;
  readonly word: string;
  readonly text: string;
}

/** A definition of the error of a run; `bound` is the largest error allowed, and `bound_name` its name. */
export interface Goal {
  readonly name: string;
  readonly unit: string;
  readonly meaning: string;
  readonly bound: number | null;
  readonly bound_name: string;
}

/** A run at one tolerance: CPU time in s, evaluations of the equations of motion, and its error by each goal. */
export interface Attempt {
  readonly tol: number;
  readonly cpu_s: number;
  readonly evaluations: number;
  readonly errors: readonly (number | null)[];
}

/** The runs of one integration method, from loose to tight tolerances. */
export interface MethodCurve {
  readonly method: string;
  readonly title: string;
  readonly attempts: readonly (Attempt)[];
}

/** A work-precision diagram of the integration methods; `notes` are sentences on how it was measured. */
export interface WorkPrecision {
  readonly goals: readonly (Goal)[];
  readonly curves: readonly (MethodCurve)[];
  readonly notes: readonly (string)[];
}

/** The description of one run. */
export interface Chapter {
  readonly title: string;
  readonly command: string;
  readonly verdict: Verdict | null;
  readonly summary: readonly (Fact)[];
  readonly errors: readonly (Fact)[];
  readonly making: readonly (Fact)[];
  readonly mobility: readonly (string)[];
  readonly scene: Scene;
  readonly work_precision: WorkPrecision | null;
  readonly notes: readonly (string)[];
}

/** A page on several runs; `machine` describes the hardware and software they were made with, `made` is the date. */
export interface Report {
  readonly kind: "report";
  readonly title: string;
  readonly made: string;
  readonly command: string;
  readonly machine: readonly (Fact)[];
  readonly chapters: readonly (Chapter)[];
}
