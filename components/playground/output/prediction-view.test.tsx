import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { act, cleanup, render, screen } from "@testing-library/react";
import { afterEach, expect, it, vi } from "vitest";
import type { Prediction } from "#contract/prediction.ts";
import { ToastProvider } from "@/components/ui/toast";
import { newRun, type Run } from "@/lib/browser/runs/run";
import { at, finishedPrediction, samplePrediction, startMs } from "@/lib/timeline/testing/samples";
import { PredictionView } from "./run-output-view.tsx";
import { useRunPrediction } from "./use-run-prediction.ts";

vi.mock("next/navigation", () => ({ useRouter: () => ({ push: vi.fn() }) }));

afterEach(() => {
  cleanup();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const run: Run = { ...newRun("op", {}), output: { kind: "prediction", id: samplePrediction().id } };
const Followed = () => <PredictionView {...useRunPrediction(run)} />;

it("announces to screen readers how the run ended", async () => {
  vi.useFakeTimers({ now: startMs + 3000 });
  const polls = vi.fn<() => Prediction>(() => samplePrediction({ status: "processing", started_at: at(1) }));
  vi.stubGlobal("fetch", async () => Response.json(polls()));
  render(
    <QueryClientProvider client={new QueryClient()}>
      <ToastProvider>
        <Followed />
      </ToastProvider>
    </QueryClientProvider>,
  );
  await act(() => vi.advanceTimersByTimeAsync(2500));
  expect(screen.getByText("Prediction status: Processing").getAttribute("role")).toBe("status");
  polls.mockImplementation(() => finishedPrediction());
  await act(() => vi.advanceTimersByTimeAsync(2500));
  expect(screen.getByText("Prediction finished: Succeeded").getAttribute("role")).toBe("status");
});
