// Made by `python -m grashof.view.typescript` from the types of Python that it names: change them there.


/** The initial view: `towards` points to the viewer; `flat` if all motion is perpendicular to that direction. */
export interface View {
  readonly towards: readonly [number, number, number];
  readonly up: readonly [number, number, number];
  readonly flat: boolean;
  readonly lower: readonly [number, number, number];
  readonly upper: readonly [number, number, number];
}

/** A place on a body, in the body's axes. */
export interface Spot {
  readonly body: number;
  readonly at: readonly [number, number, number];
}

/** Axes in which the corners of a shape are given. */
export interface ShapeFrame {
  readonly at: Spot;
  readonly body: number;
  readonly towards: Spot | null;
  readonly span: number;
}

/** An array of numbers: 32-bit floats, little-endian, in base64, with the last index varying fastest. */
export interface Numbers {
  readonly shape: readonly (number)[];
  readonly data: string;
}

/** A line on paper or a wire in space. */
export interface Stroke {
  readonly kind: "line";
  readonly color: number | string;
  readonly layer: number;
  readonly frame: ShapeFrame | null;
  readonly corners: Numbers;
  readonly through: readonly (Spot)[];
  readonly thick: number;
  readonly axis: readonly [number, number, number];
  readonly width: number;
  readonly closed: boolean;
  readonly radii: readonly (number)[];
  readonly inset: readonly [number, number];
  readonly slack: number;
}

/** An area on paper or a plate in space: a polygon or, with a radius, all within that distance of the convex hull. */
export interface Area {
  readonly kind: "area";
  readonly color: number | string;
  readonly layer: number;
  readonly frame: ShapeFrame | null;
  readonly corners: Numbers;
  readonly through: readonly (Spot)[];
  readonly thick: number;
  readonly axis: readonly [number, number, number];
  readonly radius: number;
  readonly hole: Numbers;
  readonly tint: number;
  readonly opacity: number;
  readonly edge: number | string | null;
  readonly width: number;
}

/** A solid of revolution. */
export interface Solid {
  readonly kind: "solid";
  readonly color: number | string;
  readonly layer: number;
  readonly frame: ShapeFrame;
  readonly base: readonly [number, number, number];
  readonly axis: readonly [number, number, number];
  readonly profile: readonly (readonly [number, number])[];
}

/** A body: its properties, and the places that it connects. */
export interface Body {
  readonly name: string;
  readonly color: number;
  readonly corners: readonly (readonly [number, number, number])[];
  readonly center: readonly [number, number, number] | null;
  readonly facts: readonly (readonly [string, string])[];
  readonly shapes: readonly (Stroke | Area | Solid)[];
  readonly mark: readonly (Stroke | Area | Solid)[];
  readonly marked: boolean;
}

/** A named point; a `helper` only tells where a line or a circle is, and has no label. */
export interface NamedPoint {
  readonly name: string;
  readonly spot: Spot;
  readonly helper: boolean;
}

/** Something drawn between bodies. Each kind is a class of its own in `scene.kinds`; artists know only the shapes. */
export interface Symbol {
  readonly name: string;
  readonly facts: readonly (readonly [string, string])[];
  readonly shapes: readonly (Stroke | Area | Solid)[];
  readonly meets: readonly [Spot, Spot] | null;
  readonly axle: readonly [Spot, readonly [number, number, number]] | null;
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
  readonly room: number;
  readonly bodies: readonly (Body)[];
  readonly points: readonly (NamedPoint)[];
  readonly symbols: readonly (Symbol)[];
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
export interface MotionPage {
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
