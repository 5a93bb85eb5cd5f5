// Generated from tinkerdyne/studio/wire/messages. Do not edit; run: make protocol

export const VERSION = 1;

export const MAGIC = 826690388;

export const LARGEST_MESSAGE = 1048576;

export const SOCKET = "/ws";

export const MOST_RECALLED = 200;

export const SETTING_CHOICES = {"method": ["rattle", "energy_momentum", "runge_kutta", "implicit", "stormer", "adaptive", "lsoda", "dop853", "dense"], "feedback": ["none", "inside", "outside"], "order": ["1", "2"], "solver": ["ldl", "conjugate_gradient", "svd"], "stop_by": ["residual", "correction", "forces"]};

/** Something to read or to keep. */
export interface Text {
  text: string;
}

/** What is wrong with a typed formula, and where. */
export interface Fault {
  field: number;
  reason: string;
  position: number;
}

/** All that is wrong; nothing for what can be used. */
export interface Faults {
  faults: Fault[];
}

/** Read typed formulas without doing anything. `numbers` are the names with their first values, `spans` those of u (and v). */
export interface Check {
  do: "check";
  what: "curve" | "fit" | "relation" | "surface" | "value";
  texts: string[];
  numbers?: Record<string, number>;
  spans?: string[];
  names?: string[];
}

/** Attach a curve to something, as one edit. `a` and `b` are places as `Insert` takes them ("circle@1.57"). fixed: the points stay together; slide: the point a slides along the curve b; cross: both slide; tangent: both slide and touch; equal_length, equal_area, equal_radius: of two curves; keep_length, keep_area: of the curve a; mirror: the curves a and b are mirror images in a line; mirror_points: two points are. `handle` and `moved` as of `Insert`. Result: the new names, that of the constraint first. */
export interface Attach {
  do: "attach";
  how: "cross" | "equal_area" | "equal_length" | "equal_radius" | "fixed" | "keep_area" | "keep_length" | "mirror" | "mirror_points" | "slide" | "tangent";
  a: string;
  b?: string;
  line?: string;
  handle?: number;
  moved?: Record<string, unknown>;
}

/** Hold one number of a curve, particle or variable where it is ("radius", "position.x", "points[2].y"), or let it go again. Result: the name of the lock. */
export interface Lock {
  do: "lock";
  item: string;
  what: string;
  is_locked?: boolean;
}

/** Put a part into a model, typed in: a variable (name, value, bounds), an output (name, formula), something to minimise or maximise (formula), a constraint ("a*b = 8", "a + b <= 3"), or a hold on a variable or output (name). With `replaces` it takes the place of another part, as one edit. Result: the new names. */
export interface Define {
  do: "define";
  part: "constraint" | "hold" | "maximise" | "minimise" | "output" | "variable";
  name?: string;
  text?: string;
  value?: number;
  low?: number | null;
  high?: number | null;
  replaces?: string;
}

/** What a joint would do to the degrees of freedom. */
export interface Foreseen {
  freedoms: number;
  before: number;
  says: string;
}

/** Carry out an edit, as `tinkerdyne.world.edit.plain` writes it. */
export interface Apply {
  do: "apply";
  edit: Record<string, unknown>;
}

/** Add an item of a type. `inputs` are names of items, or "body.place", or "body@x,y,z" for a point at a place of a body's own axes, or "@x,y,z" for a place of the world; frames for joints are made where they are now, each at its own point (or, where none is given, at that of the other), with their z along values["axis"] (a direction of the world). A joint with one input is with the world. `values` are parameters and, of an object, its state; lengths and places left out are as they are now. With the end of a drag, `handle` or `moved`, both are one step for undo. Result: the new names, that of the item first. */
export interface Insert {
  do: "insert";
  of: string;
  inputs?: string[];
  values?: Record<string, unknown>;
  name?: string;
  most_lift?: number;
  handle?: number;
  moved?: Record<string, unknown>;
}

/** Several insertions as one edit. In the inputs of a later one "#0" is what the first of them made, and "#0.end2" a place of it. Result: the name of each. */
export interface Build {
  do: "build";
  inserts: Insert[];
}

/** What undo or redo did. */
export interface Turned {
  is_done: boolean;
  says: string;
  time: number | null;
  earlier: number | null;
}

