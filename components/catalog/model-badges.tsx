import {
  AudioLines,
  Box,
  Clapperboard,
  Image,
  LockKeyhole,
  type LucideIcon,
  MessageSquare,
} from "lucide-react";
import { useWords } from "#words";
import { Badge } from "@/components/ui/badge";
import { facetLabel } from "./facets.ts";
import type { GateName } from "./row.ts";

/** The attestations that an entry requires, as badges. */
export function GateBadges({ gates, short }: { gates: readonly GateName[]; short?: boolean }) {
  const t = useWords("catalog");
  const shown = gates.filter((gate) => gate !== "none");
  if (shown.length === 0) return short ? <span className="text-faint">–</span> : null;
  return (
    <span className="inline-flex flex-wrap gap-1">
      {shown.map((gate) => (
        <Badge key={gate} tone="warn" icon={<LockKeyhole size={11} aria-hidden />}>
          {facetLabel(gate, t)}
        </Badge>
      ))}
    </span>
  );
}

const icons: Record<string, LucideIcon> = {
  text: MessageSquare,
  audio: AudioLines,
  image: Image,
  video: Clapperboard,
};

export function ModalityIcon({ modality }: { modality: string }) {
  const Icon = icons[modality] ?? Box;
  return <Icon size={15} aria-hidden className="shrink-0 text-muted" />;
}
