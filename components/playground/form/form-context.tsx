"use client";

import { type ComponentType, createContext, useContext } from "react";
import type { PlannedField } from "@/lib/schema-form/plan";
import type { Problem } from "@/lib/schema-form/problem";

/** A value inside another one. */
export interface PartProps {
  field: PlannedField;
  value: unknown;
  onChange: (value: unknown) => void;
  pointer: string;
  /** Without a frame: what is around it has named it already. */
  bare?: boolean;
}

/** Draws a value inside another one; handed down, because the controls that need it are themselves among those it draws. */
export const PartContext = createContext<ComponentType<PartProps>>(() => null);

interface FormState {
  /** The gateway's public address, ending with `/v1`. */
  baseUrl: string;
  problems: readonly Problem[];
  disabled: boolean;
  /** Told +1 when a field starts an upload and -1 when it ends, so that Run can wait for it. */
  onUploading: (change: 1 | -1) => void;
  /** Reports a field whose text is not a valid value; returns a function that withdraws the report. */
  onUnreadable: (pointer: string, message: string) => () => void;
}

/** Reaches every field without passing through rjsf, which would compare and redraw the whole form for it. */
export const FormContext = createContext<FormState>({
  baseUrl: "",
  problems: [],
  disabled: false,
  onUploading: () => {},
  onUnreadable: () => () => {},
});

/** The problem message for the field at `pointer`, if it has one. */
export function useProblem(pointer: string): string | null {
  const { problems } = useContext(FormContext);
  return problems.find(({ path }) => path === pointer)?.message ?? null;
}

export function useFormDisabled(): boolean {
  return useContext(FormContext).disabled;
}