/** Take the last edit back and leave the run alone where that can be; with `is_whole` time and state go back with it, as by `world.undo()`. */
export interface Undo {
  do: "undo";
  is_whole?: boolean;
}

/** Do again what was undone last. */
export interface Redo {
  do: "redo";
  is_whole?: boolean;
}

/** After an undo that left the run alone: go back to just before that edit too. Result: whether it did. */
export interface Rewind {
  do: "rewind";
}

/** What a joint would do, without making it. */
export interface Preview {
  do: "preview";
  of: string;
  inputs: string[];
  values?: Record<string, unknown>;
}

/** Give a joint another axis, a direction of the world, where its parts are now; in the plane the line of a slider. */
export interface Aim {
  do: "aim";
  joint: string;
  axis: number[];
}

/** Drive a joint or, as a pin, a nail: at a speed (a number) or, without `is_speed`, along a function of t. `limit` is the largest torque or force; none: it is always obeyed. `replaces` is a motor in whose place this one comes. Result: the motor's name and the joint's. */
export interface Motorise {
  do: "motor";
  joint: string;
  text: string;
  is_speed?: boolean;
  limit?: number | null;
  replaces?: string;
  axis?: number[];
}

/** Give a parameter the value of a control; all until one `is_final` are one step for undo. */
export interface Steer {
  do: "steer";
  name: string;
  parameter: string;
  value: unknown;
  is_final?: boolean;
}

/** Take items out now, with what is plugged into them, and put them in again as they are at a time, as one edit. Result: all the names that went. */
export interface Postpone {
  do: "postpone";
  names: string[];
  time: number;
}

/** Remove items and what is plugged into them, as one edit. Result: all the names that went. */
export interface Delete {
  do: "delete";
  names: string[];
}

/** Items as text for the clipboard: with what connects them to each other. */
export interface Copy {
  do: "copy";
  names: string[];
}

/** Put copied items in again under new names, moved a little. Result: the new names. */
export interface Paste {
  do: "paste";
  text: string;
  by?: number[];
}

/** Copies of items with what holds between them, as one edit. line: `count` of them with the first, each `by` further; circle: round a line through `centre` along `axis`, over an `angle`; mirror: their image in the plane through `centre` across `axis`, in the plane in that line. Result: the new names. */
export interface Arrange {
  do: "arrange";
  how: "circle" | "line" | "mirror";
  names: string[];
  count?: number;
  by?: number[];
  centre?: number[];
  axis?: number[];
  angle?: number;
}

/** Where a scene was saved. */
export interface Saved {
  path: string;
}

/** A scene in the studio's folder. */
export interface FileInfo {
  path: string;
  modified: number;
  size: number;
}

/** A scene of the gallery. */
export interface Thumbnail {
  name: string;
  title: string;
  text: string;
  picture: string;
  group: string;
  film: string;
}

/** A world that was left unsaved. */
export interface Unsaved {
  name: string;
  title: string;
  path: string;
  saved: number;
  parts: number;
  is_mine: boolean;
}

/** An empty world, in space or in the plane, with gravity; of the first order (f = m v) without: for curves, models and fits. */
export interface New {
  do: "new";
  dimension?: number;
  order?: number;
  is_start?: boolean;
}

/** Open a gallery scene by name, a scene by its text or path, or one that was left unsaved: the newest, or one by its name. */
export interface Open {
  do: "open";
  example?: string;
  text?: string;
  path?: string;
  recover?: boolean;
  unsaved?: string;
}

/** Delete a world that was left unsaved; until then it is offered at every start. */
export interface Forget {
  do: "forget";
  unsaved: string;
}

/** Save to the folder that the studio was started with; without a path, where it was saved before. Refused with `can_force` where another file stands there. */
export interface Save {
  do: "save";
  path?: string;
  is_forced?: boolean;
}

