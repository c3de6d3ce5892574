import { cleanup, render, screen } from "@testing-library/react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { Crash } from "./crash.tsx";

const reload = vi.fn();
const gone = Object.assign(new Error("Failed to load chunk /_next/static/a.js"), { name: "ChunkLoadError" });

beforeEach(() => {
  sessionStorage.clear();
  reload.mockReset();
  vi.spyOn(window.location, "reload").mockImplementation(reload);
  vi.spyOn(console, "error").mockImplementation(() => {});
});
afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
});

it("reloads the page automatically when its scripts no longer exist, but only once", () => {
  render(<Crash error={gone} retry={() => {}} />);
  expect(reload).toHaveBeenCalledTimes(1);
  cleanup();
  render(<Crash error={gone} retry={() => {}} />);
  expect(reload).toHaveBeenCalledTimes(1);
  expect(screen.getByRole("button", { name: "Reload" })).toBeTruthy();
});

it("waits for the connection before it reloads", () => {
  vi.spyOn(navigator, "onLine", "get").mockReturnValue(false);
  render(<Crash error={gone} retry={() => {}} />);
  expect(reload).not.toHaveBeenCalled();
  window.dispatchEvent(new Event("online"));
  expect(reload).toHaveBeenCalledTimes(1);
});

it("offers another try for any other error, and shows its digest", () => {
  const retry = vi.fn();
  render(<Crash error={Object.assign(new Error("boom"), { digest: "123@E1" })} retry={retry} />);
  expect(reload).not.toHaveBeenCalled();
  expect(screen.getByText("123@E1")).toBeTruthy();
  screen.getByRole("button", { name: "Try again" }).click();
  expect(retry).toHaveBeenCalledOnce();
});
