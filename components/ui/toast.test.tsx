import { cleanup, render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, expect, it } from "vitest";
import { ToastProvider, useToast } from "./toast.tsx";

afterEach(cleanup);

function Page() {
  const { toast } = useToast();
  return (
    <>
      <h1>Uploads</h1>
      <button type="button" onClick={() => toast({ title: "Gone", action: { label: "Undo", onClick() {} } })}>
        Delete
      </button>
    </>
  );
}

it("returns the focus when its button has closed it", async () => {
  const user = userEvent.setup();
  render(
    <ToastProvider>
      <Page />
    </ToastProvider>,
  );
  const button = screen.getByRole("button", { name: "Delete" });
  await user.click(button);
  await user.tab();
  expect(document.activeElement).toBe(screen.getByRole("button", { name: "Undo" }));
  await user.keyboard("{Enter}");
  expect(screen.queryByRole("button", { name: "Undo" })).toBeNull();
  expect(document.activeElement).toBe(button);
});
