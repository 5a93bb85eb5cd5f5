import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { Connection, Refusal } from "../src/wire/connection";
import { MAGIC } from "../src/wire/protocol";

/** A socket whose other end is the test. */
class Socket {
  static readonly OPEN = 1;
  static all: Socket[] = [];
  readyState = 0;
  sent: string[] = [];
  onopen = (): void => undefined;
  onclose = (): void => undefined;
  onmessage = (_event: { data: unknown }): void => undefined;

  constructor(readonly url: string) {
    Socket.all.push(this);
  }

  send(text: string): void {
    this.sent.push(text);
  }

  open(): void {
    this.readyState = 1;
    this.onopen();
  }

  close(): void {
    this.readyState = 3;
    this.onclose();
  }

  reply(seq: number, result: unknown, error = "", can_force = false): void {
    this.onmessage({ data: JSON.stringify({ type: "Reply", seq, result, error, can_force }) });
  }
}

const listener = { onMessage: vi.fn(), onFrame: vi.fn(), onState: vi.fn() };
let connection: Connection;
const socket = (): Socket => {
  const last = Socket.all.at(-1);
  if (!last) throw new Error("nobody connected");
  return last;
};

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal("WebSocket", Socket);
  Socket.all = [];
  for (const spy of Object.values(listener)) spy.mockReset();
  connection = new Connection("ws://localhost/ws", listener);
});

afterEach(() => {
  vi.useRealTimers();
});

describe("a request", () => {
  test("is answered by the reply of its number, in any order", async () => {
    socket().open();
    const [first, second] = [connection.ask({ do: "undo" }), connection.ask({ do: "grab", item: "rod" })];
    expect(socket().sent.map((text) => JSON.parse(text).seq)).toEqual([1, 2]);
    socket().reply(2, 7);
    socket().reply(1, true);
    expect(await second).toBe(7);
    expect(await first).toBe(true);
  });

  test("that is refused fails with the server's words", async () => {
    socket().open();
    const asked = connection.ask({ do: "undo" });
    socket().reply(1, null, "rod is fixed");
    await expect(asked).rejects.toThrow("rod is fixed");
  });

  test("that may be forced says so", async () => {
    socket().open();
    const asked = connection.ask({ do: "save" });
    socket().reply(1, null, "another file stands there", true);
    const refusal = await asked.catch((reason: unknown) => reason);
    expect(refusal).toBeInstanceOf(Refusal);
    expect(refusal).toHaveProperty("canForce", true);
  });

  test("fails at once without a connection", async () => {
    await expect(connection.ask({ do: "undo" })).rejects.toThrow("not connected");
  });

  test("fails when the connection is lost before the reply", async () => {
    socket().open();
    const asked = connection.ask({ do: "undo" });
    socket().close();
    await expect(asked).rejects.toThrow("lost");
  });
});

describe("a connection", () => {
  test("passes on messages and frames", () => {
    socket().open();
    const status = { type: "Notice", level: "info", text: "hello" };
    socket().onmessage({ data: JSON.stringify(status) });
    expect(listener.onMessage).toHaveBeenCalledWith(status);
    const frame = new ArrayBuffer(16);
    new DataView(frame).setUint32(0, MAGIC, true);
    socket().onmessage({ data: frame });
    expect(listener.onFrame).toHaveBeenCalledOnce();
  });

  test("ignores bytes that are no frame", () => {
    socket().open();
    socket().onmessage({ data: new ArrayBuffer(64) });
    expect(listener.onFrame).not.toHaveBeenCalled();
  });

  test("that is lost comes back, each time after a longer while", () => {
    const waits: number[] = [];
    for (let i = 0; i < 8; i++) {
      socket().close();
      const before = Socket.all.length;
      let wait = 0;
      for (; Socket.all.length === before; wait += 10) vi.advanceTimersByTime(10);
      waits.push(wait);
    }
    expect(waits[1]).toBeGreaterThan(waits[0] ?? 0);
    expect(Math.max(...waits)).toBeLessThanOrEqual(4010);
    socket().open();
    expect(listener.onState).toHaveBeenLastCalledWith(true);
  });
});