/** Something to read: "python" (the world as a script), "scene" (its JSON), "share" (one HTML file that replays the recorded past), "live" (one in which the world runs by itself; refused with the reason where only Python can run it), "film" (of it, an MP4 file in base64, where the server can draw), "csv" (the recorded past), "files" (in the studio's folder), "thumbnails" (of the gallery), "recovery" (the newest world that was left unsaved, or null), "unsaved" (all of them, the newest first). */
export interface Ask {
  do: "ask";
  what: "csv" | "files" | "film" | "live" | "python" | "recovery" | "scene" | "share" | "thumbnails" | "unsaved";
  plots?: string[];
  traces?: string[];
}

/** A name in a formula. */
export interface FormulaName {
  name: string;
  is_place: boolean;
}

/** What was understood of a formula. */
export interface Formulated {
  faults: Fault[];
  names: FormulaName[];
  form: "" | "condition" | "constraint" | "energy" | "force" | "measure" | "path";
  texts: string[];
  now: number[];
  python: string;
}

/** A formula typed by hand, `|a − b| = 2 r`, with what its names stand for: a number, or something as `Insert` takes it. `on` is what a force acts on and what a path leads. "read" says what was understood, "foresee" what it would do, "make" makes it. Result of "make": the new names, that of the formula first. */
export interface Formulate {
  do: "formulate";
  what: "foresee" | "make" | "read";
  form: "" | "condition" | "constraint" | "energy" | "force" | "measure" | "path";
  text: string;
  names?: Record<string, string | number>;
  on?: string;
  name?: string;
}

/** A formula typed by hand, `|a − b| = 2 r`, with what its names stand for: a number, or something as `Insert` takes it. `on` is what a force acts on and what a path leads. "read" says what was understood, "foresee" what it would do, "make" makes it. Result of "make": the new names, that of the formula first. */
export interface Formulate {
  do: "formulate";
  what: "foresee" | "make" | "read";
  form: "" | "condition" | "constraint" | "energy" | "force" | "measure" | "path";
  text: string;
  names?: Record<string, string | number>;
  on?: string;
  name?: string;
}

/** An item of the world. */
export interface ItemInfo {
  name: string;
  of: string;
  family: string;
  inputs: string[];
  values: Record<string, unknown>;
  is_on: boolean;
  is_fixed: boolean;
  dimension: number;
  shape: DrawnShape | null;
  places: Record<string, number[]>;
  part_of: string;
  key: number;
}

/** Where one thing lies in a frame. */
export interface Track {
  name: string;
  kind: "affine" | "curve" | "force" | "point" | "pose" | "state";
  offset: number;
  count: number;
  of: string;
}

/** What the frames of this revision hold. */
export interface FrameLayout {
  type: "Layout";
  revision: number;
  size: number;
  tracks: Track[];
  then: ItemInfo[];
  since: number[];
  is_past: boolean;
}

/** How much of a file has come. */
export interface Received {
  received: number;
}

/** A table of data. */
export interface Rows {
  columns: string[];
  rows: number[][];
}

/** How a fit stands. */
export interface FitReport {
  text: string;
  values: Record<string, number>;
  uncertainties: Record<string, number>;
  why: string;
  rms: number | null;
  largest: number | null;
  rows: number;
  outliers: number;
  limit: number;
  spread: number;
}

/** An image as a page draws it, with its place; a texture, which lies on its troid, has none. */
export interface PictureInfo {
  image: string;
  size: number[];
  corner: number[];
  pixel: number;
}

/** What lies within a snake. */
export interface Mask {
  data: string;
}

/** The next part of a file, in base64, for `Load`. */
export interface Upload {
  do: "upload";
  file: string;
  offset: number;
  size: number;
  data: string;
}

/** Use files that were brought: "picture" (PNG, JPEG: into the plane), "frames" (several, shown one by one by the timeline in place of `picture`), "texture" (onto the troid `picture`, or onto a new one), "svg" (its outlines become curves), "sheets" (the closed outlines of an SVG become elastic troids), "mesh" (stl, obj, ply, off: a solid troid), "data" (or the typed `text`: rows of numbers). Result: the new names, or the rows. */
export interface Load {
  do: "load";
  what: "data" | "frames" | "mesh" | "picture" | "sheets" | "svg" | "texture";
  files?: string[];
  text?: string;
  picture?: string;
  rate?: number;
}

/** Put a snake on a picture, through some places or round a circle [m]. Result: its name. */
export interface PutSnake {
  do: "snake";
  picture: string;
  places?: number[][];
  centre?: number[];
  radius?: number;
  is_closed?: boolean;
}

