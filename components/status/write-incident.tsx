"use client";

import { Plus } from "lucide-react";
import dynamic from "next/dynamic";
import { useState } from "react";
import type { Incident, IncidentCreate } from "#contract/status.ts";
import { Button } from "@/components/ui/button";
import { usePageRouter } from "@/components/ui/page/use-place";
import type { ActionResult } from "@/lib/gateway/result";

const IncidentDialog = dynamic(
  () => import("./incident-dialog.tsx").then((module) => module.IncidentDialog),
  { ssr: false },
);

interface WriteIncidentProps {
  models: readonly string[];
  write: (body: IncidentCreate) => ActionResult<Incident>;
}

export function WriteIncident({ models, write }: WriteIncidentProps) {
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
          save={(body) => write(body as IncidentCreate)}
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
