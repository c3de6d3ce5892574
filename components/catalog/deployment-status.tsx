import { StatusPill } from "@/components/ui/status-pill";
import { regionLook } from "@/lib/status/region";

/** The state of an operation in one region; null where it is not deployed. */
export function DeploymentStatus({ status }: { status: string | null }) {
  if (status === null) return <span className="text-faint">not deployed</span>;
  const look = regionLook(status);
  return <StatusPill label={look.label} tone={look.tone} icon={look.icon} title={look.meaning} />;
}
