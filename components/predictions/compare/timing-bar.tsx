import { Duration } from "@/components/ui/quantity";

interface TimingBarProps {
  seconds: number | null;
  /** Seconds of a full bar. */
  longest: number;
}

/** A length of time with a bar on the comparison's common scale. */
export function TimingBar({ seconds, longest }: TimingBarProps) {
  return (
    <div className="flex items-center gap-3">
      <span className="w-20 shrink-0">
        <Duration ms={seconds === null ? null : seconds * 1000} />
      </span>
      {seconds !== null && longest > 0 && (
        <svg aria-hidden className="h-1.5 min-w-0 flex-1 overflow-hidden rounded-full bg-sunken">
          <rect width={`${(seconds / longest) * 100}%`} height="100%" className="fill-busy" />
        </svg>
      )}
    </div>
  );
}
