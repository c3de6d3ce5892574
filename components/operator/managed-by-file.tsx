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
