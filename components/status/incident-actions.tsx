"use client";

import { MessageSquarePlus, Pencil, Plus, Trash2 } from "lucide-react";
import dynamic from "next/dynamic";
import { useState } from "react";
import type { Incident } from "#contract/status.ts";
import { useWords } from "#words";
import { Button, IconButton } from "@/components/ui/button";
import { usePageRouter } from "@/components/ui/page/link";
import { useAsked } from "@/components/ui/page/use-asked";

const IncidentDialog = dynamic(
  () => import("./incident-dialogs.tsx").then((module) => module.IncidentDialog),
  { ssr: false },
);
const UpdateDialog = dynamic(() => import("./incident-dialogs.tsx").then((module) => module.UpdateDialog), {
  ssr: false,
});
const DeleteIncidentDialog = dynamic(
  () => import("./incident-dialogs.tsx").then((module) => module.DeleteIncidentDialog),
  { ssr: false },
);

interface IncidentActionsProps {
  incident: Incident;
  models: readonly string[];
}

/** An operator's actions for an incident. */
export function IncidentActions({ incident, models }: IncidentActionsProps) {
  const t = useWords("status");
  const router = usePageRouter();
  const [open, setOpen] = useState<"update" | "change" | "delete" | null>(null);
  const { title } = incident;
  const close = () => setOpen(null);
  const done = () => {
    close();
    router.refresh();
  };
  return (
    <span className="flex items-center gap-1">
      <Button
        size="sm"
        icon={<MessageSquarePlus size={14} aria-hidden />}
        aria-label={t("addAnUpdateToTitle", { title })}
        onClick={() => setOpen("update")}
      >
        {t("addAnUpdate")}
      </Button>
      <IconButton
        size="sm"
        label={t("changeTitle", { title })}
        icon={<Pencil size={14} aria-hidden />}
        onClick={() => setOpen("change")}
      />
      <IconButton
        size="sm"
        label={t("deleteTitle", { title })}
        icon={<Trash2 size={14} aria-hidden />}
        onClick={() => setOpen("delete")}
      />
      {open === "update" && <UpdateDialog incident={incident} onAdded={done} onClose={close} />}
      {open === "change" && (
        <IncidentDialog
          incident={incident}
          models={[...new Set([...incident.models, ...models])]}
          onSaved={done}
          onClose={close}
        />
      )}
      {open === "delete" && <DeleteIncidentDialog incident={incident} onRemoved={done} onClose={close} />}
    </span>
  );
}

export function WriteIncident({ models }: { models: readonly string[] }) {
  const t = useWords("status");
  const router = usePageRouter();
  const [open, setOpen] = useState(false);
  useAsked("incident", () => setOpen(true));
  return (
    <>
      <Button icon={<Plus size={16} aria-hidden />} onClick={() => setOpen(true)}>
        {t("writeAnIncident")}
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
