"use client";

import { useState } from "react";
import { Field } from "@/components/ui/form/field";
import { FormActions } from "@/components/ui/form/form-actions";
import { Input } from "@/components/ui/form/input";
import type { TimeFilter } from "@/lib/list-view";
import { fromLocalInput, toLocalInput } from "@/lib/local-time";
import { Button } from "../button.tsx";
import { Dialog } from "../dialog.tsx";

interface TimeRangeDialogProps {
  value: TimeFilter;
  /** The zone that times are shown in: UTC or the browser's own. */
  timeZone: string;
  onClose: () => void;
  onChange: (next: TimeFilter) => void;
}

export function TimeRangeDialog({ onClose, onChange, ...rest }: TimeRangeDialogProps) {
  return (
    <Dialog open onOpenChange={onClose} title="Created between" size="sm">
      <RangeForm
        {...rest}
        onSet={(created_after, created_before) => {
          onClose();
          onChange({ since: "", created_after, created_before });
        }}
      />
    </Dialog>
  );
}

interface RangeFormProps extends Pick<TimeRangeDialogProps, "value" | "timeZone"> {
  onSet: (createdAfter: string, createdBefore: string) => void;
}

function RangeForm({ value, timeZone, onSet }: RangeFormProps) {
  const isUtc = timeZone === "UTC";
  const [from, setFrom] = useState(toLocalInput(value.created_after, isUtc));
  const [to, setTo] = useState(toLocalInput(value.created_before, isUtc));
  const reversed = from !== "" && to !== "" && from >= to;
  return (
    <form
      className="space-y-3"
      onSubmit={(event) => {
        event.preventDefault();
        if (!reversed) onSet(fromLocalInput(from, isUtc), fromLocalInput(to, isUtc));
      }}
    >
      <Field label="From" hint={isUtc ? "Times are in UTC." : "Times are in your local time zone."}>
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
        <Button onClick={() => onSet("", "")}>Any time</Button>
        <Button type="submit" variant="primary">
          Set
        </Button>
      </FormActions>
    </form>
  );
}
