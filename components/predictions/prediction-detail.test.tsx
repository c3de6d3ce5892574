import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { act, cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { Prediction } from "#contract/prediction.ts";
import { ToastProvider } from "@/components/ui/toast";
import { predictionList } from "@/lib/prediction-lists";
import { at, finishedPrediction, samplePrediction, startMs } from "@/lib/timeline/testing/samples";
import { PredictionDetail } from "./prediction-detail.tsx";

vi.mock("next/navigation", () => ({ useRouter: () => ({ push: vi.fn() }), usePathname: () => "/" }));

const nowMs = startMs + 3000;
const polls = vi.fn<() => Prediction>();
const emptyList = { object: "list", data: [], has_more: false, first_id: null, last_id: null };

/** Elements never scroll into view in this test. */
class UnseenObserver {
  observe() {}
  unobserve() {}
  disconnect() {}
}

/** Elements are in view at once. */
class SeenObserver extends UnseenObserver {
  seen: (entries: { isIntersecting: boolean }[]) => void;
  constructor(seen: SeenObserver["seen"]) {
    super();
    this.seen = seen;
  }
  override observe() {
    this.seen([{ isIntersecting: true }]);
  }
}

/** Whether the window has room for two columns. */
let isWide = true;

function show(prediction: Prediction, tab: string | null = null) {
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  render(
    <QueryClientProvider client={client}>
      <ToastProvider>
        <PredictionDetail
          initial={prediction}
          initialDeliveries={null}
          initialNowMs={nowMs}
          view={predictionList.empty}
          inputTitle="a lighthouse"
          tab={tab}
        />
      </ToastProvider>
    </QueryClientProvider>,
  );
}

describe("the page of a prediction", () => {
  beforeEach(() => {
    vi.useFakeTimers({ now: nowMs });
    polls.mockReset();
    vi.stubGlobal("IntersectionObserver", UnseenObserver);
    isWide = true;
    vi.stubGlobal("matchMedia", () => ({
      matches: isWide,
      addEventListener: () => {},
      removeEventListener: () => {},
    }));
    vi.stubGlobal("fetch", async (url: string) => {
      if (url.includes("/runs/"))
        return Response.json({ error: { code: "run_not_found", message: "No usage." } }, { status: 404 });
      return Response.json(/\/predictions\/pred_/.test(url) ? polls() : emptyList);
    });
  });
  afterEach(() => {
    cleanup();
    vi.useRealTimers();
    vi.unstubAllGlobals();
  });

  it("reads the run until its end, shows the state in the title, and then stops reading", async () => {
    polls.mockImplementation(() => samplePrediction({ status: "processing", started_at: at(1) }));
    show(samplePrediction());
    await act(() => vi.advanceTimersByTimeAsync(2500));
    expect(document.title).toMatch(/^Processing: prediction/);
    polls.mockImplementation(() => finishedPrediction());
    await act(() => vi.advanceTimersByTimeAsync(2500));
    expect(document.title).toMatch(/^Succeeded: prediction/);
    expect(screen.queryByRole("button", { name: "Cancel prediction" })).toBeNull();
    const asked = polls.mock.calls.length;
    await act(() => vi.advanceTimersByTimeAsync(60_000));
    expect(polls.mock.calls.length).toBe(asked);
  });

  const timeline = () => screen.getByRole("list", { name: "Timeline of this prediction" });
  const tabs = () => screen.getAllByRole("tab").map((tab) => tab.textContent);

  it("shows the input under the model's name, and in a wide window the timeline beside the output", () => {
    show(finishedPrediction());
    expect(screen.getByText("a lighthouse")).toBeTruthy();
    expect(tabs()).toEqual(["Output", "Input", "Raw JSON"]);
    const output = screen.getByRole("tabpanel", { name: "Output" });
    expect(output.compareDocumentPosition(timeline())).toBe(Node.DOCUMENT_POSITION_FOLLOWING);
    expect(timeline().closest("[role=tabpanel]")).toBeNull();
  });

  it("has the timeline as a tab in a narrow window, and the open tab in its address", () => {
    isWide = false;
    show(finishedPrediction());
    expect(tabs()).toEqual(["Output", "Timeline", "Input", "Raw JSON"]);
    fireEvent.click(screen.getByRole("tab", { name: "Timeline" }));
    expect(screen.getByRole("tabpanel", { name: "Timeline" }).contains(timeline())).toBe(true);
    expect(window.location.search).toBe("?tab=timeline");
    fireEvent.click(screen.getByRole("tab", { name: "Output" }));
    expect(window.location.search).toBe("");
  });

  it("opens the tab of its address; in a wide window, which has no tab for the timeline, the output", () => {
    show(finishedPrediction(), "raw");
    expect(screen.getByRole("tab", { selected: true }).textContent).toBe("Raw JSON");
    cleanup();
    show(finishedPrediction(), "timeline");
    expect(screen.getByRole("tab", { selected: true }).textContent).toBe("Output");
  });

  it("advises how to fix a failure, with its code", async () => {
    const error = { code: "upstream_timeout", message: "No answer in 30 minutes.", type: "upstream_error" };
    show(finishedPrediction({ status: "failed", error }));
    await act(() => vi.dynamicImportSettled());
    expect(screen.getByText(/shorter duration or a smaller size/)).toBeTruthy();
    expect(screen.getAllByText("upstream_timeout").length).toBeGreaterThan(0);
    expect(screen.getAllByText("No answer in 30 minutes.").length).toBeGreaterThan(0);
  });

  it("keeps the timeline when the files are removed, and the button to run again", () => {
    show(finishedPrediction({ data_removed: true, input: null }));
    expect(screen.getByText("Files removed")).toBeTruthy();
    expect(screen.getByRole("list", { name: "Timeline of this prediction" })).toBeTruthy();
    const again = screen.getByRole("link", { name: "Tweak and run again" });
    expect(again.getAttribute("href")).toBe(
      "/playground/svc/vid-t2v/video-generation?from=pred_01jd0000000000000000000001",
    );
  });

  it("shows an unknown status in its own words, without buttons", () => {
    polls.mockImplementation(() => samplePrediction({ status: "paused" }));
    show(samplePrediction({ status: "paused" }));
    expect(screen.getAllByText("paused").length).toBeGreaterThan(0);
    expect(screen.queryByRole("button", { name: "Cancel prediction" })).toBeNull();
  });

  const file = (n: number) => ({
    url: `http://g/${n}.png`,
    preview_url: null,
    gated: null,
    content_type: "image/png",
    size_bytes: 41_000_000,
    width: 8,
    height: 8,
    duration: null,
  });

  it("offers to download all files while they are stored", async () => {
    vi.stubGlobal("IntersectionObserver", SeenObserver);
    show(finishedPrediction({ data: [file(1), file(2)], api_type: "image-generation" }));
    await act(() => vi.dynamicImportSettled());
    expect(screen.getByRole("button", { name: "Download all (2 files, 82 MB)" })).toBeTruthy();
    expect(screen.getByText(/^Input and outputs are removed in/)).toBeTruthy();
  });

  it.each([
    [[null], /^This output is in the library until somebody removes it\. The run’s input and other files/],
    [
      ["2026-12-01T00:00:00Z", null],
      /^These outputs are in the library, the first until 1 Dec 2026.*\. The run’s input and other files/,
    ],
  ])("says that kept outputs stay, and what is removed: %j", async (untils, words) => {
    vi.stubGlobal("IntersectionObserver", SeenObserver);
    const provenance = { state: "absent", issuer: null, claims: null, sha256: null };
    const kept = untils.map((kept_until, at) => ({
      ...{ id: `out_${at + 1}`, position: at + 1, keepable: true, provenance },
      ...{ kept: { labels: [] }, kept_until },
    }));
    const { fetch } = globalThis;
    vi.stubGlobal("fetch", async (url: string) =>
      url.includes("/outputs?") ? Response.json({ ...emptyList, data: kept }) : fetch(url),
    );
    const data = untils.map((_, at) => file(at + 1));
    show(finishedPrediction({ data, api_type: "image-generation" }));
    await act(() => vi.dynamicImportSettled());
    await vi.waitFor(() =>
      expect(screen.getByText(/ in the/, { selector: "p" }).textContent?.replaceAll(/\s+/g, " ")).toMatch(
        words,
      ),
    );
    expect(screen.getByText("Removal of other files")).toBeTruthy();
  });
});
