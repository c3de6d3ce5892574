import { formatBytes, formatDuration } from "@/lib/format";

/** A duration. Null shows a dash. */
export function Duration({ ms }: { ms: number | null }) {
  return <Quantity text={ms === null ? null : formatDuration(ms)} />;
}

/** A size in bytes, exact on hover. */
export function Bytes({ value }: { value: number | null }) {
  return (
    <Quantity
      text={value === null ? null : formatBytes(value)}
      title={value === null ? undefined : `${value.toLocaleString("en")} bytes`}
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
