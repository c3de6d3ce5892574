import { useWords } from "#words";
import { CopyButton } from "./copy-button.tsx";

/** A command or address in a line, to copy. */
export function Command({ text, label }: { text: string; label?: string }) {
  const t = useWords("ui");
  return (
    <div className="flex items-center gap-1 rounded-panel border bg-sunken py-1 pr-1 pl-3">
      <code className="min-w-0 flex-1 text-table wrap-anywhere">{text}</code>
      <CopyButton value={text} label={label ?? t("copyCommand")} />
    </div>
  );
}