/** Put a hill beside a snake, which drives it off. Result: its name. */
export interface PutVolcano {
  do: "volcano";
  snake: string;
  at: number[];
  height?: number;
  width?: number;
}

/** Fit a model, a known one by its name or a typed equation, to rows of data. What is not said of its parameters is guessed. Result: the fit's name. */
export interface PutFit {
  do: "fit";
  model: string;
  rows: number[][];
  columns?: string[];
  start?: Record<string, number>;
  limit?: number | null;
  spread?: number;
  replaces?: string;
}

/** Change a whole snake (tension, bending, strength) or fit (Huber's limit in spreads, or in scatters of its data; 0 for none), as one edit. */
export interface Tune {
  do: "tune";
  name: string;
  values: Record<string, number>;
}

/** Slide to rest now, without passing time, as fine as the snake or fit of this name needs. Result: how it ended, in words. */
export interface Settle {
  do: "settle";
  name?: string;
}

/** An elastic sheet, a troid with the mass of a drawn polygon. Result: the new names. */
export interface Sheet {
  do: "sheet";
  places: number[][];
  stiffness?: number;
}

/** Something to see or to keep. fit: values, uncertainties, residuals, cost; picture: an image, or the texture of a troid; csv, json, outline: the polygon of a snake; mask: what lies within it; svg: the drawing of a plane world. */
export interface Report {
  do: "report";
  what: "csv" | "fit" | "json" | "mask" | "outline" | "picture" | "svg";
  name?: string;
}

/** A parameter of a type, or a part of an object's state. */
export interface Parameter {
  name: string;
  sort: "axes" | "choice" | "keys" | "number" | "quaternion" | "size" | "truth" | "unit" | "vector";
  default: unknown;
  unit: string;
  choices: string[];
}

/** An input of a type. */
export interface Port {
  name: string;
  kind: string;
  is_many: boolean;
}

/** A type that a page can insert: everything in menus, palette and inspector follows from this. */
export interface TypeInfo {
  name: string;
  family: "behavior" | "connector" | "constraint" | "field" | "object";
  group: string;
  title: string;
  doc: string;
  parameters: Parameter[];
  state: Parameter[];
  ports: Port[];
  supplies: string;
  coordinates: string[];
  places: string[];
  is_planar: boolean;
  is_joint: boolean;
  python: string;
  glyph: "ball" | "bar" | "bead" | "coil" | "cross" | "cylinder" | "dashpot" | "gear" | "hinge" | "nail" | "none" | "path" | "plain" | "rivet" | "screw" | "slider" | "table" | "weld" | "wheel";
  axis: "none" | "sliding" | "turning";
  seat: "at" | "between" | "contact" | "curve" | "first" | "keys";
  role: "connection" | "contact" | "datum" | "distance" | "equation" | "group" | "high bound" | "hill" | "hold" | "low bound" | "nail" | "none" | "number" | "objective" | "output" | "path" | "snake end" | "snake link" | "typed curve" | "typed surface" | "variable";
  word: string;
  rank: number;
  form: "" | "condition" | "constraint" | "energy" | "force" | "measure" | "path";
  icon: "" | "angle" | "arrow" | "ball" | "bead" | "belt" | "block" | "bound" | "bowl" | "box" | "capsule" | "card" | "compound" | "cone" | "cross" | "curve" | "cylinder" | "damper" | "disc" | "distance" | "drag" | "equals" | "floor" | "formula" | "frame" | "gauge" | "gear" | "gravity" | "group" | "hand" | "hills" | "image" | "link" | "lock" | "mesh" | "mirror" | "motor" | "nail" | "parallel" | "particle" | "path" | "pin" | "plate" | "point" | "polygon" | "rack" | "rod" | "rope" | "screw" | "slider" | "sphere" | "spring" | "square" | "table" | "torus" | "touch" | "troid" | "tube" | "twist" | "variable" | "wall" | "weld";
  drawn: "" | "ball" | "bar" | "block" | "corners" | "dot" | "ground";
  sizes: string[];
  tool: number;
  slides: "" | "cross" | "slide" | "tangent";
  ends: string[];
  span: number[];
  spaces: number[];
}

