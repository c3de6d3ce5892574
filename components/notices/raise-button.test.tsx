import { render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test, vi } from "vitest";
import { ToastProvider } from "@/components/ui/toast";
import { RaiseButton } from "./raise-button.tsx";

const { act } = vi.hoisted(() => ({ act: vi.fn() }));
vi.mock("@/lib/gateway/act", () => ({ act }));

test("the button of a refused task sends the limits that the notice names, and shows the new limits", async () => {
  const data = { value: "night run", amount: "4", currency: "USD", max_runs: null };
  act.mockResolvedValue({ answer: Promise.resolve({ ok: true, data }) });
  render(
    <ToastProvider>
      <RaiseButton raise={{ task_id: "task_1", amount: "4", max_runs: null }} title="Agent was refused" />
    </ToastProvider>,
  );
  await userEvent.click(screen.getByRole("button", { name: "Double the cap: Agent was refused" }));
  expect(act).toHaveBeenCalledExactlyOnceWith("POST /tasks/{id}/raise", {
    params: { id: "task_1" },
    body: { amount: "4" },
  });
  await screen.findByText("The task “night run” may continue, up to 4.00 USD.");
});
