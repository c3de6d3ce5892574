"use client";

import { Bookmark } from "lucide-react";
import dynamic from "next/dynamic";
import { useState } from "react";
import { useAccess } from "@/components/team/access";
import { Button } from "@/components/ui/button";
import type { PresetsDialogProps } from "./presets-dialog";

const PresetsDialog = dynamic(() => import("./presets-dialog").then((module) => module.PresetsDialog), {
  ssr: false,
});

/** Opens the presets of an operation. */
export function PresetsButton(props: Omit<PresetsDialogProps, "open" | "onClose">) {
  const { may } = useAccess();
  const [open, setOpen] = useState(false);
  // Loaded on demand, then stays mounted, because the user may still undo a deletion.
  const [wanted, setWanted] = useState(false);
  if (!may("presets:read")) return null;
  return (
    <>
      <Button
        size="sm"
        variant="ghost"
        icon={<Bookmark size={14} aria-hidden />}
        onClick={() => {
          setWanted(true);
          setOpen(true);
        }}
      >
        <span className="max-phone:sr-only">Presets</span>
      </Button>
      {wanted && <PresetsDialog {...props} open={open} onClose={() => setOpen(false)} />}
    </>
  );
}
