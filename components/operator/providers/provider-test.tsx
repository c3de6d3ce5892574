"use client";

import { CircleCheck, OctagonAlert, PlugZap } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import type { ProviderTest } from "#contract/operator/providers.ts";
import { Button } from "@/components/ui/button";
import { ErrorPanel } from "@/components/ui/page/error-panel";
import { Section } from "@/components/ui/page/section";
import { answerOf } from "@/lib/browser/action-answer";
import { formatDuration } from "@/lib/format";
import type { GatewayResult } from "@/lib/gateway/result";
import { tryProvider } from "@/lib/operator/actions";

interface ProviderTestPanelProps {
  id: string;
  /** Just saved: test at once. */
  testNow: boolean;
  /** Opens the forms for what may be wrong. */
  fix: { address: () => void; key: () => void } | null;
}

/** Sends the provider a request that costs nothing, and shows the result. */
export function ProviderTestPanel({ id, testNow, fix }: ProviderTestPanelProps) {
  const [busy, setBusy] = useState(false);
  const [result, setResult] = useState<GatewayResult<ProviderTest> | null>(null);
  const test = async () => {
    setBusy(true);
    setResult(await answerOf(tryProvider(id)));
    setBusy(false);
  };

  const started = useRef(false);
  useEffect(() => {
    if (!testNow || started.current) return;
    started.current = true;
    const address = new URL(window.location.href);
    address.searchParams.delete("test");
    window.history.replaceState(null, "", address);
    void test();
  });

  return (
    <Section
      title="Test"
      description="Reads its model list or your account there. Never runs a model."
      actions={
        <Button busy={busy} icon={<PlugZap size={16} aria-hidden />} onClick={() => void test()}>
          Test now
        </Button>
      }
    >
      <div role="status">
        {busy && <p className="text-muted">Asking…</p>}
        {!busy && result?.ok && <TestResult result={result.data} />}
      </div>
      {!busy && result && !result.ok && <ErrorPanel error={result.error} />}
      {!busy && fix && result?.ok && !result.data.ok && (
        <div className="mt-3 flex flex-wrap gap-2">
          <Button onClick={fix.address}>Change address</Button>
          <Button onClick={fix.key}>Enter another key</Button>
        </div>
      )}
    </Section>
  );
}

function TestResult({ result }: { result: ProviderTest }) {
  return (
    <ul className="space-y-2">
      {result.regions.map(({ region, key, ok, latency_ms, message }) => (
        <li
          key={`${region} ${key}`}
          className={`flex items-start gap-2 rounded-panel border p-3 ${ok ? "border-good bg-good-soft" : "border-bad bg-bad-soft"}`}
        >
          {ok ? (
            <CircleCheck size={18} aria-hidden className="mt-px shrink-0 text-good" />
          ) : (
            <OctagonAlert size={18} aria-hidden className="mt-px shrink-0 text-bad" />
          )}
          <span className="min-w-0 flex-1 wrap-anywhere">{message}</span>
          <span className="shrink-0 text-meta text-muted">
            {result.regions.length > 1 && `${region}, `}
            {key !== null && `key ${key}, `}
            {formatDuration(latency_ms)}
          </span>
        </li>
      ))}
    </ul>
  );
}
