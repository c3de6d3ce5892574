import { StatusPill } from "@/components/ui/status-pill";
import { uploadLook } from "@/lib/status/upload";

export function UploadStatus({ status }: { status: string }) {
  const look = uploadLook(status);
  return <StatusPill label={look.label} tone={look.tone} icon={look.icon} title={look.meaning} />;
}
