"use client";

import dynamic from "next/dynamic";
import { isPerRequest } from "@/lib/attestations/gates";
import { confirmationKey } from "@/lib/schema-form/draft";
import { focusField } from "./error-summary";
import { InputPane } from "./input-pane";
import { OutputPane } from "./output-pane";
import { PaneSwitch } from "./pane-switch";
import { RunBar } from "./run-bar";
import { PlaygroundContext, type PlaygroundProps, usePlaygroundState } from "./use-playground";

const GateDialog = dynamic(
  () => import("@/components/attestations/gate-dialog").then((module) => module.GateDialog),
  { ssr: false },
);

/** One operation: its input on the left, its result on the right. */
export function Playground(props: PlaygroundProps) {
  const state = usePlaygroundState(props);
  const { pane, setPane, running, gate, model, runButton } = state;
  return (
    <PlaygroundContext value={state}>
      <div data-wide className="flex min-w-0 flex-col gap-3">
        <PaneSwitch pane={pane} onChange={setPane} running={running} />
        <div className="grid min-w-0 grid-cols-1 items-start gap-4 desktop:grid-cols-2">
          <section
            aria-label="Input"
            className={`min-w-0 rounded-panel border bg-panel px-4 pt-2 ${pane === "result" ? "max-desktop:hidden" : ""}`}
          >
            <InputPane />
            <RunBar />
          </section>
          <section
            aria-label="Result"
            className={`min-w-0 rounded-panel border bg-panel px-4 pt-2 pb-4 desktop:sticky desktop:top-[68px] ${pane === "input" ? "max-desktop:hidden" : ""}`}
          >
            <OutputPane />
          </section>
        </div>
        {gate.codes.length > 0 && (
          <GateDialog
            open
            codes={gate.codes}
            model={model.id}
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
    </PlaygroundContext>
  );
}
