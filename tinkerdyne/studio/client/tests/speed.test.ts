import { expect, test } from "vitest";
import { serveBy } from "../src/state/session";
import { status } from "../src/state/store";
import { faster } from "../src/tools/operations";

test("presses of one key add up before the server has said how fast the world runs", () => {
  const asked: unknown[] = [];
  serveBy({
    ask: (command) => {
      asked.push(command);
      return new Promise(() => undefined); // the answer is on its way
    },
  });
  expect(status.value).toBeNull();
  faster(-1);
  faster(-1);
  expect(asked).toEqual([
    { do: "play", speed: 0.5 },
    { do: "play", speed: 0.25 },
  ]);
});
