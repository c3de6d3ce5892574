import { describe, expect, it } from "vitest";
import type { Output } from "#contract/outputs.ts";
import { english } from "../../scripts/testing/english.ts";
import { predictionRows } from "./prediction-rows.ts";
import { isOpen, type RowKind, type TimelineRow, workMs } from "./row.ts";
import { at, finishedPrediction, sampleDelivery, samplePrediction, startMs } from "./testing/samples.ts";

const words = { t: english("predictions"), webhooks: english("webhooks") };

function find(rows: TimelineRow[], kind: RowKind): TimelineRow {
  const row = rows.find((candidate) => candidate.kind === kind);
  if (!row) throw new Error(`no ${kind} row in ${rows.map(({ kind }) => kind).join(", ")}`);
  return row;
}

const msAt = (seconds: number) => startMs + seconds * 1000;

describe("a prediction that has just been accepted", () => {
  it("waits in the queue, and the wait grows with the clock", () => {
    const early = find(predictionRows(words, samplePrediction(), [], msAt(3)), "queue");
    const late = find(predictionRows(words, samplePrediction(), [], msAt(9)), "queue");
    expect(early.label).toBe("Queued");
    expect([workMs(early), workMs(late)]).toEqual([3000, 9000]);
    expect(isOpen(late)).toBe(true);
  });

  it("has no run, end or removal yet", () => {
    const kinds = predictionRows(words, samplePrediction(), [], msAt(3)).map((row) => row.kind);
    expect(kinds).toEqual(["accepted", "queue"]);
  });

  it("never gets a negative length when the browser's clock is slow", () => {
    expect(workMs(find(predictionRows(words, samplePrediction(), [], msAt(-5)), "queue"))).toBe(0);
  });
});

describe("a running prediction", () => {
  const running = samplePrediction({
    status: "processing",
    started_at: at(2),
    progress: 40,
    timeline: [
      { at: at(0), event: "accepted", detail: null },
      { at: at(2), event: "started", detail: null },
      { at: at(3), event: "provider_accepted", detail: null },
    ],
  });

  it("has a closed queue and an open run", () => {
    const rows = predictionRows(words, running, [], msAt(8));
    expect(workMs(find(rows, "queue"))).toBe(2000);
    expect(isOpen(find(rows, "queue"))).toBe(false);
    expect(find(rows, "run").label).toBe("Running");
    expect(workMs(find(rows, "run"))).toBe(6000);
  });

  it("shows its progress and when the provider accepted it", () => {
    const run = find(predictionRows(words, running, [], msAt(8)), "run");
    expect(run.facts).toContainEqual({ label: "Progress", value: "40 %", form: "text" });
    expect(run.segments.filter((segment) => segment.kind === "moment").map((s) => s.startMs)).toEqual([
      msAt(3),
    ]);
  });

  it("is read from started_at only when the gateway sends no events", () => {
    const rows = predictionRows(words, { ...running, timeline: [] }, [], msAt(8));
    expect(rows.map((row) => row.kind)).toEqual(["accepted", "queue", "run"]);
    expect(workMs(find(rows, "run"))).toBe(6000);
  });
});

describe("a finished prediction", () => {
  it("has its phases in order, the removal last", () => {
    const rows = predictionRows(words, finishedPrediction(), [sampleDelivery()], msAt(20));
    expect(rows.map((row) => row.kind)).toEqual([
      "accepted",
      "queue",
      "run",
      "outputs",
      "terminal",
      "event",
      "delivery",
      "removal",
    ]);
    expect(rows.filter(isOpen).map((row) => row.kind)).toEqual(["delivery", "removal"]);
  });

  it("measures queue and run separately, independent of the current time", () => {
    const rows = predictionRows(words, finishedPrediction(), [], msAt(5000));
    expect([workMs(find(rows, "queue")), workMs(find(rows, "run"))]).toEqual([2000, 10_000]);
  });

  it("shows the planned removal, and later that it happened", () => {
    const planned = find(predictionRows(words, finishedPrediction(), [], msAt(20)), "removal");
    expect([planned.label, planned.segments[0]?.endMs]).toEqual(["Removal", msAt(12 + 86_400)]);
    const removed = finishedPrediction({ data_removed: true });
    removed.timeline.push({ at: at(86_500), event: "data_removed", detail: null });
    const row = find(predictionRows(words, removed, [], msAt(90_000)), "removal");
    expect([row.label, row.tone, isOpen(row)]).toEqual(["Input and outputs removed", "gone", false]);
    expect(row.segments[0]?.endMs).toBe(msAt(86_500));
  });

  it("says until when outputs stay in the library, while the run's other files are removed", () => {
    const facts = (...kept: { kept_until: string | null }[]) => {
      const row = find(
        predictionRows(words, finishedPrediction(), [], msAt(20), kept as Output[]),
        "removal",
      );
      return [row.label, row.facts.find(({ label }) => label === "In the library until")?.value];
    };
    expect(facts()).toEqual(["Removal", undefined]);
    expect(facts({ kept_until: null })).toEqual(["Removal of other files", "somebody removes it"]);
    const until = at(9 * 86_400);
    expect(facts({ kept_until: null }, { kept_until: until })).toEqual(["Removal of other files", until]);
  });

  it("joins several stored outputs into one segment", () => {
    const many = finishedPrediction();
    many.timeline.splice(4, 0, { at: at(10), event: "output_stored", detail: null });
    const outputs = find(predictionRows(words, many, [], msAt(20)), "outputs");
    expect(workMs(outputs)).toBe(1500);
  });

  it("is shown without missing events, metrics and times", () => {
    const bare = finishedPrediction({ timeline: [], expires_at: null, request_id: null });
    const rows = predictionRows(words, bare, [], msAt(20));
    expect(rows.map((row) => row.kind)).toEqual(["accepted", "queue", "run", "terminal"]);
  });
});

