"use client";

import { type ComponentType, createContext, useContext } from "react";
import type { PlannedField } from "@/lib/schema-form/plan";
import type { Problem } from "@/lib/schema-form/problem-messages";

/** A nested value. */
export interface PartProps {
  field: PlannedField;
  value: unknown;
  onChange: (value: unknown) => void;
  pointer: string;
  /** Without a frame, because the surrounding element already has the name. */
  bare?: boolean;
}

/**
 * Renders a nested value. It is passed as context, because importing it would be circular: it renders the
 * controls that use it.
 */
export const PartContext = createContext<ComponentType<PartProps>>(() => null);

interface FormState {
  /** The gateway's public address, ending with `/v1`. */
  baseUrl: string;
  /** Files of the operation's example, which the first file of a person replaces. Missing: there are none. */
  exampleFiles?: ReadonlySet<string>;
  problems: readonly Problem[];
  disabled: boolean;
  /** Called with +1 when a field starts an upload and with -1 when the upload ends, so that Run can wait. */
  onUploading: (change: 1 | -1) => void;
  /** Reports a field with an invalid text. Returns a function that withdraws the report. */
  onUnreadable: (pointer: string, message: string) => () => void;
}

/** Passes values to every field without rjsf, which would compare and render the whole form. */
export const FormContext = createContext<FormState>({
  baseUrl: "",
  problems: [],
  disabled: false,
  onUploading: () => {},
  onUnreadable: () => () => {},
});

/** The problem message of the field at `pointer`, or null. */
export function useProblem(pointer: string): string | null {
  const { problems } = useContext(FormContext);
  return problems.find(({ path }) => path === pointer)?.message ?? null;
}

export function useFormDisabled(): boolean {
  return useContext(FormContext).disabled;
}

/** Whether the field shows only files of the operation's example, which no person has chosen. */
export function useIsExample(files: readonly string[]): boolean {
  const { exampleFiles } = useContext(FormContext);
  const filled = files.filter((text) => text !== "");
  return filled.length > 0 && filled.every((text) => exampleFiles?.has(text));
}
