import type { ReactNode } from "react";
import { PageHeader } from "@/components/ui/page/page-header";

export function PredictionsHeader({ actions }: { actions?: ReactNode }) {
  return (
    <PageHeader
      log
      title="Predictions"
      description="Asynchronous runs, from submission to the removal of their files."
      actions={actions}
    />
  );
}
