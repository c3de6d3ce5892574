import { act, cleanup, render, screen, within } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import {
  at,
  finishedPrediction,
  sampleAttempt,
  sampleDelivery,
  samplePrediction,
  startMs,
} from "@/lib/timeline/testing/samples";
import { PredictionTimeline } from "./prediction-timeline.tsx";

const msAt = (seconds: number) => startMs + seconds * 1000;

function rows(): string[] {
  const list = screen.getByRole("list", { name: "Timeline of this prediction" });
  return [...list.children].map((row) => row.querySelector("summary")?.textContent ?? "");
}

describe("the timeline of a prediction", () => {
  beforeEach(() => vi.useFakeTimers({ now: msAt(3) }));
  afterEach(() => {
    cleanup();
    vi.useRealTimers();
  });

  it("is a list in order of time for screen readers", () => {
    render(<PredictionTimeline prediction={finishedPrediction()} deliveries={[]} initialNowMs={msAt(20)} />);
    const names = ["Accepted", "Queue", "Run", "Outputs stored", "Succeeded", "Event emitted", "Removal"];
    expect(rows().map((text, index) => text.startsWith(names[index] ?? "?"))).toEqual(names.map(() => true));
  });

  it("describes every attempt and wait of a delivery in words", () => {
    const delivery = sampleDelivery({
      status: "failed",
      attempts: 2,
      next_attempt_at: at(300),
      attempt_log: [sampleAttempt(1, 12), sampleAttempt(2, 52.08)],
    });
    render(
      <PredictionTimeline
        prediction={finishedPrediction()}
        deliveries={[delivery]}
        initialNowMs={msAt(60)}
      />,
    );
    const row = rows().find((text) => text.startsWith("hooks.example.com"));
    expect(row).toContain("503 took 80 ms");
    expect(row).toContain("waits 40 s");
  });

  it("counts up while the prediction runs, and stops when it has ended", () => {
    const { rerender } = render(
      <PredictionTimeline prediction={samplePrediction()} deliveries={[]} initialNowMs={msAt(3)} />,
    );
    expect(rows()[1]).toContain("3 s");
    act(() => void vi.advanceTimersByTime(4000));
    expect(rows()[1]).toContain("7 s");
    rerender(<PredictionTimeline prediction={finishedPrediction()} deliveries={[]} initialNowMs={msAt(3)} />);
    const before = rows()[2];
    act(() => void vi.advanceTimersByTime(9000));
    expect(rows()[2]).toBe(before);
  });

  it("opens a phase to show its facts", () => {
    render(<PredictionTimeline prediction={finishedPrediction()} deliveries={[]} initialNowMs={msAt(20)} />);
    const list = screen.getByRole("list", { name: "Timeline of this prediction" });
    const accepted = list.firstElementChild as HTMLElement;
    expect(within(accepted).getByText("svc/vid-t2v")).toBeTruthy();
    expect(within(accepted).getByText("req_1")).toBeTruthy();
  });
});
