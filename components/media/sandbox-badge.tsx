import { FlaskConical } from "lucide-react";
import { useWords } from "#words";
import { Badge } from "@/components/ui/badge";

/** Shown beside every media file that the sandbox made. */
export function SandboxBadge() {
  const t = useWords("media");
  return (
    <Badge tone="warn" icon={<FlaskConical size={12} aria-hidden />} title={t("sampleOutputFromTheSandbox")}>
      {t("sandbox")}
    </Badge>
  );
}