/** How an object is drawn, in its own axes. */
export interface DrawnShape {
  kind: "affine" | "curve" | "mesh" | "none" | "outline" | "point";
  vertices: number[];
  faces: number[];
  radius: number;
  is_closed: boolean;
  spans: number[];
}

/** An entry of the timeline. */
export interface EventInfo {
  index: number;
  kind: "event" | "path" | "ramp";
  start: number;
  end: number;
  title: string;
  item: string;
  keys: number[][];
  entry: Record<string, unknown>;
}

/** A plot: quantities on its left and its right axis, over time ("") or over a quantity. */
export interface PinnedPlot {
  left: string[];
  right: string[];
  x: string;
}

/** What is plotted and traced in all pages of a world, as one of them pinned it. */
export interface Pinned {
  type: "Pinned";
  scene: number;
  plots: PinnedPlot[];
  traces: string[];
}

/** The whole world, after it was opened and after every edit of its structure. */
export interface Model {
  type: "Model";
  revision: number;
  title: string;
  path: string;
  items: ItemInfo[];
  settings: Record<string, unknown>;
  timeline: EventInfo[];
  can_undo: boolean;
  can_redo: boolean;
  is_dirty: boolean;
  dimension: number;
  display: Record<string, unknown>;
  scene: number;
  pinned: Pinned | null;
}

/** A whole world again, but of its items only those that are new or changed; a page that has no model of `since` ignores it. */
export interface Changes {
  type: "Changes";
  since: number;
  model: Model;
  order: number[];
}

/** Parameters that changed without a change of structure. */
export interface Values {
  type: "Values";
  revision: number;
  items: Record<string, Record<string, unknown>>;
  can_undo: boolean;
  can_redo: boolean;
  is_dirty: boolean;
}

/** A quantity over time; null where it was not there, and where the world did not run on. */
export interface Plotted {
  times: number[];
  values: (number | null)[];
}

/** What stands in replay.html as "recording", packed. Beside it stand its "frames", one behind the other as sent: a header of 16 bytes, then `size` float32 of its layout. */
export interface Replay {
  model: Model;
  layouts: FrameLayout[];
  types: TypeInfo[];
  pictures: Record<string, PictureInfo>;
  plots: Record<string, Plotted>;
  traces: string[];
}

/** A group of constraints that cannot all be met, or that repeat each other. */
export interface Conflict {
  kind: "contradictory" | "redundant" | "unmet";
  names: string[];
}

/** A moment to which the world can go back, by name. */
export interface Checkpoint {
  number: number;
  name: string;
  time: number;
}

/** A few times a second: how the world is doing. */
export interface Status {
  type: "Status";
  time: number;
  is_playing: boolean;
  speed: number;
  real_speed: number;
  step_ms: number;
  kinetic: number;
  potential: number;
  gap: number;
  freedoms: number;
  conflicts: Conflict[];
  note: string;
  error: number;
  accuracy: string;
  is_inaccurate: boolean;
  start: number;
  end: number;
  is_past: boolean;
  loop: number[];
  checkpoints: Checkpoint[];
}

/** Something a person should read. */
export interface Notice {
  type: "Notice";
  level: "error" | "info" | "warning";
  text: string;
}

/** The answer to a request. */
export interface Reply {
  type: "Reply";
  seq: number;
  error: string;
  can_force: boolean;
  result: unknown;
}

/** Run, pause, some frames further, or change the speed (times real time). Frames less than none go back along the recorded past, and from there forth again up to now. */
export interface Play {
  do: "play";
  is_playing?: boolean | null;
  steps?: number;
  speed?: number | null;
}

/** Catch a body at a place of its own axes (or a particle); a curve at u, a surface at (u, v); a variable or measure, of which `to` of a drag has one number; a fit at a place. Result: a handle, a whole number. Several hands may hold one body: each pulls by itself. A hand is no item of the model, only a force track "grip:<handle>". */
export interface Grab {
  do: "grab";
  item: string;
  at?: number[];
  is_hard?: boolean;
  with_orientation?: boolean;
  instead_of?: number;
}

