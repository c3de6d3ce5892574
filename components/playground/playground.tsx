"use client";

import { LoaderCircle } from "lucide-react";
import dynamic from "next/dynamic";
import type { ApiType } from "#contract/catalog.ts";
import { useWords } from "#words";
import { Tabs } from "@/components/ui/tabs";
import { isPerRequest } from "@/lib/attestations/gates";
import type { Run } from "@/lib/browser/runs/run";
import { confirmationKey } from "@/lib/schema-form/draft";
import type { Words } from "@/messages/words";
import { FilesFromPage } from "./form/media/files-from-page.tsx";
import { InputPane } from "./input-pane.tsx";
import { RunBar } from "./run-bar.tsx";
import {
  PlaygroundContext,
  type PlaygroundProps,
  usePlayground,
  usePlaygroundState,
} from "./use-playground.ts";
import { focusField } from "./use-problems.tsx";

const GateDialog = dynamic(
  () => import("@/components/attestations/gate-dialog").then((module) => module.GateDialog),
  { ssr: false },
);

/** One operation: its input on the left, its result on the right. */
export function Playground(props: PlaygroundProps) {
  const t = useWords("playground");
  const state = usePlaygroundState(props);
  const { pane, setPane, running, gate, runButton } = state;
  const isChat = state.inputTab === "chat";
  return (
    <PlaygroundContext value={state}>
      <FilesFromPage disabled={state.draft.draft.value === null}>
        <div data-wide className="flex min-w-0 flex-col gap-3">
          <PaneSwitch
            pane={pane}
            onChange={setPane}
            running={running}
            labels={
              isChat
                ? { input: t("chat"), result: t("settings") }
                : { input: t("input"), result: t("result") }
            }
          />
          <div
            className={`grid min-w-0 grid-cols-1 items-start gap-4 ${isChat ? "desktop:grid-cols-[minmax(0,1fr)_320px]" : "desktop:grid-cols-2"}`}
          >
            <section
              aria-label={t("input")}
              className={`min-w-0 rounded-panel border bg-panel px-4 pt-2 ${pane === "result" ? "max-desktop:hidden" : ""}`}
            >
              <InputPane />
              {!isChat && <RunBar />}
            </section>
            <section
              aria-label={isChat ? t("settings") : t("result")}
              className={`min-w-0 rounded-panel border bg-panel px-4 pt-2 pb-4 desktop:sticky desktop:top-[68px] ${isChat ? "desktop:max-h-[calc(100dvh-84px)] desktop:overflow-y-auto" : ""} ${pane === "input" ? "max-desktop:hidden" : ""}`}
            >
              {isChat ? state.views.settings : <OutputPane />}
            </section>
          </div>
          {gate.codes.length > 0 && (
            <GateDialog
              open
              codes={gate.codes}
              model={gate.model}
              returnFocus={
                gate.codes.some(isPerRequest)
                  ? () => focusField(`/${confirmationKey}`)
                  : () => runButton.current?.focus()
              }
              onClose={gate.close}
              onAttested={gate.attested}
            />
          )}
        </div>
      </FilesFromPage>
    </PlaygroundContext>
  );
}

interface PaneSwitchProps {
  pane: "input" | "result";
  onChange: (pane: "input" | "result") => void;
  running: boolean;
  labels: Record<"input" | "result", string>;
}

/** Without enough width for both panes, one at a time is visible. */
function PaneSwitch({ pane, onChange, running, labels }: PaneSwitchProps) {
  const t = useWords("playground");
  const panes = [
    { value: "input", label: labels.input },
    { value: "result", label: labels.result },
  ] as const;
  return (
    <fieldset className="hidden w-full gap-0.5 rounded-control border border-strong bg-sunken p-0.5 max-desktop:flex">
      <legend className="sr-only">{t("show")}</legend>
      {panes.map(({ value, label }) => (
        <button
          key={value}
          type="button"
          aria-pressed={pane === value}
          onClick={() => onChange(value)}
          className="inline-flex min-h-8 flex-1 items-center justify-center gap-1.5 rounded-[6px] text-table font-medium text-muted aria-pressed:bg-panel aria-pressed:text-ink pointer-coarse:min-h-11"
        >
          {label}
          {value === "result" && running && (
            <LoaderCircle size={14} aria-label={t("runningNow")} className="animate-spin" />
          )}
        </button>
      ))}
    </fieldset>
  );
}

const RawTab = dynamic(() => import("./output/raw-tab.tsx").then((module) => module.RawTab), { ssr: false });
const HistoryTab = dynamic(() => import("./history/history-tab.tsx").then((module) => module.HistoryTab), {
  ssr: false,
});

/** The result of the open run, and earlier runs in this browser. */
function OutputPane() {
  const t = useWords("playground");
  const { outputTab, setOutputTab, run, runs } = usePlayground();
  return (
    <Tabs
      label={t("viewsOfTheResult")}
      value={outputTab}
      onChange={setOutputTab}
      tabs={[
        { value: "output", label: t("output"), content: <OutputTabContent /> },
        { value: "raw", label: t("raw"), content: <RawTab run={run} /> },
        {
          value: "history",
          label: t("history"),
          badge: runs.length > 0 ? runs.length : null,
          content: <HistoryTab />,
        },
      ]}
    />
  );
}

const RunView = dynamic(() => import("./output/run-view.tsx").then((module) => module.RunView), {
  ssr: false,
});

/** The open run, or an example of an output. */
function OutputTabContent() {
  const t = useWords("playground");
  const { run, operation } = usePlayground();
  return (
    <>
      {/* One polite line for screen readers; the output itself would be read piece by piece. */}
      <p role="status" className="sr-only">
        {run && announcement(run, t)}
      </p>
      {run ? <RunView run={run} /> : <ExampleOutput apiType={operation.api_type} />}
    </>
  );
}

/**
 * The result pane before the first run: the model's example. Without an example, or until the attestations of a gated
 * model are given, only a sentence.
 */
function ExampleOutput({ apiType }: { apiType: ApiType }) {
  const t = useWords("playground");
  const { example, gate } = usePlayground();
  const press = t("chooseRun", { apiType: apiType.replaceAll("-", "_") });
  if (!example || (gate.state !== "none" && gate.state !== "open"))
    return (
      <p className="grid min-h-56 place-items-center rounded-panel border border-dashed p-6 text-center text-muted">
        {press}
      </p>
    );
  return (
    <figure>
      {example}
      <figcaption className="mt-2 text-muted">{press}</figcaption>
    </figure>
  );
}

function announcement(run: Run, t: Words<"playground">): string {
  if (run.state === "running") return run.output ? t("theModelIsAnswering") : t("runningSaid");
  if (run.state === "stopped") return t("stoppedThePartialAnswer");
  if (run.state === "failed") return t("theRunFailed");
  return run.output?.kind === "prediction" ? t("queued") : t("theRunHasFinished");
}
