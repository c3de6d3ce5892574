"use client";

import { Check, CircleDashed, Lock, MapPin, Play, Receipt, ShieldAlert, Square, Weight } from "lucide-react";
import {
  type ComponentProps,
  memo,
  type ReactNode,
  useDeferredValue,
  useEffect,
  useMemo,
  useState,
} from "react";
import type { CatalogModel } from "#contract/catalog.ts";
import { useWords } from "#words";
import { Permitted, WhoCan } from "@/components/team/permitted";
import { Button } from "@/components/ui/button";
import { formatBytes } from "@/lib/format";
import { estimateOf } from "@/lib/schema-form/estimate";
import type { JsonObject } from "@/lib/schema-form/json";
import { requestBytes } from "@/lib/schema-form/validator";
import type { Words } from "@/messages/words";
import { AccountBudget, CostEstimate } from "./cost-estimate.tsx";
import { usePlayground } from "./use-playground.ts";

/** Always visible: the facts before a run, and the Run button. */
export function RunBar() {
  const t = useWords("playground");
  const { body, gate, running, uploading, start, stop } = usePlayground();
  const keys = useRunKeys();
  const ready = keys !== null;
  return (
    <div className="sticky bottom-0 z-10 -mx-4 flex flex-wrap items-center gap-x-4 gap-y-2 rounded-b-panel border-t bg-panel px-4 py-2.5 max-tablet:bottom-[calc(52px+env(safe-area-inset-bottom))]">
      <div className="min-w-0 flex-1 basis-52">
        <Preflight />
        <p role="status" className="text-table font-medium text-good">
          {gate.recorded && t("theAttestationIsRecordedChoose")}
        </p>
      </div>
      <RunButton
        stop={stop}
        onRun={start}
        busy={running}
        // Disabled before hydration, when a click would be lost, and while the JSON is invalid, whose fault
        // is shown beside the button.
        disabled={uploading > 0 || !ready || body === null}
        icon={<Play size={14} aria-hidden />}
        aria-keyshortcuts="Control+Enter Meta+Enter"
        title={keys ?? undefined}
        className={ready ? undefined : "disabled:opacity-100"}
      >
        {uploading > 0 ? t("waitingForUploads", { count: uploading }) : running ? t("running") : t("run")}
        <kbd aria-hidden className="ml-1 font-sans text-meta opacity-80 max-tablet:hidden">
          {keys ?? runKeys}
        </kbd>
      </RunButton>
    </div>
  );
}

const Cost = memo(CostEstimate);

/** The keys where the machine's own are not known yet. */
const runKeys = "Ctrl ↵";

/** Facts before a run: gates, region, size, billing. */
export function Preflight() {
  const t = useWords("playground");
  const amounts = useWords("amounts");
  const { model, operation, sentBody, gate } = usePlayground();
  // A long conversation is measured when the browser has time, not at every keystroke.
  const body = useDeferredValue(sentBody);
  const limit = operation.limits.maxRequestBytes;
  const bytes = useMemo(() => (body ? requestBytes(body) : null), [body]);
  const estimate = useMemo(
    () => (body ? estimateOf(amounts, body, operation) : null),
    [amounts, body, operation],
  );
  return (
    <ul
      aria-label={t("beforeYouRun")}
      className="flex min-w-0 flex-wrap items-center gap-x-3 gap-y-0.5 text-meta text-muted"
    >
      <Fact
        icon={
          gate.state === "closed" ? (
            <Lock size={13} aria-hidden />
          ) : gate.state === "unknown" ? (
            <ShieldAlert size={13} aria-hidden />
          ) : (
            <Check size={13} aria-hidden />
          )
        }
      >
        {gate.state === "closed" ? (
          <button
            type="button"
            onClick={gate.openMissing}
            className="min-h-6 pointer-coarse:min-h-11 font-medium text-warn underline"
          >
            {t("attestationNeeded")}
          </button>
        ) : (
          t("gates", { state: gate.state })
        )}
      </Fact>
      <Fact icon={<MapPin size={13} aria-hidden />}>{describeRegion(model, body, t)}</Fact>
      {bytes !== null && (
        <Fact icon={<Weight size={13} aria-hidden />}>
          {typeof limit === "number"
            ? t("sizeOfLimit", { size: formatBytes(bytes), limit: formatBytes(limit) })
            : formatBytes(bytes)}
        </Fact>
      )}
      <Fact icon={body ? <Receipt size={13} aria-hidden /> : <CircleDashed size={13} aria-hidden />}>
        {estimate ?? t("fixTheJson")}
      </Fact>
      {body && (
        <li className="tabular empty:hidden">
          <Cost model={model} operation={operation} body={body} />
        </li>
      )}
      <li className="tabular empty:hidden">
        <AccountBudget />
      </li>
    </ul>
  );
}

function Fact({ icon, children }: { icon: ReactNode; children: ReactNode }) {
  return (
    <li className="inline-flex min-w-0 items-center gap-1">
      {icon}
      <span className="tabular min-w-0">{children}</span>
    </li>
  );
}

function describeRegion(model: CatalogModel, body: JsonObject | null, t: Words<"playground">): string {
  const healthy: readonly string[] = model.healthy_regions;
  const asked = typeof body?.region === "string" ? body.region : null;
  if (asked) return healthy.includes(asked) ? asked : t("regionIsDown", { region: asked });
  if (healthy.length === 0) return t("noRegionCanRunIt");
  return healthy.length === 1 ? `${healthy[0]}` : t("anyOfRegions", { count: healthy.length });
}

interface RunButtonProps extends Omit<ComponentProps<typeof Button>, "ref" | "variant" | "onClick"> {
  onRun: () => void;
  /** Stops the run. Null if nothing can be stopped. */
  stop: (() => void) | null;
}

/** Starts a run or a message, or stops it. If the role may not run, shows who may. */
export function RunButton({ onRun, stop, ...button }: RunButtonProps) {
  const t = useWords("playground");
  const { runButton } = usePlayground();
  if (stop)
    return (
      <Button
        ref={runButton}
        icon={<Square size={14} aria-hidden />}
        onClick={stop}
        aria-keyshortcuts="Escape"
      >
        {t("stop")}
      </Button>
    );
  return (
    <Permitted
      to="operations:run"
      otherwise={
        <p className="text-table text-muted">
          {t("yourRoleCannotRunOperations")} <WhoCan to="operations:run" />
        </p>
      }
    >
      <Button ref={runButton} variant="primary" onClick={onRun} {...button} />
    </Permitted>
  );
}

/** The names of the modifier keys on this machine. Null before hydration. */
function useRunKeys(): string | null {
  const [keys, setKeys] = useState<string | null>(null);
  useEffect(() => setKeys(/Mac|iPhone|iPad/.test(navigator.platform) ? "⌘ ↵" : runKeys), []);
  return keys;
}
