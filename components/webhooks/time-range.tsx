"use client";

import { CalendarRange } from "lucide-react";
import { useState } from "react";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { Field } from "@/components/ui/field";
import { Input } from "@/components/ui/input";
import type { DeliveryView } from "@/lib/webhooks/delivery-view";

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
        {isSet ? "Exact time set" : "Exact time…"}
      </Button>
      <Dialog open={open} onOpenChange={setOpen} title="Created between" size="sm">
        <RangeForm
          view={view}
          onSet={(next) => {
            setOpen(false);
            onChange({ ...next, since: "" });
          }}
        />
      </Dialog>
    </>
  );
}

function RangeForm({ view, onSet }: { view: DeliveryView; onSet: (next: Partial<DeliveryView>) => void }) {
  const [from, setFrom] = useState(toLocalInput(view.created_after));
  const [to, setTo] = useState(toLocalInput(view.created_before));
  const reversed = from !== "" && to !== "" && from >= to;
  return (
    <form
      className="space-y-3"
      onSubmit={(event) => {
        event.preventDefault();
        if (!reversed) onSet({ created_after: fromLocalInput(from), created_before: fromLocalInput(to) });
      }}
    >
      <Field label="From" hint="In this computer's time zone.">
        {(aria) => (
          <Input
            {...aria}
            type="datetime-local"
            step={1}
            value={from}
            onChange={(event) => setFrom(event.currentTarget.value)}
          />
        )}
      </Field>
      <Field label="To" error={reversed ? "Set an end after the start." : undefined}>
        {(aria) => (
          <Input
            {...aria}
            type="datetime-local"
            step={1}
            value={to}
            onChange={(event) => setTo(event.currentTarget.value)}
          />
        )}
      </Field>
      <div className="flex justify-end gap-2">
        <Button onClick={() => onSet({ created_after: "", created_before: "" })}>Any time</Button>
        <Button type="submit" variant="primary">
          Set
        </Button>
      </div>
    </form>
  );
}

function toLocalInput(value: string): string {
  const at = new Date(value);
  if (Number.isNaN(at.getTime())) return "";
  const local = new Date(at.getTime() - at.getTimezoneOffset() * 60_000);
  return local.toISOString().slice(0, 19);
}

function fromLocalInput(value: string): string {
  return value === "" ? "" : new Date(value).toISOString();
}
