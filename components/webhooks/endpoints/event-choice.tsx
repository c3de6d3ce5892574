import { useId } from "react";
import { subscribableEventTypes } from "#contract/webhook-constants.ts";
import { Checkbox } from "@/components/ui/form/checkbox";

type EventName = (typeof subscribableEventTypes)[number];

interface EventChoiceProps {
  value: EventName[];
  onChange: (events: EventName[]) => void;
  error?: string | undefined;
}

/** Which events the endpoint receives. */
export function EventChoice({ value, onChange, error }: EventChoiceProps) {
  const errorId = useId();
  const toggle = (event: EventName, on: boolean) =>
    onChange(subscribableEventTypes.filter((each) => (each === event ? on : value.includes(each))));
  return (
    <fieldset aria-describedby={error ? errorId : undefined}>
      <legend className="mb-1 text-table font-medium text-ink">Events</legend>
      <div className="flex flex-col">
        {subscribableEventTypes.map((event) => (
          <Checkbox
            key={event}
            label={<code className="text-table">{event}</code>}
            checked={value.includes(event)}
            onChange={(change) => toggle(event, change.currentTarget.checked)}
          />
        ))}
      </div>
      {error && (
        <p id={errorId} className="text-meta font-medium text-bad">
          {error}
        </p>
      )}
    </fieldset>
  );
}
