import { AudioLines, Box, Clapperboard, Image, type LucideIcon, MessageSquare } from "lucide-react";

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
