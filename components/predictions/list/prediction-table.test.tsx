import { act, cleanup, render, screen } from "@testing-library/react";
import { hydrateRoot } from "react-dom/client";
import { renderToString } from "react-dom/server";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { Prediction } from "#contract/prediction.ts";
import { finishedPrediction, samplePrediction, startMs } from "@/lib/timeline/testing/samples";
import { PredictionTable } from "./prediction-table.tsx";

vi.mock("next/navigation", () => ({ useRouter: () => ({ push: vi.fn() }), usePathname: () => "/" }));

beforeEach(() => void vi.useFakeTimers({ now: startMs + 5_000 }));
afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

const table = (prediction: Prediction) => <PredictionTable predictions={[prediction]} search="" />;

it.each(["paused", "processing"])(
  "is rendered the same in the browser as on the server: %s",
  async (status) => {
    const wrong = vi.fn();
    const page = table(samplePrediction({ status }));
    const container = document.body.appendChild(document.createElement("div"));
    container.innerHTML = renderToString(page);
    vi.setSystemTime(startMs + 8_000);
    const root = await act(() => hydrateRoot(container, page, { onRecoverableError: wrong }));
    expect(wrong).not.toHaveBeenCalled();
    act(() => root.unmount());
    container.remove();
  },
);

it("names a row by the first words of its prompt, or by its id when they were removed", () => {
  const { rerender } = render(table(finishedPrediction()));
  expect(screen.getByRole("link", { name: "a lighthouse" })).toBeTruthy();
  rerender(table(finishedPrediction({ input: null, data_removed: true })));
  expect(screen.getByRole("link", { name: "pred_01jd…000001" })).toBeTruthy();
});

it("shows the preview of the output, never the file itself", () => {
  const file = {
    url: "http://g/1.png",
    preview_url: "http://g/1.webp",
    gated: null,
    content_type: "image/png",
    size_bytes: 9,
    width: 8,
    height: 8,
  };
  const { container } = render(table(finishedPrediction({ data: [{ ...file, duration: null }] })));
  expect(container.querySelector("img")?.getAttribute("src")).toBe("http://g/1.webp");
});
