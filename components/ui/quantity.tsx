import { useFormats, useWords } from "#words";
import { formatBytes } from "@/lib/format";

/** A duration. Null shows a dash. */
export function Duration({ ms }: { ms: number | null }) {
  const format = useFormats();
  return <Quantity text={ms === null ? null : format.duration(ms)} />;
}

/** A size in bytes, exact on hover. */
export function Bytes({ value }: { value: number | null }) {
  const t = useWords("ui");
  return (
    <Quantity
      text={value === null ? null : formatBytes(value)}
      title={value === null ? undefined : t("exactBytes", { count: value })}
    />
  );
}

function Quantity({ text, title }: { text: string | null; title?: string | undefined }) {
  if (text === null) return <span className="text-faint">–</span>;
  return (
    <span title={title} className="tabular whitespace-nowrap">
      {text}
    </span>
  );
}
