import { FlaskConical } from "lucide-react";
import { Badge } from "@/components/ui/badge";

/** Shown beside every media file that the sandbox made. */
export function SandboxBadge() {
  return (
    <Badge
      tone="warn"
      icon={<FlaskConical size={12} aria-hidden />}
      title="Sample output from the sandbox provider: no model was run"
    >
      Sandbox
    </Badge>
  );
}
