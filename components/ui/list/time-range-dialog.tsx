"use client";

import { type FormEvent, useState } from "react";
import { FormActions } from "@/components/ui/form/form-dialog";
import { InputField } from "@/components/ui/form/input-fields";
import { spans, type TimeFilter, timeBounds } from "@/lib/list-view";
import { fromLocalInput, toLocalInput } from "@/lib/local-time";
import { stretchLabel } from "@/lib/time-words/stretch-label";
import { timeOfWords } from "@/lib/time-words/time-filter";
import { Button } from "../button.tsx";
import { Dialog } from "../dialog.tsx";

interface TimeRangeDialogProps {
  value: TimeFilter;
  /** The zone of displayed times: UTC or the browser's own. */
  timeZone: string;
  onClose: () => void;
  onChange: (next: TimeFilter) => void;
}

/**
 * A range that the user enters in words or picks. The dialog shows the exact times before they are applied.
 */
export function TimeRangeDialog({ onClose, onChange, ...rest }: TimeRangeDialogProps) {
  return (
    <Dialog open onOpenChange={onClose} title="Time" size="sm">
      <TimeForm
        {...rest}
        onSet={(time) => {
          onClose();
          onChange(time);
        }}
      />
    </Dialog>
  );
}

interface TimeFormProps extends Pick<TimeRangeDialogProps, "value" | "timeZone"> {
  onSet: (time: TimeFilter) => void;
}

const anyTime: TimeFilter = { since: "", created_after: "", created_before: "" };
const quickChoices = ["Today", "Yesterday", "This week", "Last week", "This month", "Last month"];

function TimeForm({ value, timeZone, onSet }: TimeFormProps) {
  const isUtc = timeZone === "UTC";
  const [words, setWords] = useState("");
  const [time, setTime] = useState(value);
  const [problem, setProblem] = useState<string | null>(null);
  const { created_after: from = "", created_before: to = "" } = timeBounds(time, Date.now());
  const isReversed = from !== "" && to !== "" && from >= to;

  const say = (text: string) => {
    setWords(text);
    const read = timeOfWords(text, Date.now(), timeZone);
    setProblem(text.trim() === "" ? null : read.problem);
    if (read.time) setTime(read.time);
  };
  const pick = (picked: Partial<TimeFilter>) => {
    setWords("");
    setProblem(null);
    setTime({ since: "", created_after: from, created_before: to, ...picked });
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (problem === null && !isReversed) onSet(time);
  };

  return (
    <form className="space-y-3" onSubmit={submit}>
      <InputField
        label="In words"
        hint="For example “yesterday”, “last Tuesday 14:00 to 15:00”, “24 Nov” or “3 hours ago”."
        data-autofocus
        autoComplete="off"
        spellCheck={false}
        maxLength={100}
        aria-invalid={problem ? true : undefined}
        value={words}
        onValue={say}
      />
      <p role="status" className={problem ? "text-table font-medium text-bad" : "text-table font-medium"}>
        {problem ?? `${labelOf(time, from, to, timeZone)} (${timeZone})`}
      </p>
      <fieldset className="flex flex-wrap gap-2">
        <legend className="sr-only">Quick choices</legend>
        {quickChoices.map((each) => (
          <Button key={each} size="sm" onClick={() => say(each)}>
            {each}
          </Button>
        ))}
      </fieldset>
      <InputField
        label="From"
        type="datetime-local"
        step={1}
        value={toLocalInput(from, isUtc)}
        onValue={(value) => pick({ created_after: fromLocalInput(value, isUtc) })}
      />
      <InputField
        label="To"
        error={isReversed ? "Enter a time after the start." : undefined}
        type="datetime-local"
        step={1}
        value={toLocalInput(to, isUtc)}
        onValue={(value) => pick({ created_before: fromLocalInput(value, isUtc) })}
      />
      <FormActions>
        <Button onClick={() => onSet(anyTime)}>Any time</Button>
        <Button type="submit" variant="primary">
          Set
        </Button>
      </FormActions>
    </form>
  );
}

function labelOf({ since }: TimeFilter, from: string, to: string, timeZone: string): string {
  return spans.get(since)?.label ?? stretchLabel(from, to, timeZone, true);
}
