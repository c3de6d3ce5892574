import { FileLock2 } from "lucide-react";
import { Badge } from "@/components/ui/badge";

/** What the providers file says is only read here. */
export function ManagedByFile() {
  return (
    <Badge icon={<FileLock2 size={12} aria-hidden />} title="Change it in the providers file">
      Managed by the file
    </Badge>
  );
}
