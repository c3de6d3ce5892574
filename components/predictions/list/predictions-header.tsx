import type { ReactNode } from "react";
import { PageHeader } from "@/components/ui/page/page-header";

interface PredictionsHeaderProps {
  description?: string;
  actions?: ReactNode;
}

export function PredictionsHeader({
  description = "Asynchronous runs, from submission to the removal of their files.",
  actions,
}: PredictionsHeaderProps) {
  return <PageHeader log title="Predictions" description={description} actions={actions} />;
}
