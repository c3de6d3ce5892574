import { CircleAlert, CircleCheck, CircleDashed, type LucideIcon } from "lucide-react";
import type { VerifyCheck, VerifyReport } from "@/lib/webhooks/verify";

const looks: Record<VerifyCheck["state"], { icon: LucideIcon; tone: string; word: string }> = {
  pass: { icon: CircleCheck, tone: "text-good", word: "valid" },
  fail: { icon: CircleAlert, tone: "text-bad", word: "invalid" },
  skipped: { icon: CircleDashed, tone: "text-muted", word: "not checked" },
};

export function VerifierReport({ report }: { report: VerifyReport }) {
  return (
    <div className="rounded-panel border bg-panel p-4">
      <p className="mb-2 text-title font-semibold">
        {report.valid ? "A receiver would accept this request" : "A receiver would reject this request"}
      </p>
      <ol className="space-y-3">
        {report.checks.map((check) => (
          <CheckLine key={check.name} check={check} />
        ))}
      </ol>
      {report.notes.map((note) => (
        <p key={note} className="mt-3 text-table text-warn">
          {note}
        </p>
      ))}
    </div>
  );
}

function CheckLine({ check }: { check: VerifyCheck }) {
  const { icon: Icon, tone, word } = looks[check.state];
  return (
    <li className="flex gap-2">
      <Icon size={16} aria-hidden className={`mt-0.5 shrink-0 ${tone}`} />
      <div className="min-w-0 text-base wrap-anywhere">
        <p>
          <span className="font-medium">{check.name}</span> <span className={tone}>{word}</span>
        </p>
        <p className="text-ink">{check.text}</p>
        {check.fix && <p className="text-muted">{check.fix}</p>}
      </div>
    </li>
  );
}
