"use client";

import dynamic from "next/dynamic";
import { Tabs } from "@/components/ui/tabs";
import { OutputTabContent } from "./output/output-tab";
import { usePlayground } from "./use-playground";

const RawTab = dynamic(() => import("./output/raw-tab").then((module) => module.RawTab), { ssr: false });
const HistoryTab = dynamic(() => import("./history/history-tab").then((module) => module.HistoryTab), {
  ssr: false,
});

/** What came of the run that is shown, and the runs before it in this browser. */
export function OutputPane() {
  const { outputTab, setOutputTab, run, runs } = usePlayground();
  return (
    <Tabs
      label="Views of the result"
      value={outputTab}
      onChange={setOutputTab}
      tabs={[
        { value: "output", label: "Output", content: <OutputTabContent /> },
        { value: "raw", label: "Raw", content: <RawTab run={run} /> },
        {
          value: "history",
          label: "History",
          badge: runs.length > 0 ? runs.length : null,
          content: <HistoryTab />,
        },
      ]}
    />
  );
}
