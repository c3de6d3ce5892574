import { cleanup, render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { LinkDialog } from "./invite-dialog.tsx";

beforeEach(() => {
  HTMLDialogElement.prototype.showModal = function showModal() {
    this.open = true;
  };
  HTMLDialogElement.prototype.close = function close() {
    this.open = false;
  };
});
afterEach(cleanup);

test("one Escape shows a question before the link is lost, and closes at once after the link was copied", async () => {
  const onClose = vi.fn();
  const link = { title: "Send them this link", url: "https://example.com/invite#x", onClose };
  render(
    <LinkDialog {...link} expiresAt="2026-12-01T00:00:00.000Z">
      Only for Grace.
    </LinkDialog>,
  );
  const user = userEvent.setup();
  await user.click(screen.getByRole("textbox", { name: /Link/ }));
  await user.keyboard("{Escape}");
  expect(onClose).not.toHaveBeenCalled();
  await screen.findByRole("alert");
  await user.click(screen.getByRole("button", { name: "Copy link" }));
  await screen.findByText("Copied to the clipboard");
  await user.keyboard("{Escape}");
  expect(onClose).toHaveBeenCalledOnce();
});
