"use client";

import { type Ref, useCallback, useEffect, useMemo, useState } from "react";
import type { CatalogOperation } from "#contract/catalog.ts";
import { useWords } from "#words";
import type { GatewayFailure } from "@/lib/gateway/result";
import type { JsonObject } from "@/lib/schema-form/json";
import type { FormPlan } from "@/lib/schema-form/plan";
import { fieldId, pointerOf, segmentsOf, valueAt } from "@/lib/schema-form/pointers";
import type { Problem } from "@/lib/schema-form/problem-messages";
import { fieldTitle } from "@/lib/schema-form/problem-messages";
import { loadPatterns, problemsOf } from "@/lib/schema-form/validator";

const none: Problem[] = [];

/** Problems appear at the first Run. Then each one disappears as soon as it is fixed. */
export function useProblems(body: JsonObject | null, operation: CatalogOperation, plan: FormPlan) {
  const words = useWords("inputForm");
  const [checking, setChecking] = useState(false);
  const [refusal, setRefusal] = useState<{ problems: Problem[]; body: JsonObject } | null>(null);
  const [unreadable, setUnreadable] = useState(none);
  const onUnreadable = useCallback(
    (path: string, message: string) => {
      const problem = { path, field: fieldTitle(path, plan), message };
      setUnreadable((all) => [...all, problem]);
      return () => setUnreadable((all) => all.filter((other) => other !== problem));
    },
    [plan],
  );

  useEffect(() => void loadPatterns(operation.input_schema), [operation]);

  const own = useMemo(
    () => (checking && body ? joined(unreadable, problemsOf(body, operation, plan, words)) : none),
    [checking, unreadable, body, operation, plan, words],
  );
  const server = useMemo(() => {
    if (!refusal || !body) return none;
    const unchanged = ({ path }: Problem) => {
      const segments = segmentsOf(path);
      return JSON.stringify(valueAt(body, segments)) === JSON.stringify(valueAt(refusal.body, segments));
    };
    return refusal.problems.filter(unchanged);
  }, [refusal, body]);

  const problems = useMemo(() => joined(own, server), [own, server]);
  return {
    problems,
    /** A field reports invalid text at once, because nothing else shows that the draft lacks it. */
    atFields: useMemo(() => joined(unreadable, problems), [unreadable, problems]),
    onUnreadable,
    /** Checks a body before it is sent. Returns the problems that must be fixed first. */
    check(candidate: JsonObject): readonly Problem[] {
      const found = joined(unreadable, problemsOf(candidate, operation, plan, words));
      setChecking(found.length > 0);
      setRefusal(null);
      return found;
    },
    /** Assigns the gateway's refusal to the fields that it names. Empty if it names none. */
    refuse(failure: GatewayFailure, sent: JsonObject): readonly Problem[] {
      const problems = failure.status === 400 ? problemsFromFailure(failure, plan) : [];
      const refused = { problems, body: sent };
      setRefusal(refused);
      if (words.language !== "en")
        translated(problems, failure).then(
          (said) => setRefusal((last) => (last === refused ? { ...refused, problems: said } : last)),
          () => {},
        );
      return problems;
    },
    clear() {
      setChecking(false);
      setRefusal(null);
    },
  };
}

/** One problem per field. */
function joined(first: readonly Problem[], second: readonly Problem[]): Problem[] {
  return [...first, ...second.filter(({ path }) => !first.some((problem) => problem.path === path))];
}

/** The form fields that a gateway error names. Empty if it names none. */
function problemsFromFailure(failure: GatewayFailure, plan: FormPlan): Problem[] {
  if (failure.details.length > 0) {
    const seen = new Set<string>();
    return failure.details
      .filter(({ path }) => !seen.has(path) && seen.add(path))
      .map(({ path, message }) => ({ path, field: fieldTitle(path, plan), message: sentence(message) }));
  }
  const { param, message } = failure;
  if (!param) return [];
  const path = pointerFrom(param);
  const name = [`${param}: `, `${param} `].find((start) => message.startsWith(start)) ?? "";
  return [{ path, field: fieldTitle(path, plan), message: sentence(message.slice(name.length)) }];
}

/** The same problems in the page's language, whose words for failures are loaded at the first one. */
async function translated(
  problems: readonly Problem[],
  { code, details }: GatewayFailure,
): Promise<Problem[]> {
  const { fieldText } = await import("@/lib/status/failure-words");
  const textOf = ({ path, message }: Problem) =>
    fieldText({ code, message, details: details.filter((detail) => detail.path === path) });
  return Promise.all(problems.map(async (problem) => ({ ...problem, message: await textOf(problem) })));
}

/** `media.0.url`, `media[0].url` and `/media/0/url` all name the same field. */
function pointerFrom(param: string): string {
  if (param.startsWith("/")) return param;
  return pointerOf(
    param
      .replaceAll(/\[(\d+)\]/g, ".$1")
      .split(".")
      .filter(Boolean),
  );
}

/** A gateway's message about a field, without the field's name, which the form does not show: "is required". */
function sentence(message: string): string {
  const whole = /^(is|are|must|has|have|may|can|cannot|could|does) /.test(message)
    ? `this ${message}`
    : message;
  const text = whole.charAt(0).toUpperCase() + whole.slice(1);
  return /[.!?]$/.test(text) ? text : `${text}.`;
}

interface ErrorSummaryProps {
  problems: readonly Problem[];
  /** Called before the focus moves, so that the form is visible and can get the focus. */
  onGoTo: () => void;
  ref?: Ref<HTMLDivElement>;
}

/** The problems to fix before running, each with a link to its field. */
export function ErrorSummary({ problems, onGoTo, ref }: ErrorSummaryProps) {
  const t = useWords("playground");
  if (problems.length === 0) return null;
  return (
    <div
      ref={ref}
      role="alert"
      tabIndex={-1}
      className="mb-4 rounded-panel border border-bad bg-bad-soft p-3 outline-offset-2"
    >
      <p className="font-semibold text-ink">{t("fixTheseProblems", { count: problems.length })}</p>
      <ul className="mt-1 list-disc pl-5 text-table">
        {problems.map((problem) => (
          <li key={problem.path}>
            {problem.path !== "" && (
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
            <span className="block">{problem.message}</span>
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
