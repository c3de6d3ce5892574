"use client";

import { CalendarRange } from "lucide-react";
import dynamic from "next/dynamic";
import { useState } from "react";
import { Button } from "@/components/ui/button";
import type { DeliveryView } from "@/lib/webhooks/delivery-view";

const TimeRangeDialog = dynamic(
  () => import("./time-range-dialog.tsx").then((module) => module.TimeRangeDialog),
  { ssr: false },
);

interface TimeRangeProps {
  view: DeliveryView;
  onChange: (next: Partial<DeliveryView>) => void;
}

/** An exact stretch of time, in the computer's own time zone. */
export function TimeRange({ view, onChange }: TimeRangeProps) {
  const [open, setOpen] = useState(false);
  const isSet = view.created_after !== "" || view.created_before !== "";
  return (
    <>
      <Button
        variant={isSet ? "secondary" : "ghost"}
        aria-pressed={isSet}
        icon={<CalendarRange size={16} aria-hidden />}
        onClick={() => setOpen(true)}
      >
        {isSet ? "Custom time set" : "Custom time…"}
      </Button>
      {open && <TimeRangeDialog view={view} onClose={() => setOpen(false)} onChange={onChange} />}
    </>
  );
}
