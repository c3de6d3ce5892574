import { FlaskConical } from "lucide-react";
import { useWords } from "#words";
import { Badge, toneLook } from "@/components/ui/badge";

/** Shown beside every media file that the sandbox made. */
export function SandboxBadge() {
  const t = useWords("media");
  return (
    <Badge tone="warn" icon={<FlaskConical size={12} aria-hidden />} title={t("sampleOutputFromTheSandbox")}>
      {t("sandbox")}
    </Badge>
  );
}

/** The badge without its word, for a tile in a grid. `id` lets the tile name it as its description. */
export function SandboxMark({ id }: { id: string }) {
  const words = useWords("media")("sampleOutputFromTheSandbox");
  return (
    <span
      id={id}
      role="img"
      aria-label={words}
      title={words}
      className={`absolute top-2 left-2 rounded-[5px] p-1 ${toneLook.warn}`}
    >
      <FlaskConical size={12} aria-hidden />
    </span>
  );
}
