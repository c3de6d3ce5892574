"use client";

import dynamic from "next/dynamic";
import type { CatalogModel, CatalogOperation } from "#contract/catalog.ts";
import { Tabs } from "@/components/ui/tabs";
import type { AttestationCode } from "@/lib/attestations/gates";
import type { Run } from "@/lib/browser/runs/run";
import { OutputTabContent } from "./output/output-tab";

const RawTab = dynamic(() => import("./output/raw-tab").then((module) => module.RawTab), { ssr: false });
const HistoryTab = dynamic(() => import("./history/history-tab").then((module) => module.HistoryTab), {
  ssr: false,
});

export type OutputTab = "output" | "raw" | "history";

interface OutputPaneProps {
  tab: OutputTab;
  onTab: (tab: OutputTab) => void;
  model: CatalogModel;
  operation: CatalogOperation;
  run: Run | null;
  runs: readonly Run[];
  busy: boolean;
  onStop: (() => void) | null;
  onShow: (run: Run) => void;
  onAgain: (run: Run, key?: string) => void;
  onTweak: (run: Run) => void;
  onReply: (run: Run) => void;
  onClear: () => void;
  onGate: (code: AttestationCode) => void;
}

/** What came of the run that is shown, and the runs before it in this browser. */
export function OutputPane(props: OutputPaneProps) {
  const { tab, onTab, run, runs } = props;
  return (
    <Tabs
      label="Views of the result"
      value={tab}
      onChange={onTab}
      tabs={[
        { value: "output", label: "Output", content: <OutputTabContent {...props} /> },
        { value: "raw", label: "Raw", content: <RawTab run={run} /> },
        {
          value: "history",
          label: "History",
          badge: runs.length > 0 ? runs.length : null,
          content: <HistoryTab {...props} />,
        },
      ]}
    />
  );
}
