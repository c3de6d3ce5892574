import { useWords } from "#words";
import { shortenId } from "@/lib/format";
import { CopyButton } from "./copy-button.tsx";
import { Link } from "./page/link.tsx";

interface IdChipProps {
  id: string;
  href?: string | undefined;
  /** Shows the whole id if there is enough space. */
  whole?: boolean;
}

/** An identifier, shortened in the middle and copied in full. */
export function IdChip({ id, href, whole }: IdChipProps) {
  const t = useWords("ui");
  const text = whole ? id : shortenId(id);
  return (
    <span translate="no" className="inline-flex max-w-full items-center gap-0.5 font-mono text-meta">
      {href ? (
        <Link href={href} title={id} className="cut-start text-accent underline-offset-2 hover:underline">
          {text}
        </Link>
      ) : (
        <span title={id} className="cut-start text-muted">
          {text}
        </span>
      )}
      <CopyButton value={id} label={t("copyText", { text: id })} />
    </span>
  );
}