/** Move what a handle holds to a place of the world; only the newest of several counts. Result: the force [N]. */
export interface Drag {
  do: "drag";
  handle: number;
  to: number[];
  orientation?: number[];
}

/** Let go; with `is_cancelled` what was moved while the world is paused goes back to where it was. */
export interface Release {
  do: "release";
  handle: number;
  is_cancelled?: boolean;
}

/** Quantities as they were recorded: the page forgets what it has from `cut` on (all where that is none), and adds these. Null stands where a quantity was not there, and where the world did not run on. */
export interface Recalled {
  version: number;
  cut: number | null;
  begin: number | null;
  times: number[];
  values: ((number | null)[])[];
}

/** Quantities over the recorded past ("upper.position[2]", "energy", "nail-1.force[0]" …), after a time that a page has them up to by a version; −1: all. */
export interface Recall {
  do: "recall";
  names: string[];
  version?: number;
  since?: number;
}

/** Have these plots and traces in all pages that show this world. What was pinned for a world that is no longer open is forgotten. */
export interface Pin {
  do: "pin";
  scene: number;
  plots: PinnedPlot[];
  traces?: string[];
}

/** Show the recorded past at a time; none goes back to now; with `is_final` the world goes on from there (undoable). */
export interface Scrub {
  do: "scrub";
  time?: number | null;
  is_final?: boolean;
}

/** Show the recorded past over and over, all of it or from one time to another, or end that and stay. */
export interface Loop {
  do: "loop";
  is_on?: boolean;
  start?: number | null;
  end?: number | null;
}

/** Keep the present moment as a checkpoint, give one another name (`number`), or forget one (and `name` is empty). Result: its number. */
export interface Keep {
  do: "keep";
  name?: string;
  number?: number;
}

/** Go back to a checkpoint, 0 for the start, and pause (undoable). */
export interface GoTo {
  do: "go";
  number?: number;
}

/** The samples of a body in a flight. */
export interface SketchTrack {
  body: string;
  places: number[][];
  orientations: number[][];
  is_timed: boolean;
  at: number[];
  keys: number[];
}

/** A value that is wanted of a body when a flight begins or ends. */
export interface SketchWish {
  body: string;
  kind: "inside" | "orientation" | "point" | "position" | "spin" | "velocity";
  when: "end" | "start";
  value: number[];
  is_hard: boolean;
  high: number[];
  at: number[];
  of: string;
}

/** What is asked of a flight. */
export interface SketchFlight {
  tracks: SketchTrack[];
  wishes: SketchWish[];
  others: string[];
  lasts: number[];
}

/** What ends a flight: a collision, or without a body a split where the motion goes on smoothly. */
export interface SketchBlow {
  name: string;
  body: string;
  at: number[];
  on: string;
  of: string;
  origin: number[];
  normal: number[];
  reach: number;
  is_round: boolean;
  restitution: number[];
  friction: number[];
  tilt: number;
}

/** A plane of the world. */
export interface SketchSurface {
  name: string;
  origin: number[];
  normal: number[];
}

/** The sketch of the world that is open, after every edit; no bodies: there is none. */
export interface SketchTold {
  type: "Sketch";
  number: number;
  bodies: string[];
  gravity: number[];
  surfaces: SketchSurface[];
  flights: SketchFlight[];
  blows: SketchBlow[];
  style: Record<string, number>;
  standing: string[];
  still: string[];
  is_tree: boolean;
  problem: string;
}

/** The motion of a body: x y z qw qx qy qz in a row, at even shares of each flight. */
export interface MotionPath {
  body: string;
  flights: number[][];
  samples: number[][];
}

/** A collision of the motion, and what physics does not explain of it. */
export interface MotionBlow {
  flight: number;
  time: number;
  place: number[];
  normal: number[];
  impulse: number;
  restitution: number;
  friction: number;
  speed_gap: number;
  spin_gap: number;
  is_wild: boolean;
}

/** Something that is not as it should be. */
export interface MotionFault {
  says: string;
  size: number;
  unit: string;
  place: number[];
}

