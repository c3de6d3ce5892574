import { cleanup, render, screen } from "@testing-library/react";
import { afterEach, expect, it, vi } from "vitest";
import type { FirstSteps as Done } from "#contract/summary.ts";
import { FirstSteps } from "./first-steps.tsx";

vi.mock("next/navigation", () => ({ usePathname: () => "/" }));

const none: Done = {
  ran_model: false,
  created_key: false,
  used_key: false,
  added_endpoint: false,
  received_event: false,
};
const show = (done: Partial<Done>) => render(<FirstSteps done={{ ...none, ...done }} command="curl" />);

afterEach(cleanup);

it("marks completed steps, and shows the first call until a key was used", async () => {
  show({ ran_model: true, created_key: true });
  expect((await screen.findByText(/ done$/)).textContent).toBe("2 of 5 done");
  expect(screen.getAllByText("(done)")).toHaveLength(2);
  expect(screen.getByText("curl")).toBeTruthy();
  cleanup();
  show({ ran_model: true, created_key: true, used_key: true });
  await screen.findByText("3 of 5 done");
  expect(screen.queryByText("curl")).toBeNull();
});

it("disappears when all steps are completed", () => {
  const all = Object.fromEntries(Object.keys(none).map((name) => [name, true]));
  expect(show(all).container.innerHTML).toBe("");
});
