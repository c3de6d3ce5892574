import { cleanup, render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { SecretDialog } from "./secret-dialog.tsx";

const secret = "whsec_c2VjcmV0LXNlY3JldC1zZWNyZXQtc2VjcmV0LTEyMzQ=";

function open(onDone = vi.fn()) {
  render(<SecretDialog secret={secret} name="signing secret" envName="WEBHOOK_SECRET" onDone={onDone} />);
  return onDone;
}

beforeEach(() => {
  window.history.replaceState(null, "");
  // The test window's history has one entry, so going back is simulated.
  vi.spyOn(window.history, "back").mockImplementation(() => {
    window.history.replaceState(null, "");
    window.dispatchEvent(new PopStateEvent("popstate"));
  });
});
afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
});

it("keeps the secret out of the page until the user reveals it", async () => {
  open();
  expect(document.body.innerHTML).not.toContain(secret);
  await userEvent.click(screen.getByRole("button", { name: "Reveal" }));
  expect(screen.getByText(secret)).toBeTruthy();
  await userEvent.click(screen.getByRole("button", { name: "Hide" }));
  expect(document.body.innerHTML).not.toContain(secret);
});

it("copies the secret and confirms it", async () => {
  const user = userEvent.setup();
  open();
  await user.click(screen.getByRole("button", { name: "Copy the signing secret" }));
  expect(await navigator.clipboard.readText()).toBe(secret);
  expect(screen.getByText(/Copied to the clipboard/)).toBeTruthy();
});

it("can be finished only after the box was ticked", async () => {
  const onDone = open();
  const done = screen.getByRole<HTMLButtonElement>("button", { name: "Done" });
  expect(done.disabled).toBe(true);
  await userEvent.click(screen.getByRole("checkbox"));
  expect(done.disabled).toBe(false);
  await userEvent.click(done);
  await vi.waitFor(() => expect(onDone).toHaveBeenCalledTimes(1));
});

it("asks before Esc closes it, and stays open when the user declines", async () => {
  const onDone = open();
  await userEvent.keyboard("{Escape}");
  await userEvent.click(await screen.findByRole("button", { name: "Go back" }));
  expect(screen.getByRole("button", { name: "Done" })).toBeTruthy();
  expect(onDone).not.toHaveBeenCalled();
});

it("also closes by Esc when the box is ticked", async () => {
  const onDone = open();
  await userEvent.keyboard("{Escape}");
  await screen.findByRole("button", { name: "Go back" });
  await userEvent.click(screen.getByRole("checkbox"));
  await userEvent.click(screen.getByRole("button", { name: "Done" }));
  await vi.waitFor(() => expect(onDone).toHaveBeenCalledTimes(1));
});

it("makes the browser confirm a reload, and never puts the secret into the address", () => {
  open();
  const event = new Event("beforeunload", { cancelable: true });
  window.dispatchEvent(event);
  expect(event.defaultPrevented).toBe(true);
  expect(`${window.location.href}${JSON.stringify(window.history.state)}`).not.toContain("whsec");
});

it("asks when the user presses Back, and leaves only after a confirmation", async () => {
  const onDone = open();
  window.history.back();
  const leave = await screen.findByRole("button", { name: "Close without saving" });
  expect(onDone).not.toHaveBeenCalled();
  await userEvent.click(leave);
  await vi.waitFor(() => expect(onDone).toHaveBeenCalledTimes(1));
});
