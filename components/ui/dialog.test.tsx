import { cleanup, fireEvent, render, screen, within } from "@testing-library/react";
import { afterEach, expect, it, vi } from "vitest";
import { localFailure } from "@/lib/gateway/result";
import { ConfirmDialog, Dialog } from "./dialog.tsx";

afterEach(cleanup);

it("closes by Esc and by its button", () => {
  const onOpenChange = vi.fn();
  render(
    <Dialog open onOpenChange={onOpenChange} title="Filters">
      <p>body</p>
    </Dialog>,
  );
  fireEvent.keyDown(screen.getByText("body"), { key: "Escape" });
  fireEvent.click(screen.getByRole("button", { name: "Close" }));
  expect(onOpenChange.mock.calls).toEqual([[false], [false]]);
});

it("stays open when its content must not be lost, and reports the attempt to close it", () => {
  const onOpenChange = vi.fn();
  const onDismissAttempt = vi.fn();
  render(
    <Dialog
      open
      onOpenChange={onOpenChange}
      title="Secret"
      dismissible={false}
      onDismissAttempt={onDismissAttempt}
    >
      <p>whsec_…</p>
    </Dialog>,
  );
  const dialog = screen.getByRole("dialog");
  fireEvent.keyDown(screen.getByText("whsec_…"), { key: "Escape" });
  fireEvent.mouseDown(dialog);
  fireEvent(dialog, new Event("cancel", { cancelable: true }));
  expect(onOpenChange).not.toHaveBeenCalled();
  expect(onDismissAttempt).toHaveBeenCalledTimes(3);
  expect(screen.queryByRole("button", { name: "Close" })).toBeNull();
});

it("puts the focus on the main control of the dialog", () => {
  render(
    <Dialog open onOpenChange={() => {}} title="Rename">
      <input aria-label="Name" />
    </Dialog>,
  );
  expect(document.activeElement).toBe(screen.getByLabelText("Name"));
});

it("removes its content from the page after it closes", () => {
  const { rerender } = render(
    <Dialog open onOpenChange={() => {}} title="Secret">
      whsec_1
    </Dialog>,
  );
  rerender(
    <Dialog open={false} onOpenChange={() => {}} title="Secret">
      whsec_1
    </Dialog>,
  );
  expect(document.body.textContent).not.toContain("whsec_1");
});

it("shows inside itself why an action failed", async () => {
  const failure = localFailure("offline", "No connection.");
  render(
    <ConfirmDialog
      open
      onOpenChange={() => {}}
      title="Revoke?"
      body="…"
      confirmLabel="Revoke key"
      onConfirm={() => {}}
      failure={failure}
    />,
  );
  const alert = await within(screen.getByRole("dialog")).findByRole("alert");
  expect(alert.textContent).toContain("You are offline");
});

it("does not confirm twice while it is busy", () => {
  const onConfirm = vi.fn();
  render(
    <ConfirmDialog
      open
      onOpenChange={() => {}}
      title="Delete?"
      body="…"
      confirmLabel="Delete endpoint"
      onConfirm={onConfirm}
      busy
    />,
  );
  fireEvent.click(screen.getByRole("button", { name: "Delete endpoint" }));
  expect(onConfirm).not.toHaveBeenCalled();
});
