import { cleanup, render, screen } from "@testing-library/react";
import { afterEach, expect, it } from "vitest";
import { VoicesView } from "./data-views.tsx";

afterEach(cleanup);

it("shows each voice with its name, its facts in words and a button to copy it", () => {
  const voice = {
    voice: "sandbox-voice-evening-fsp9m1edbq",
    target_model: "svc/tts-a-2",
    status: "ready",
    created_at: "2026-11-29T02:51:32.939Z",
    sandbox: true,
  };
  render(<VoicesView action="list" data={{ voices: [voice] }} />);
  const item = screen.getByRole("listitem");
  expect(item.textContent).toMatch(
    /^sandbox-voice-evening-fsp9m1edbq.*Target model svc\/tts-a-2Status ready/,
  );
  expect(item.textContent).not.toMatch(/T02:51|Sandbox/);
  expect(item.querySelector("time")?.dateTime).toBe(voice.created_at);
  expect(screen.getByRole("button", { name: `Copy voice ${voice.voice}` })).toBeTruthy();
});

it("shows an answer without voices as JSON", () => {
  render(<VoicesView action="delete" data={{ deleted: true }} />);
  expect(screen.getByText(/deleted/)).toBeTruthy();
});
