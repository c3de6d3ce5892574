"use client";

import { useState } from "react";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { Field } from "@/components/ui/field";
import { FormActions } from "@/components/ui/form-actions";
import { Input } from "@/components/ui/input";
import type { DeliveryView } from "@/lib/webhooks/delivery-view";

interface TimeRangeDialogProps {
  view: DeliveryView;
  onClose: () => void;
  onChange: (next: Partial<DeliveryView>) => void;
}

export function TimeRangeDialog({ view, onClose, onChange }: TimeRangeDialogProps) {
  return (
    <Dialog open onOpenChange={onClose} title="Created between" size="sm">
      <RangeForm
        view={view}
        onSet={(next) => {
          onClose();
          onChange({ ...next, since: "" });
        }}
      />
    </Dialog>
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
      <Field label="From" hint="In your local time zone.">
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
      <Field label="To" error={reversed ? "Enter a time after the start." : undefined}>
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
      <FormActions>
        <Button onClick={() => onSet({ created_after: "", created_before: "" })}>Any time</Button>
        <Button type="submit" variant="primary">
          Set
        </Button>
      </FormActions>
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
