import { render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test } from "vitest";
import type { BatchResume } from "#contract/batches.ts";
import { ResumeDialog } from "./resume-dialog.tsx";

const budget = (amount: string, hard: boolean) => ({
  ...{ amount, currency: "USD", period: "total" as const, hard },
  ...{ spent: "2.00", reserved: "0", left: "0", resets_at: null },
});

const resumeAt = async (amount: string): Promise<BatchResume[]> => {
  const sent: BatchResume[] = [];
  const { unmount } = render(
    <ResumeDialog
      batch={{ budgets: [budget("2", true), budget("1", false)] }}
      busy={false}
      onResume={(body) => sent.push(body)}
      onClose={() => {}}
    />,
  );
  const field = screen.getByLabelText("Budget");
  await userEvent.clear(field);
  await userEvent.type(field, `${amount}{Enter}`);
  unmount();
  return sent;
};

test("a batch continues under another budget, and the page still shows its notice", async () => {
  const notice = { amount: "1", currency: "USD", period: "total", hard: false };
  expect(await resumeAt("5")).toEqual([{ budgets: [notice, { amount: "5", period: "total", hard: true }] }]);
  expect(await resumeAt(" ")).toEqual([{ budgets: [notice] }]);
});

test("an unchanged budget is not sent, and an invalid amount stays in the form", async () => {
  expect(await resumeAt("2")).toEqual([{}]);
  expect(await resumeAt("lots")).toEqual([]);
});
