"use client";

import { type ComponentType, createContext, useContext } from "react";
import type { PlannedField } from "@/lib/schema-form/plan";
import type { Problem } from "@/lib/schema-form/problem";

/** A nested value. */
export interface PartProps {
  field: PlannedField;
  value: unknown;
  onChange: (value: unknown) => void;
  pointer: string;
  /** Without a frame: the surrounding element already names it. */
  bare?: boolean;
}

/** Renders a nested value. Passed as context, because the controls that use it are among those it renders. */
export const PartContext = createContext<ComponentType<PartProps>>(() => null);

interface FormState {
  /** The gateway's public address, ending with `/v1`. */
  baseUrl: string;
  problems: readonly Problem[];
  disabled: boolean;
  /** Called with +1 when a field starts an upload and -1 when it ends, so that Run can wait for it. */
  onUploading: (change: 1 | -1) => void;
  /** Reports a field whose text is not a valid value; returns a function that withdraws the report. */
  onUnreadable: (pointer: string, message: string) => () => void;
}

/** Reaches every field without going through rjsf, which would compare and render the whole form. */
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