describe("a prediction that did not succeed", () => {
  it("shows code and message of a failure", () => {
    const failed = finishedPrediction({
      status: "failed",
      error: { code: "upstream_timeout", message: "No answer.", type: "upstream_error" },
      timeline: [{ at: at(0), event: "accepted", detail: null }],
    });
    const row = find(predictionRows(words, failed, [], msAt(20)), "terminal");
    expect([row.label, row.tone]).toEqual(["Failed", "bad"]);
    expect(row.facts).toContainEqual({ label: "Error", value: "upstream_timeout", form: "code" });
  });

  it("closes the queue when it was canceled before it ran", () => {
    const canceled = samplePrediction({ status: "canceled", completed_at: at(4) });
    const rows = predictionRows(words, canceled, [], msAt(100));
    expect(rows.map((row) => row.kind)).toEqual(["accepted", "queue", "terminal"]);
    expect(workMs(find(rows, "queue"))).toBe(4000);
  });
});

describe("unexpected data", () => {
  it("says what guards answered about the input and the output", () => {
    const answered = (stage: string, result: string, seconds: number) => ({
      ...{ at: at(seconds), event: "guard_answered", detail: { of: "account", stage, result } },
    });
    const checked = finishedPrediction();
    checked.timeline.push(answered("input", "allowed", 0), answered("output", "blocked", 9));
    const rows = predictionRows(words, checked, [], msAt(20)).filter(({ id }) => id.startsWith("guard"));
    expect(rows.map(({ label, tone }) => [label, tone])).toEqual([
      ["Guard allowed the input", "good"],
      ["Guard blocked the output", "bad"],
    ]);
  });

  it("shows a guard's answer before what follows from it in the same moment", () => {
    const checked = finishedPrediction();
    const answer = { of: "account", stage: "output", result: "allowed" };
    checked.timeline.push({ at: at(12), event: "guard_answered", detail: answer });
    const labels = predictionRows(words, checked, [], msAt(20)).map(({ label }) => label);
    expect(labels).toEqual(
      expect.arrayContaining(["Guard allowed the output", "Succeeded", "Event emitted"]),
    );
    expect(labels.indexOf("Guard allowed the output")).toBe(labels.indexOf("Succeeded") - 1);
    expect(labels.indexOf("Event emitted")).toBe(labels.indexOf("Succeeded") + 1);
  });

  it("gives an unknown event its own row with its raw name and detail", () => {
    const odd = finishedPrediction();
    odd.timeline.splice(3, 0, {
      at: at(3),
      event: "watermark_applied",
      detail: { strength: 3, wait_ms: 250 },
    });
    const row = find(predictionRows(words, odd, [], msAt(20)), "other");
    expect(row.label).toBe("watermark applied");
    expect(row.facts).toContainEqual({ label: "strength", value: "3", form: "text" });
    expect(row.facts).toContainEqual({ label: "wait", value: 250, form: "duration" });
  });

  it("shows an unknown status without an end row", () => {
    const rows = predictionRows(words, samplePrediction({ status: "paused" }), [], msAt(3));
    expect(rows.map((row) => row.kind)).toEqual(["accepted", "queue"]);
  });

  it("drops an event with an unreadable time", () => {
    const broken = samplePrediction({ timeline: [{ at: "soon", event: "started", detail: null }] });
    expect(predictionRows(words, broken, [], msAt(3)).map((row) => row.kind)).toEqual(["accepted", "queue"]);
  });

  it("shows a resumed job as two runs", () => {
    const resumed = finishedPrediction();
    resumed.timeline.splice(
      4,
      0,
      { at: at(5), event: "queued", detail: { reason: "worker lost" } },
      { at: at(7), event: "started", detail: null },
    );
    const rows = predictionRows(words, resumed, [], msAt(20));
    expect([workMs(find(rows, "queue")), workMs(find(rows, "run"))]).toEqual([4000, 8000]);
  });
});
