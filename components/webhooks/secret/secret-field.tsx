"use client";

import { Check, Copy, Download, Eye, EyeOff } from "lucide-react";
import { useState } from "react";
import { Button } from "@/components/ui/button";
import { copyText } from "@/lib/browser/copy-text";
import { saveTextFile } from "@/lib/browser/save-text-file";
import { envLine } from "@/lib/webhooks/env-line";

const visibleEnd = 4;
const maskLength = 24;
/** Browsers take a leading dot away, so the file gets a name. */
const envFileName = "gatehouse.env";

/** The masked secret with Reveal, Copy and Download; what happened is announced. */
export function SecretField({ secret, name, envName }: { secret: string; name: string; envName: string }) {
  const [revealed, setRevealed] = useState(false);
  const [news, setNews] = useState("");

  const copy = async () => {
    try {
      await copyText(secret);
      setNews("Copied to the clipboard.");
    } catch {
      // Copying failed: reveal the text to select it.
      setRevealed(true);
      setNews("Could not copy. Select the text and copy it manually.");
    }
  };
  const download = () => {
    saveTextFile(envFileName, envLine(envName, secret));
    setNews(`Downloaded a file with the line ${envName}=…`);
  };

  return (
    <div className="space-y-2">
      <code className="block rounded-control border bg-sunken px-3 py-2 text-table break-all text-ink select-all">
        {revealed ? secret : masked(secret)}
      </code>
      <div className="flex flex-wrap gap-2">
        <Button
          aria-pressed={revealed}
          icon={revealed ? <EyeOff size={16} aria-hidden /> : <Eye size={16} aria-hidden />}
          onClick={() => setRevealed(!revealed)}
        >
          {revealed ? "Hide" : "Reveal"}
        </Button>
        <Button icon={<Copy size={16} aria-hidden />} onClick={copy} aria-label={`Copy the ${name}`}>
          Copy
        </Button>
        <Button icon={<Download size={16} aria-hidden />} onClick={download}>
          Download as .env line
        </Button>
      </div>
      <p role="status" className="flex min-h-6 items-center gap-1 text-table text-muted">
        {news && <Check size={14} aria-hidden className="text-good" />}
        {news}
      </p>
    </div>
  );
}

/** The prefix that says what it is, dots, and the last four characters. */
function masked(secret: string): string {
  const prefix = /^[a-z_]+_/.exec(secret)?.[0] ?? "";
  return `${prefix}${"•".repeat(maskLength)}${secret.slice(-visibleEnd)}`;
}
