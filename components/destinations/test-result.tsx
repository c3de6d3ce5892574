import { CircleAlert, CircleCheck } from "lucide-react";
import type { DestinationTest } from "#contract/copies.ts";

/** What a test found, in plain words. */
export function TestResult({ result: { error, warning } }: { result: DestinationTest }) {
  return error ? (
    <p className="flex gap-2 rounded-panel border border-bad bg-bad-soft p-3 text-base wrap-anywhere">
      <CircleAlert size={18} aria-hidden className="mt-0.5 shrink-0 text-bad" />
      <span>
        <span className="font-semibold">The test failed.</span> {error.message}
      </span>
    </p>
  ) : (
    <p className="flex gap-2 rounded-panel border bg-sunken p-3 text-base wrap-anywhere">
      <CircleCheck size={18} aria-hidden className="mt-0.5 shrink-0 text-good" />
      <span>
        <span className="font-semibold">The test worked.</span>{" "}
        {warning ?? "A small object was written and removed again."}
      </span>
    </p>
  );
}
