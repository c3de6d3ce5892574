import type { ReceiptCheck } from "#contract/receipts.ts";
import { Badge } from "@/components/ui/badge";
import { Section } from "@/components/ui/page/section";
import { ReceiptFacts } from "./receipt-facts.tsx";

const states = {
  valid: {
    tone: "good",
    label: "Valid receipt",
    text: "This installation signed it, and no byte was changed since.",
  },
  changed: {
    tone: "bad",
    label: "Changed receipt",
    text: "It is not what was signed. Formatting the file is enough for that: ask for the file as it was downloaded.",
  },
  unknown_key: {
    tone: "warn",
    label: "Unknown key",
    text: "This installation did not sign it. Check it with the public keys of the gateway that it names.",
  },
} as const satisfies Record<ReceiptCheck["state"], object>;

/** Whether a file is a receipt of this installation, and what that receipt states. */
export function CheckedReceipt({ file, check }: { file: string; check: ReceiptCheck }) {
  const { tone, label, text } = states[check.state];
  return (
    <Section title={<span className="wrap-anywhere">{file}</span>}>
      <p className="mb-3 flex flex-wrap items-center gap-2">
        <Badge tone={tone}>{label}</Badge>
        <span>{text}</span>
      </p>
      {check.receipt && check.kid && <ReceiptFacts receipt={check.receipt} kid={check.kid} />}
    </Section>
  );
}
