"use client";

import type { Ref } from "react";
import { fieldId, segmentsOf } from "@/lib/schema-form/json";
import type { Problem } from "@/lib/schema-form/problem-messages";

interface ErrorSummaryProps {
  problems: readonly Problem[];
  /** Called before the focus moves, so that the form is visible and can get the focus. */
  onGoTo: () => void;
  ref?: Ref<HTMLDivElement>;
}

/** The problems to fix before running, each with a link to its field. */
export function ErrorSummary({ problems, onGoTo, ref }: ErrorSummaryProps) {
  if (problems.length === 0) return null;
  return (
    <div
      ref={ref}
      role="alert"
      tabIndex={-1}
      className="mb-4 rounded-panel border border-bad bg-bad-soft p-3 outline-offset-2"
    >
      <p className="font-semibold text-ink">
        {problems.length === 1
          ? "Fix this and run again"
          : `Fix these ${problems.length} problems and run again`}
      </p>
      <ul className="mt-1 list-disc pl-5 text-table">
        {problems.map((problem) => (
          <li key={problem.path}>
            {problem.path === "" ? (
              problem.field
            ) : (
              <a
                href={`#${fieldId(problem.path)}`}
                className="font-medium text-ink underline"
                onClick={(event) => {
                  event.preventDefault();
                  onGoTo();
                  focusField(problem.path);
                }}
              >
                {problem.field}
              </a>
            )}
            {": "}
            {problem.message}
          </li>
        ))}
      </ul>
    </div>
  );
}

/** How long to wait for the form, which loads late or may not be rendered yet. */
const maxFrames = 120;

/** Moves the focus to a field's control, or to the nearest rendered element around it. */
export function focusField(pointer: string, framesLeft = maxFrames): void {
  requestAnimationFrame(() => {
    const element = fieldAt(pointer);
    if (!element) return framesLeft > 0 ? focusField(pointer, framesLeft - 1) : undefined;
    element.closest("details")?.setAttribute("open", "");
    const inside = element.querySelector<HTMLElement>("input:not([type=file]), textarea, select, button");
    const target = element.matches("input, textarea, select, button") ? element : (inside ?? element);
    target.scrollIntoView({ block: "center" });
    target.focus({ preventScroll: true });
  });
}

/** The field for a pointer, or for the nearest surrounding value with a field. */
function fieldAt(pointer: string): HTMLElement | null {
  const segments = segmentsOf(pointer);
  for (let length = segments.length; length > 0; length -= 1) {
    const element = document.getElementById(fieldId(`/${segments.slice(0, length).join("/")}`));
    if (element) return element;
  }
  return null;
}
