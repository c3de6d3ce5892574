"use client";

import { Play } from "lucide-react";
import dynamic from "next/dynamic";
import { useState } from "react";
import { Button } from "@/components/ui/button";
import type { ReadRoute } from "@/lib/reference/read-route";

const ReadForm = dynamic(() => import("./read-form.tsx").then((module) => module.ReadForm), { ssr: false });

/** Opens the form that sends a GET request. The form's code is loaded with the first click. */
export function TryRead({ route }: { route: ReadRoute }) {
  const [open, setOpen] = useState(false);
  return open ? (
    <ReadForm route={route} />
  ) : (
    <Button size="sm" icon={<Play size={14} aria-hidden />} onClick={() => setOpen(true)}>
      Try it<span className="sr-only">: {route.summary}</span>
    </Button>
  );
}