/** The motion that was found for a sketch; no paths: there is none yet. */
export interface MotionTold {
  type: "Motion";
  number: number;
  is_searching: boolean;
  grid: number[];
  paths: MotionPath[];
  blows: MotionBlow[];
  faults: MotionFault[];
  notes: string[];
  verdict: "deep" | "met" | "none" | "plausible" | "unmet" | "wild";
  is_astray: boolean;
  misfit: number[];
  seconds: number;
  played: number;
}

/** Another motion that meets the sketch. */
export interface SketchOther {
  number: number;
  paths: MotionPath[];
  grid: number[];
  speed: number;
  height: number;
  seconds: number;
  turns: number;
  cost: number;
}

/** What a search for other motions came to so far. */
export interface OthersTold {
  type: "Others";
  number: number;
  done: number;
  of: number;
  is_over: boolean;
  found: SketchOther[];
}

/** Sketch a motion of some bodies, from where they are now, with a throw to begin with along a direction; without bodies: there shall be no sketch. */
export interface BeginSketch {
  do: "sketch";
  bodies?: string[];
  along?: number[];
}

/** Put a sample of a flight somewhere else, or with `is_new` another one before it. Without `is_final` the hand still moves: the motion is only shown, and only the newest counts. */
export interface PoseSample {
  do: "pose-sample";
  number: number;
  body: string;
  flight: number;
  sample: number;
  place: number[];
  orientation?: number[];
  is_new?: boolean;
  is_final?: boolean;
}

/** Put the pose that is wanted of a body at the start or end of a flight somewhere else. */
export interface PoseWish {
  do: "pose-wish";
  number: number;
  body: string;
  flight: number;
  when: "end" | "start";
  place: number[];
  orientation?: number[];
  is_final?: boolean;
}

/** A flight without one of its samples. */
export interface DropSample {
  do: "drop-sample";
  body: string;
  flight: number;
  sample: number;
}

/** Want a value of a body at the start or end of a flight, hard or soft, or between two values; without a value it is free. "inside" without a value wants a body anywhere in another. */
export interface AskWish {
  do: "ask-wish";
  body: string;
  flight: number;
  kind: "inside" | "orientation" | "point" | "position" | "spin" | "velocity";
  when: "end" | "start";
  value?: number[];
  is_hard?: boolean;
  high?: number[];
  at?: number[];
  of?: string;
}

/** Let a flight end with a bounce, or with a collision of two bodies, and another one follow; cut one in two; remove one, or put it elsewhere; say how long it lasts (`lasts`; nothing frees it). Without `is_final` the hand still moves. */
export interface EditFlight {
  do: "edit-flight";
  what: "bounce" | "lasts" | "meet" | "remove" | "reorder" | "split";
  flight: number;
  body?: string;
  to?: number;
  lasts?: number[];
  number?: number;
  is_final?: boolean;
}

/** Tell what ends a flight anew; without a body it becomes a split. With `of` another body is struck, on the face that looks at the first, or on the one that is given in its axes. */
export interface EditBlow {
  do: "edit-blow";
  flight: number;
  body?: string;
  at?: number[];
  on?: string;
  of?: string;
  origin?: number[];
  normal?: number[];
  reach?: number;
  restitution?: number[];
  friction?: number[];
  tilt?: number;
}

/** Other gravity, another plane (by its name; a new name makes one), another style, or other bodies that stand until they are struck: what is left out stays. */
export interface EditSketch {
  do: "edit-sketch";
  gravity?: number[];
  surface?: string;
  origin?: number[];
  normal?: number[];
  style?: Record<string, number> | null;
  standing?: string[] | null;
}

/** A gesture as it was taken. */
export interface GestureTold {
  heights: number[];
  cuts: number[];
}

/** A gesture as it was recorded, instead of the samples of a body: divided into flights where it comes lowest, or where it is cut. */
export interface ActSketch {
  do: "act-sketch";
  body: string;
  places?: number[][];
  orientations?: number[][];
  times?: number[];
  text?: string;
  flights?: number;
  smooth?: number;
  cuts?: number[];
}

/** Look for other motions that meet the sketch, in the background, or end that. */
export interface FindOthers {
  do: "find-others";
  starts?: number;
  is_on?: boolean;
}

/** Go on with another motion that was found. */
export interface TakeOther {
  do: "take-other";
  number: number;
}

