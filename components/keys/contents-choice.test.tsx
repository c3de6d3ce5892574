import { cleanup, render, screen } from "@testing-library/react";
import { afterEach, expect, it } from "vitest";
import { ContentsChoice } from "./contents-choice.tsx";

afterEach(cleanup);

const chosen = () =>
  screen.getByRole<HTMLInputElement>("radio", { checked: true }).closest("label")?.textContent;
const nothing = () => {};

it("offers `on` only where the account keeps contents of chosen keys, to people who manage keys", () => {
  const { rerender } = render(<ContentsChoice rule="all" manages value="inherit" onChange={nothing} />);
  expect(screen.getAllByRole("radio")).toHaveLength(2);
  expect(chosen()).toContain("Kept: owners and admins can read");
  rerender(<ContentsChoice rule="chosen_keys" manages value="on" onChange={nothing} />);
  expect(chosen()).toContain("Keep");
  rerender(<ContentsChoice rule="chosen_keys" manages={false} value="inherit" onChange={nothing} />);
  expect(chosen()).toContain("Not kept");
  expect(screen.getByRole<HTMLInputElement>("radio", { name: /^Keep/ }).disabled).toBe(true);
});
