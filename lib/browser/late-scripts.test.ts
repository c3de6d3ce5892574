import { afterEach, expect, it, vi } from "vitest";
import { isPartWaiting, onPartWaiting } from "./late-scripts.ts";

const chunk = "/_next/static/chunks/part.js";
const answer = vi.fn<() => Promise<Response>>();
vi.stubGlobal("fetch", answer);

/** A script of the bundler that could not be loaded. */
function failScript(src = chunk) {
  const script = document.createElement("script");
  const failed = vi.fn();
  script.onerror = failed;
  script.type = "text/plain";
  script.setAttribute("src", src);
  document.head.append(script);
  script.dispatchEvent(new Event("error"));
  return failed;
}

const added = () => document.head.querySelectorAll<HTMLScriptElement>("script[data-again]");

afterEach(() => {
  document.head.replaceChildren();
  answer.mockReset();
});

it("holds the failure of a late part while nothing can be reached, and loads the part when it can be", async () => {
  const changed = vi.fn();
  onPartWaiting(changed);
  answer.mockRejectedValueOnce(new TypeError("Failed to fetch")).mockResolvedValueOnce(new Response());
  // The test environment cannot load the script.
  answer.mockReturnValue(new Promise(() => {}));
  const failed = failScript();
  await vi.waitFor(() => expect(isPartWaiting()).toBe(true));
  window.dispatchEvent(new Event("online"));
  await vi.waitFor(() => expect(added()).toHaveLength(1));
  expect(added()[0]?.getAttribute("src")).toBe(chunk);
  expect(isPartWaiting()).toBe(false);
  expect(changed).toHaveBeenCalledTimes(2);
  expect(failed).not.toHaveBeenCalled();
});

it("lets a part fail that the console no longer has", async () => {
  answer.mockResolvedValue(new Response(null, { status: 404 }));
  const failed = failScript();
  await vi.waitFor(() => expect(failed).toHaveBeenCalledOnce());
  expect(added()).toHaveLength(0);
});

it("leaves other scripts alone", () => {
  expect(failScript("/other.js")).toHaveBeenCalledOnce();
  expect(answer).not.toHaveBeenCalled();
});
