import { cleanup, render, screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it, onTestFinished, vi } from "vitest";
import { act } from "@/lib/gateway/act";
import { localFailure } from "@/lib/gateway/result";
import { DoctorDialog } from "./doctor-dialog.tsx";

vi.mock("@/lib/gateway/act", () => ({ act: vi.fn() }));

it("shows what is wrong first, with what to do, and checks again", async () => {
  onTestFinished(cleanup);
  vi.mocked(act).mockResolvedValueOnce({
    answer: Promise.resolve({ ok: false, error: localFailure("service_unavailable", "It is away.") }),
  });
  const findings = [
    { check: "Settings", state: "good", found: "Valid.", todo: null },
    { check: "Mail", state: "wrong", found: "mail:25: refused", todo: "Check the SMTP_ settings." },
    { check: "Database", state: "look", found: "PostgreSQL 18.4 is old.", todo: "Update it." },
  ];
  vi.mocked(act).mockResolvedValueOnce({
    answer: Promise.resolve({ ok: true, data: { object: "doctor", findings } }),
  } as never);
  const onClose = vi.fn();
  render(<DoctorDialog onClose={onClose} />);
  expect(await screen.findByText("It is away.")).toBeTruthy();
  await userEvent.click(screen.getByRole("button", { name: "Check again" }));
  expect(await screen.findByText("1 wrong, 1 to look at, 1 good")).toBeTruthy();
  const rows = screen.getAllByRole("listitem").map((row) => row.textContent);
  expect(rows).toEqual([
    "WrongMail: mail:25: refusedCheck the SMTP_ settings.",
    "LookDatabase: PostgreSQL 18.4 is old.Update it.",
    "GoodSettings: Valid.",
  ]);
  await userEvent.click(
    within(screen.getByRole("dialog")).getAllByRole("button", { name: "Close" })[0] as Element,
  );
  expect(onClose).toHaveBeenCalled();
});
