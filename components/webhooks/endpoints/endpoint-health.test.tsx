import { render } from "@testing-library/react";
import { expect, it } from "vitest";
import { HealthChart } from "./endpoint-health.tsx";

it("names every sixth hour below the chart", () => {
  const hourly = Array.from({ length: 24 }, (_, hour) => ({
    at: new Date(Date.UTC(2026, 10, 28, 3 + hour)).toISOString(),
    delivered: hour,
    failed: 0,
  }));
  const { container } = render(<HealthChart hourly={hourly} />);
  const hours = container.querySelector("[aria-hidden]")?.children ?? [];
  expect(Array.from(hours, ({ textContent }) => textContent)).toEqual([
    "03:00",
    "09:00",
    "15:00",
    "21:00now",
  ]);
});
