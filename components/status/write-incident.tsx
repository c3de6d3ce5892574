"use client";

import { Plus } from "lucide-react";
import dynamic from "next/dynamic";
import { useState } from "react";
import { Button } from "@/components/ui/button";
import { usePageRouter } from "@/components/ui/page/use-place";

const IncidentDialog = dynamic(
  () => import("./incident-dialogs.tsx").then((module) => module.IncidentDialog),
  { ssr: false },
);

export function WriteIncident({ models }: { models: readonly string[] }) {
  const router = usePageRouter();
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button icon={<Plus size={16} aria-hidden />} onClick={() => setOpen(true)}>
        Write an incident
      </Button>
      {open && (
        <IncidentDialog
          incident={null}
          models={models}
          onSaved={() => {
            setOpen(false);
            router.refresh();
          }}
          onClose={() => setOpen(false)}
        />
      )}
    </>
  );
}
