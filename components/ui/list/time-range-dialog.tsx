"use client";

import { type FormEvent, useState } from "react";
import { useWords } from "#words";
import { FormActions } from "@/components/ui/form/form-dialog";
import { InputField } from "@/components/ui/form/input-fields";
import { spans, type TimeFilter, timeBounds } from "@/lib/list-view";
import { fromLocalInput, toLocalInput } from "@/lib/local-time";
import type { TimeProblem } from "@/lib/time-words/read";
import { stretchLabel } from "@/lib/time-words/stretch-label";
import { timeOfWords } from "@/lib/time-words/time-filter";
import { bracketed } from "@/messages/marks";
import type { Words } from "@/messages/words";
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
  const t = useWords("ui");
  return (
    <Dialog open onOpenChange={onClose} title={t("time")} size="sm">
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
/** Each is also a message. */
const quickChoices = {
  today: "today",
  yesterday: "yesterday",
  thisWeek: "this week",
  lastWeek: "last week",
  thisMonth: "this month",
  lastMonth: "last month",
} as const;

function TimeForm({ value, timeZone, onSet }: TimeFormProps) {
  const t = useWords("ui");
  const isUtc = timeZone === "UTC";
  const [words, setWords] = useState("");
  const [time, setTime] = useState(value);
  const [problem, setProblem] = useState<TimeProblem | null>(null);
  const { created_after: from = "", created_before: to = "" } = timeBounds(time, Date.now());
  const isReversed = from !== "" && to !== "" && from >= to;

  const say = (text: string, shown = text) => {
    setWords(shown);
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
        label={t("inWords")}
        hint={t("timeHint")}
        data-autofocus
        autoComplete="off"
        spellCheck={false}
        maxLength={100}
        aria-invalid={problem ? true : undefined}
        value={words}
        onValue={say}
      />
      <p role="status" className={problem ? "text-table font-medium text-bad" : "text-table font-medium"}>
        {(problem && t(problem)) ?? bracketed(t.language, labelOf(t, time, from, to, timeZone), timeZone)}
      </p>
      <fieldset className="flex flex-wrap gap-2">
        <legend className="sr-only">{t("quickChoices")}</legend>
        {(Object.entries(quickChoices) as [keyof typeof quickChoices, string][]).map(([name, english]) => (
          <Button key={name} size="sm" onClick={() => say(english, t(name))}>
            {t(name)}
          </Button>
        ))}
      </fieldset>
      <InputField
        label={t("from")}
        type="datetime-local"
        step={1}
        value={toLocalInput(from, isUtc)}
        onValue={(value) => pick({ created_after: fromLocalInput(value, isUtc) })}
      />
      <InputField
        label={t("to")}
        error={isReversed ? t("timeAfterStart") : undefined}
        type="datetime-local"
        step={1}
        value={toLocalInput(to, isUtc)}
        onValue={(value) => pick({ created_before: fromLocalInput(value, isUtc) })}
      />
      <FormActions>
        <Button onClick={() => onSet(anyTime)}>{t("anyTime")}</Button>
        <Button type="submit" variant="primary">
          {t("set")}
        </Button>
      </FormActions>
    </form>
  );
}

function labelOf(t: Words<"ui">, { since }: TimeFilter, from: string, to: string, timeZone: string): string {
  const span = spans.get(since);
  return span ? t(span.label) : stretchLabel(t, from, to, timeZone, true);
}
