"use client";

import dynamic from "next/dynamic";
import { useState } from "react";
import type { OperatorProvider } from "#contract/operator/providers.ts";
import { Button } from "@/components/ui/button";

const MapAllDialog = dynamic(
  () => import("@/components/operator/routes/map-all-dialog").then((module) => module.MapAllDialog),
  { ssr: false },
);

/** "Map all chat models to …" in one step. */
export function MapAllButton({ providers }: { providers: readonly OperatorProvider[] }) {
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button onClick={() => setOpen(true)}>Map all…</Button>
      {open && <MapAllDialog providers={providers} onClose={() => setOpen(false)} />}
    </>
  );
}
