// The one connection to the server: requests with numbers and promises, frames, and coming back after a break.

import { wording } from "../wording/spoken";
import { decode, type Frame } from "./frame";
import type { Command, Reply, Request, ResultOf, ServerMessage } from "./protocol";

const RETRY = { first: 300, most: 4000 }; // ms

/** A refusal of the server, in words for a person; `canForce` where it would do it all the same. */
export class Refusal extends Error {
  constructor(
    words: string,
    readonly canForce = false,
  ) {
    super(words);
  }
}

/** Who waits for a reply. */
interface Waiting {
  done: (reply: Reply) => void;
  failed: (reason: Refusal) => void;
}

/** What a connection tells its page. */
export interface Listener {
  onMessage(message: Exclude<ServerMessage, { type: "Reply" }>): void;
  onFrame(frame: Frame): void;
  onState(isOpen: boolean): void;
}

export class Connection {
  private socket: WebSocket | null = null;
  private next = 1;
  private waiting = new Map<number, Waiting>();
  private delay = RETRY.first;

  constructor(
    private readonly url: string,
    private readonly listener: Listener,
  ) {
    this.open();
  }

  /** Ask the server to do something; the promise holds its result, or a refusal. */
  ask<C extends Command>(command: C): Promise<ResultOf<C>> {
    if (this.socket?.readyState !== WebSocket.OPEN)
      return Promise.reject(new Refusal(wording.app.notConnected));
    const request: Request = { seq: this.next++, command };
    return new Promise((done, failed) => {
      // What a reply holds is declared with the command, and tested with the server.
      this.waiting.set(request.seq, { done: ({ result }) => done(result as ResultOf<C>), failed });
      this.socket?.send(JSON.stringify(request));
    });
  }

  private open(): void {
    const socket = new WebSocket(this.url);
    socket.binaryType = "arraybuffer";
    socket.onopen = () => {
      this.delay = RETRY.first;
      this.listener.onState(true);
    };
    socket.onmessage = (event: MessageEvent<string | ArrayBuffer>) => {
      if (typeof event.data === "string") this.receive(JSON.parse(event.data) as ServerMessage);
      else {
        const frame = decode(event.data);
        if (frame) this.listener.onFrame(frame);
      }
    };
    socket.onclose = () => this.lost();
    this.socket = socket;
  }

  private receive(message: ServerMessage): void {
    if (message.type !== "Reply") {
      this.listener.onMessage(message);
      return;
    }
    const waiting = this.waiting.get(message.seq);
    this.waiting.delete(message.seq);
    if (message.error) waiting?.failed(new Refusal(message.error, message.can_force));
    else waiting?.done(message);
  }

  private lost(): void {
    for (const { failed } of this.waiting.values()) failed(new Refusal(wording.app.connectionLost));
    this.waiting.clear();
    this.listener.onState(false);
    setTimeout(() => this.open(), this.delay);
    this.delay = Math.min(RETRY.most, 1.6 * this.delay);
  }
}
