"use client";

import dynamic from "next/dynamic";
import { isPerRequest } from "@/lib/attestations/gates";
import { confirmationKey } from "@/lib/schema-form/draft";
import { focusField } from "./error-summary";
import { FilesFromPage } from "./form/media/files-from-page";
import { InputPane } from "./input-pane";
import { OutputPane } from "./output-pane";
import { PaneSwitch } from "./pane-switch";
import { RunBar } from "./run-bar";
import { PlaygroundContext, type PlaygroundProps, usePlaygroundState } from "./use-playground";

const GateDialog = dynamic(
  () => import("@/components/attestations/gate-dialog").then((module) => module.GateDialog),
  { ssr: false },
);

const ChatSettings = dynamic(() => import("./chat/chat-settings").then((module) => module.ChatSettings), {
  ssr: false,
});

const panes = { input: "Input", result: "Result" };
const chatPanes = { input: "Chat", result: "Settings" };

/** One operation: its input on the left, its result on the right. */
export function Playground(props: PlaygroundProps) {
  const state = usePlaygroundState(props);
  const { pane, setPane, running, gate, runButton } = state;
  const isChat = state.inputTab === "chat";
  return (
    <PlaygroundContext value={state}>
      <FilesFromPage disabled={state.draft.draft.value === null}>
        <div data-wide className="flex min-w-0 flex-col gap-3">
          <PaneSwitch pane={pane} onChange={setPane} running={running} labels={isChat ? chatPanes : panes} />
          <div
            className={`grid min-w-0 grid-cols-1 items-start gap-4 ${isChat ? "desktop:grid-cols-[minmax(0,1fr)_320px]" : "desktop:grid-cols-2"}`}
          >
            <section
              aria-label="Input"
              className={`min-w-0 rounded-panel border bg-panel px-4 pt-2 ${pane === "result" ? "max-desktop:hidden" : ""}`}
            >
              <InputPane />
              {!isChat && <RunBar />}
            </section>
            <section
              aria-label={isChat ? "Settings" : "Result"}
              className={`min-w-0 rounded-panel border bg-panel px-4 pt-2 pb-4 desktop:sticky desktop:top-[68px] ${pane === "input" ? "max-desktop:hidden" : ""}`}
            >
              {isChat ? <ChatSettings /> : <OutputPane />}
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
