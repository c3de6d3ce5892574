import { cleanup, render, screen } from "@testing-library/react";
import { afterEach, expect, it } from "vitest";
import { Figures } from "./figures.tsx";

afterEach(cleanup);

it("shows the count of the last 24 hours, and 10,000+ when the gateway counted no further", () => {
  const figure = { href: "/predictions" };
  const figures = [
    { ...figure, label: "Succeeded", count: { count: 10_000, more: true } },
    { ...figure, label: "Failed", hint: "without a result", count: { count: 1234, more: false } },
  ];
  render(<Figures groups={[{ title: "Predictions", figures }]} />);
  expect(screen.getByRole("region", { name: "Predictions" }).textContent).toContain("in the last 24 hours");
  expect(screen.getAllByRole("link").map(({ textContent }) => textContent)).toEqual([
    "10,000+ Succeeded",
    "1,234 Failed without a result",
  ]);
});
