import { FlaskConical } from "lucide-react";
import { Badge } from "@/components/ui/badge";

/** Stands next to every piece of media that the sandbox made: no model ran. */
export function SandboxBadge() {
  return (
    <span title="Made by the sandbox provider: no model ran">
      <Badge tone="warn">
        <FlaskConical aria-hidden className="size-3" />
        Sandbox
      </Badge>
    </span>
  );
}
