import { afterEach, expect, it, vi } from "vitest";
import { copyText } from "./copy-text.ts";

const commandOf = (isAllowed: boolean) => {
  const copied: string[] = [];
  const command = () => {
    const clipboardData = { setData: (_type: string, text: string) => copied.push(text) };
    document.dispatchEvent(Object.assign(new Event("copy"), { clipboardData }));
    return isAllowed;
  };
  Object.defineProperty(document, "execCommand", { configurable: true, value: command });
  return copied;
};

afterEach(() => vi.unstubAllGlobals());

it("copies with the older command when the browser denies clipboard access", async () => {
  const writeText = () => Promise.reject(new DOMException("Write permission denied.", "NotAllowedError"));
  vi.stubGlobal("navigator", { clipboard: { writeText } });
  const copied = commandOf(true);
  await copyText("a key");
  expect(copied).toEqual(["a key"]);
});

it("copies once, with clipboard access as well as over plain http", async () => {
  const written: string[] = [];
  const copied = commandOf(true);
  vi.stubGlobal("navigator", { clipboard: { writeText: async (text: string) => written.push(text) } });
  await copyText("https");
  vi.stubGlobal("navigator", {});
  await copyText("http");
  expect([written, copied]).toEqual([["https"], ["http"]]);
});

it("rejects when the browser allows neither way of copying", async () => {
  vi.stubGlobal("navigator", {});
  commandOf(false);
  await expect(copyText("a key")).rejects.toThrow("does not allow copying");
});
