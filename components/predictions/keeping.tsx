"use client";

import { useQueryClient } from "@tanstack/react-query";
import { Clock } from "lucide-react";
import type { Output } from "#contract/outputs.ts";
import type { Prediction } from "#contract/prediction.ts";
import { useWords } from "#words";
import { Countdown } from "@/components/ui/countdown";
import { Link } from "@/components/ui/page/link";
import { Time, useNow } from "@/components/ui/time";
import { firstKeptUntil, useOutputsOfRun } from "@/lib/outputs/outputs-of-run";
import { queryKeys } from "@/lib/query-keys";
import { outputFiles } from "./outputs.ts";
import { SaveEverything } from "./save-everything.tsx";

const minuteMs = 60_000;
/** The warning is shown when the files are removed sooner than this. */
const soonMs = 2 * 60 * minuteMs;

/** How long the files stay, with a button that downloads them. */
export function Keeping({ prediction }: { prediction: Prediction }) {
  const t = useWords("predictions");
  const client = useQueryClient();
  const nowMs = useNow(minuteMs);
  const files = outputFiles(prediction);
  const isShown = !prediction.data_removed && prediction.expires_at !== null && files.length > 0;
  const { data: outputs } = useOutputsOfRun(prediction.id, { enabled: isShown });
  if (!isShown || !prediction.expires_at) return null;
  const kept = outputs?.data.filter((output) => output.kept) ?? [];
  const soon = Date.parse(prediction.expires_at) - nowMs < soonMs;
  return (
    <div
      suppressHydrationWarning
      className={`mb-4 flex flex-wrap items-center gap-x-3 gap-y-2 rounded-panel border px-4 py-2 ${soon ? "border-warn bg-warn-soft" : "bg-panel"}`}
    >
      <Clock size={16} aria-hidden className={soon ? "text-warn" : "text-muted"} />
      <p className="min-w-0 flex-1 basis-56">
        {kept.length > 0 && <InLibrary kept={kept} files={files.length} />}
        {t.rich(
          kept.length > 0 ? "otherFilesRemovedIn" : "inputAndOutputsRemovedIn",
          {},
          {
            time: () => (
              <strong key="time">
                <Countdown
                  until={prediction.expires_at ?? ""}
                  ended={t("aMoment")}
                  onEnd={() =>
                    void client.invalidateQueries({ queryKey: queryKeys.prediction(prediction.id) })
                  }
                />
              </strong>
            ),
          },
        )}
      </p>
      <SaveEverything predictions={[prediction]} />
    </div>
  );
}

/** "This output is in the library until somebody removes it." */
function InLibrary({ kept, files }: { kept: readonly Output[]; files: number }) {
  const t = useWords("predictions");
  const until = firstKeptUntil(kept);
  const isOne = kept.length === 1;
  const isSameTime = kept.every(({ kept_until: each }) => (each ?? null) === until);
  return (
    <>
      {t.rich(
        "inTheLibrary",
        {
          which: kept.length < files ? "some" : isOne ? "one" : "all",
          kept: kept.length,
          files,
          sameTime: isSameTime ? "yes" : "no",
          ends: until ? "yes" : "no",
        },
        {
          link: (content) => (
            <Link key="library" href="/library" className="text-accent underline">
              {content}
            </Link>
          ),
          time: () => <Time key="time" value={until ?? ""} mode="absolute" />,
        },
      )}{" "}
    </>
  );
}
