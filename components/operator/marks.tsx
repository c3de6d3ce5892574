import { FileLock2 } from "lucide-react";
import { Badge } from "@/components/ui/badge";

/** Marks settings from the providers file, which are read-only in the console. */
export function ManagedByFile() {
  return (
    <Badge icon={<FileLock2 size={12} aria-hidden />} title="Change it in the providers file">
      Managed by the file
    </Badge>
  );
}

/**
 * The initials of a provider in a frame. Its real logo would be somebody else's trademark, and would have to be
 * loaded from elsewhere.
 */
export function ProviderMark({ name }: { name: string }) {
  const [before = ""] = name.split(/[,(]/);
  const words = before.match(/\p{Lu}+[\p{Ll}\p{N}]*|[\p{Ll}\p{N}]+/gu) ?? [];
  const initials = words.length > 1 ? words.map(([first]) => first).join("") : before;
  return (
    <span
      aria-hidden
      className="grid size-9 shrink-0 place-items-center rounded-control border bg-sunken font-semibold text-muted"
    >
      {initials.slice(0, 2)}
    </span>
  );
}
