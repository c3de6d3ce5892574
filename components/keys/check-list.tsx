import { type ReactNode, useId } from "react";
import { Checkbox } from "@/components/ui/form/checkbox";
import { classNames } from "@/components/ui/looks";

interface CheckListProps<Value extends string> {
  legend: string;
  hint?: ReactNode;
  options: { value: Value; label: ReactNode }[];
  value: Value[];
  onChange: (value: Value[]) => void;
  error?: string | undefined;
  /** A long list scrolls inside its own box. */
  scrolls?: boolean;
}

/** A list with checkboxes. */
export function CheckList<Value extends string>(props: CheckListProps<Value>) {
  const { legend, hint, options, value, onChange, error, scrolls } = props;
  const noteId = useId();
  return (
    <fieldset aria-describedby={hint || error ? noteId : undefined} className="min-w-0">
      <legend className="mb-1 text-table font-medium text-ink">{legend}</legend>
      <div
        className={classNames(
          "grid gap-x-4 phone:grid-cols-2",
          scrolls && "max-h-44 overflow-y-auto rounded-control border bg-sunken px-3 py-1.5",
        )}
      >
        {options.map((option) => (
          <Checkbox
            key={option.value}
            label={option.label}
            checked={value.includes(option.value)}
            onChange={(event) => {
              const on = event.currentTarget.checked;
              onChange(
                options
                  .map((each) => each.value)
                  .filter((each) => (each === option.value ? on : value.includes(each))),
              );
            }}
          />
        ))}
      </div>
      <p id={noteId} className="text-meta">
        {error ? (
          <span className="font-medium text-bad">{error}</span>
        ) : (
          <span className="text-muted">{hint}</span>
        )}
      </p>
    </fieldset>
  );
}
