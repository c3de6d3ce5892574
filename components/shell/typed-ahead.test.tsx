import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { keepTypedAhead } from "./typed-ahead.ts";

const press = (key: string, more: KeyboardEventInit = {}) =>
  document.body.dispatchEvent(
    new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true, ...more }),
  );
const open = () => press("k", { ctrlKey: true });
const type = (text: string) => [...text].map((key) => press(key));

beforeEach(() => {
  delete window.typedAhead;
  // As in the page's HTML: from its source, without the modules around it.
  new Function(`(${keepTypedAhead})()`)();
});

// Its listener stays, so it must not take the keys of the next test.
afterEach(() => {
  const keys = keepTypedAhead();
  keys.stop();
  keys.onEscape = () => {};
});

it("keeps what is typed after Ctrl K, before the page works, and shows it", () => {
  type("a");
  expect(open()).toBe(false);
  expect(type("kez")).toEqual([false, false, false]);
  press("Backspace");
  press("y");
  expect(document.documentElement.dataset.typed).toBe("key");
  const keys = keepTypedAhead();
  expect(keys.isOn).toBe(true);
  expect(keys.take()).toBe("key");
  expect(document.documentElement.dataset.typed).toBeUndefined();
  // The palette's own field now gets the keys.
  expect(press("s")).toBe(true);
});

it("forgets everything after Esc", () => {
  open();
  type("key");
  press("Escape");
  expect(press("x")).toBe(true);
  expect(keepTypedAhead().take()).toBe("");
});

it("leaves Ctrl K to the shell when there is one, and tells it about Esc", () => {
  const keys = keepTypedAhead();
  keys.onEscape = vi.fn();
  expect(open()).toBe(true);
  expect(keys.isOn).toBe(false);
  keys.start();
  type("a");
  press("Escape");
  expect(keys.onEscape).toHaveBeenCalledOnce();
});
