// <tinkerdyne-world src="pendulum.html">: a live page in another page, with the same few words to steer it.
//
//   const world = document.querySelector("tinkerdyne-world");
//   await world.ready;
//   world.on("frame", (time) => …);
//   await world.set("gravity", "g", [0, 0, -1.62]);
//   world.pause(); world.play(); world.reset();

const READS = 1; // the newest messages that this script knows; a newer page says so

interface Told {
  tinkerdyne: "ready" | "failed" | "answer" | "frame" | "change";
  id?: number;
  value?: unknown;
  error?: string;
  time?: number;
  version?: string;
  messages?: number;
  item?: string;
  parameter?: string;
}

interface Listeners {
  frame: (time: number) => void;
  change: (item: string, parameter: string, value: unknown) => void; // by a hand in the page
}

interface Waiting {
  done(value: unknown): void;
  failed(problem: Error): void;
}

export class TinkerdyneWorld extends HTMLElement {
  static readonly observedAttributes = ["src"];
  ready: Promise<void>;
  version = "";
  private readonly frame = document.createElement("iframe");
  private readonly frames: Listeners["frame"][] = [];
  private readonly changes: Listeners["change"][] = [];
  private readonly waiting = new Map<number, Waiting>();
  private last = 0;
  private isReady!: { done(): void; failed(problem: Error): void };

  constructor() {
    super();
    this.ready = new Promise((done, failed) => (this.isReady = { done, failed }));
    this.ready.catch(() => undefined); // who waits for it is told
    this.frame.style.cssText = "border:0;width:100%;height:100%;display:block";
    this.frame.title = "Tinkerdyne";
    const root = this.attachShadow({ mode: "open" });
    const style = document.createElement("style");
    style.textContent = ":host{display:block;height:420px}";
    root.append(style, this.frame);
  }

  private readonly hear = (event: MessageEvent<Partial<Told> | null>): void => {
    const { data } = event;
    if (event.source !== this.frame.contentWindow || !data?.tinkerdyne) return;
    if (data.tinkerdyne === "ready") this.meet(data);
    else if (data.tinkerdyne === "failed") this.isReady.failed(new Error(data.error));
    else if (data.tinkerdyne === "frame") for (const listener of this.frames) listener(data.time ?? 0);
    else if (data.tinkerdyne === "change")
      for (const listener of this.changes) listener(data.item ?? "", data.parameter ?? "", data.value);
    else {
      const waiting = this.waiting.get(data.id ?? 0);
      this.waiting.delete(data.id ?? 0);
      if (data.error === undefined) waiting?.done(data.value);
      else waiting?.failed(new Error(data.error));
    }
  };

  private meet({ version = "", messages = 1 }: Partial<Told>): void {
    this.version = version;
    const src = this.getAttribute("src") ?? "srcdoc";
    if (messages > READS)
      this.isReady.failed(new Error(`tinkerdyne-world.js is too old for ${src}; take the newer one`));
    else this.isReady.done();
  }

  connectedCallback(): void {
    addEventListener("message", this.hear);
  }

  disconnectedCallback(): void {
    removeEventListener("message", this.hear);
  }

  /** Show a page that is at hand as text. */
  show(html: string): void {
    this.ready = new Promise((done, failed) => (this.isReady = { done, failed }));
    this.ready.catch(() => undefined);
    this.frame.srcdoc = html;
  }

  attributeChangedCallback(_name: string, _before: string | null, src: string | null): void {
    if (src) this.frame.src = src;
  }

  private async ask(what: string, ...values: unknown[]): Promise<unknown> {
    await this.ready;
    const id = ++this.last;
    const answer = new Promise<unknown>((done, failed) => this.waiting.set(id, { done, failed }));
    this.frame.contentWindow?.postMessage({ tinkerdyne: "ask", id, what, values }, "*");
    return answer;
  }

  play = (isPlaying = true): Promise<unknown> => this.ask("play", isPlaying);
  pause = (): Promise<unknown> => this.ask("pause");
  reset = (): Promise<unknown> => this.ask("reset");
  step = (seconds: number): Promise<unknown> => this.ask("step", seconds);
  get = (quantity: string): Promise<unknown> => this.ask("get", quantity);
  set = (item: string, parameter: string, value: unknown): Promise<unknown> =>
    this.ask("set", item, parameter, value);
  time = (): Promise<unknown> => this.ask("time");

  now = (): Promise<unknown> => this.ask("now");
  resume = (numbers: readonly number[]): Promise<unknown> => this.ask("resume", numbers);
  readings = (): Promise<unknown> => this.ask("readings");

  /** Call somebody with the time of every frame, or with every parameter that is changed by a hand. */
  on<What extends keyof Listeners>(what: What, listener: Listeners[What]): void {
    if (what === "frame") this.frames.push(listener as Listeners["frame"]);
    else this.changes.push(listener as Listeners["change"]);
  }
}

if (!customElements.get("tinkerdyne-world")) customElements.define("tinkerdyne-world", TinkerdyneWorld);
