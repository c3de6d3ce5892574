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

it("copies with the older command where the clipboard's permission is missing", async () => {
  const writeText = () => Promise.reject(new DOMException("Write permission denied.", "NotAllowedError"));
  vi.stubGlobal("navigator", { clipboard: { writeText } });
  const copied = commandOf(true);
  await copyText("a key");
  expect(copied).toEqual(["a key"]);
});

it("copies once where the clipboard may be used, and over plain http", async () => {
  const written: string[] = [];
  const copied = commandOf(true);
  vi.stubGlobal("navigator", { clipboard: { writeText: async (text: string) => written.push(text) } });
  await copyText("https");
  vi.stubGlobal("navigator", {});
  await copyText("http");
  expect([written, copied]).toEqual([["https"], ["http"]]);
});

it("says so when neither may be used", async () => {
  vi.stubGlobal("navigator", {});
  commandOf(false);
  await expect(copyText("a key")).rejects.toThrow("not allowed");
});