/** Put the motion into the world, from now on: the bodies start it, are struck as it says, and go on by contact. One step for undo. Result: how far the bodies' own motion is replaced [s]. */
export interface PlayMotion {
  do: "play-motion";
}

/** A model that data can be fitted to, known by its name. */
export interface FitModel {
  name: string;
  title: string;
  columns: number;
}

/** What to try next, said in the picture until it was done. */
export interface Hint {
  until: "cut" | "have" | "motor" | "play" | "plot" | "pose" | "pull" | "sketch" | "snap" | "trace" | "undo";
  text: string;
  counts: Record<string, number>;
  at: string;
  of_joint: boolean;
  glows: string;
}

/** A line of the first steps; keys stand in backquotes. */
export interface GuideStep {
  title: string;
  text: string;
}

/** A tutorial: hints in the picture, one after the other, in a world that has what they are about. */
export interface Guide {
  name: string;
  title: string;
  begin: "curves" | "empty" | "plane" | "space" | "start";
  needs: string[];
  hints: Hint[];
  steps: GuideStep[];
}

/** The first message: who is speaking, and everything that there is. */
export interface Hello {
  type: "Hello";
  version: number;
  build: string;
  types: TypeInfo[];
  examples: string[];
  guides: Guide[];
  fits: FitModel[];
  can_render: boolean;
  session: string;
  is_bare: boolean;
}

/** A command with its number; the same number again is answered as before and not done again. */
export interface Request {
  seq: number;
  command: Command;
}

export type Command = Apply | Insert | Undo | Rewind | Redo | Preview | Aim | Postpone | Delete | Copy | Paste | Motorise | Steer | Build | Arrange | Loop | Keep | GoTo | Play | Grab | Drag | Release | Recall | Pin | Scrub | New | Open | Forget | Save | Ask | Check | Attach | Lock | Define | Upload | Load | PutSnake | PutVolcano | PutFit | Tune | Settle | Sheet | Report | Formulate | BeginSketch | PoseSample | PoseWish | DropSample | AskWish | EditFlight | EditBlow | EditSketch | ActSketch | FindOthers | TakeOther | PlayMotion;

export type ServerMessage = Hello | Model | Changes | Values | Pinned | FrameLayout | Status | Notice | SketchTold | MotionTold | OthersTold | Reply;

/** What the server answers to each command. */
export interface Results {
  apply: null;
  insert: string[];
  undo: Turned;
  rewind: boolean;
  redo: Turned;
  preview: Foreseen;
  aim: null;
  postpone: string[];
  delete: string[];
  copy: Text;
  paste: string[];
  motor: string[];
  steer: null;
  build: string[];
  arrange: string[];
  loop: null;
  keep: number;
  go: null;
  play: null;
  grab: number;
  drag: number[];
  release: null;
  recall: Recalled;
  pin: null;
  scrub: null;
  new: null;
  open: null;
  forget: null;
  save: Saved;
  ask: { python: Text; scene: Text; share: Text; live: Text; film: Text; csv: Text; files: FileInfo[]; thumbnails: Thumbnail[]; recovery: Unsaved | null; unsaved: Unsaved[] };
  check: Faults;
  attach: string[];
  lock: string;
  define: string[];
  upload: Received;
  load: { picture: string[]; frames: string[]; texture: string[]; svg: string[]; sheets: string[]; mesh: string[]; data: Rows };
  snake: string;
  volcano: string;
  fit: string;
  tune: null;
  settle: string;
  sheet: string[];
  report: { fit: FitReport; picture: PictureInfo; csv: Text; json: Text; outline: Text; mask: Mask; svg: Text };
  formulate: { read: Formulated; foresee: Foreseen; make: string[] };
  sketch: null;
  "pose-sample": null;
  "pose-wish": null;
  "drop-sample": null;
  "ask-wish": null;
  "edit-flight": null;
  "edit-blow": null;
  "edit-sketch": null;
  "act-sketch": GestureTold;
  "find-others": null;
  "take-other": null;
  "play-motion": number;
}

/** The answer to a command. */
export type ResultOf<C extends Command> = C extends { do: infer D extends "ask" | "load" | "report" | "formulate"; what: infer W }
  ? Results[D][W & keyof Results[D]]
  : Results[C["do"]];
