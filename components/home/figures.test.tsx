import { cleanup, render, screen } from "@testing-library/react";
import { afterEach, expect, it } from "vitest";
import { Figures } from "./figures.tsx";

afterEach(cleanup);

it("says how many there are in the last 24 h, and 10,000+ where the gateway counted no further", () => {
  const figure = { href: "/predictions" };
  render(
    <Figures
      figures={[
        { ...figure, label: "Succeeded", count: { count: 10_000, more: true } },
        { ...figure, label: "Failed", count: { count: 1234, more: false } },
      ]}
    />,
  );
  expect(screen.getAllByRole("link").map(({ textContent }) => textContent)).toEqual([
    "10,000+Succeeded last 24 h",
    "1,234Failed last 24 h",
  ]);
});
