/** The current step of a page with several steps. */
export function NumberedSteps({ names, current }: { names: readonly string[]; current: number }) {
  return (
    <ol className="mb-5 flex flex-wrap gap-x-6 gap-y-1 text-table" aria-label="Steps">
      {names.map((name, index) => (
        <li
          key={name}
          aria-current={index === current ? "step" : undefined}
          className="text-muted aria-[current=step]:font-medium aria-[current=step]:text-ink"
        >
          {index + 1}. {name}
        </li>
      ))}
    </ol>
  );
}
