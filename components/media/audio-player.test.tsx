import { act, cleanup, render, screen, waitFor } from "@testing-library/react";
import { afterEach, expect, it, vi } from "vitest";
import { AudioPlayer } from "./audio-player.tsx";

const surfer = vi.hoisted(() => ({ listeners: new Map<string, (seconds: number) => void>() }));
vi.mock("wavesurfer.js", () => ({
  default: {
    create: () => ({
      on: (event: string, listener: (seconds: number) => void) => surfer.listeners.set(event, listener),
      destroy: () => {},
    }),
  },
}));

afterEach(() => {
  cleanup();
  surfer.listeners.clear();
  vi.restoreAllMocks();
});

function reportedLength(seconds: number) {
  vi.spyOn(HTMLMediaElement.prototype, "duration", "get").mockReturnValue(seconds);
}

it("shows the length of a file that loaded before the player was ready", () => {
  reportedLength(3.9);
  render(<AudioPlayer src="blob:speech" title="Speech" />);
  expect(screen.getByText("0:00.0 / 0:03.9")).toBeTruthy();
  expect(screen.getByRole("slider").hasAttribute("disabled")).toBe(false);
});

it("computes the length from the samples if the file does not state it", async () => {
  reportedLength(Number.POSITIVE_INFINITY);
  render(<AudioPlayer src="blob:speech" title="Speech" />);
  await waitFor(() => expect(surfer.listeners.has("ready")).toBe(true));
  act(() => surfer.listeners.get("ready")?.(3.9));
  expect(screen.getByText("0:00.0 / 0:03.9")).toBeTruthy();
});
